import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What a test has the person and the system do.
extension DeviceStage {
    /// Opens the app: a launch, or a return to the running process.
    public mutating func launch() throws(Failure) {
        guard device.isInstalled else { throw .impossible("the app is not installed") }
        guard device.phone.process != .foreground else {
            throw .impossible("the app is in the foreground already: leave() it first")
        }
        device.timers[.open] = .never
        try play { (runner, device, time) throws(RunFailure) in
            try runner.fire(.open, of: &device, at: time)
        }
    }

    /// Leaves the app for the Home Screen.
    public mutating func leave() throws(Failure) {
        try requireForeground()
        device.timers[.close] = .never
        try play { (runner, device, time) throws(RunFailure) in
            try runner.fire(.close, of: &device, at: time)
        }
    }

    /// The system ends the process.
    public mutating func terminate() throws(Failure) {
        guard device.phone.process != .notRunning else {
            throw .impossible("the app does not run: launch() it first")
        }
        try play { (runner, device, time) throws(RunFailure) in
            try runner.apply(.processEnded(.terminated), to: &device, at: time)
        }
    }

    /// Taps a feature, an index into `Scenario.features`.
    public mutating func tap(_ feature: Int) throws(Failure) {
        try requireForeground()
        if let covering { throw .impossible("\(covering): answer it before the tap") }
        let planned = (device.timers[.tap], device.pendingTap)
        device.pendingTap = UInt8(feature)
        try play { (runner, device, time) throws(RunFailure) in
            try runner.fire(.tap, of: &device, at: time)
        }
        // The tap that a behavior had planned itself is still to come.
        if person == nil, device.timers[.tap] == .never, planned.0 != .never {
            (device.timers[.tap], device.pendingTap) = planned
        }
    }

    /// Presses a button of the prompt on screen.
    public mutating func answer(_ choice: Choice, isPrecise: Bool) throws(Failure) {
        try requirePerson("answer")
        guard let prompt else {
            throw .impossible(
                "there is no prompt on screen" + (ownScreen.isUp ? ", but \(covering ?? "")" : ""))
        }
        guard prompt.choices.contains(choice) else {
            let words = prompt.choices.map(\.rawValue).joined(separator: ", ")
            throw .impossible(
                "the prompt \(prompt.shown.kind.rawValue) has no button \(choice.rawValue) on this "
                    + "iOS; there are \(words)")
        }
        if !isPrecise, ios < .v14 || prompt.shown.kind != .whenInUse {
            throw .impossible(
                "only the prompt when_in_use of iOS 14 and later has a switch Precise, and "
                    + (ios < .v14
                        ? "this iOS is older" : "this one is \(prompt.shown.kind.rawValue)"))
        }
        device.reply = Reply(choice, isPrecise: isPrecise)
        try play { (runner, device, time) throws(RunFailure) in
            try runner.fire(.answer, of: &device, at: time)
        }
    }

    public mutating func answerPrimer(_ answer: PrimerAnswer) throws(Failure) {
        try requirePerson("answer_primer")
        guard ownScreen.primer != nil else {
            throw .impossible("no primer is on screen" + (covering.map { ", but \($0)" } ?? ""))
        }
        person?.primerAnswer = answer
        try answerOwnScreen()
    }

    public mutating func answerSettingsAlert(_ answer: SettingsAlertAnswer) throws(Failure) {
        try requirePerson("answer_settings_alert")
        guard ownScreen.isUp, ownScreen.primer == nil else {
            throw .impossible("no alert is on screen" + (covering.map { ", but \($0)" } ?? ""))
        }
        person?.alertAnswer = answer
        try answerOwnScreen()
    }

    private mutating func answerOwnScreen() throws(Failure) {
        if covering != nil, prompt != nil {
            throw .impossible("\(covering ?? ""): answer it first")
        }
        try play { (runner, device, time) throws(RunFailure) in
            try runner.fire(.ownScreenAnswer, of: &device, at: time)
        }
    }

    /// What the person does to the phone.
    public mutating func perform(_ act: PhoneAct) throws(Failure) {
        let note = runner.outlook(for: act, on: device)
        if let reason = note.ignored {
            let rule = note.rule.map { "; see 'locfleet rules \($0.rawValue)'" } ?? ""
            throw .impossible("this cannot be done here: \(reason.rawValue)\(rule)")
        }
        try play { (runner, device, time) throws(RunFailure) in
            _ = try runner.carryOut(act, of: &device, at: time)
        }
    }

    /// The device moves far enough for a significant change.
    public mutating func move() throws(Failure) {
        try play { (runner, device, time) throws(RunFailure) in
            try runner.apply(.movedSignificantly, to: &device, at: time)
        }
    }

    // MARK: - What is in the way

    /// What lies over the app, with what would be accepted; nil: nothing.
    private var covering: String? {
        if let prompt {
            let words = prompt.choices.map(\.rawValue).joined(separator: ", ")
            return "the prompt \(prompt.shown.kind.rawValue) is on screen (\(words))"
        }
        guard ownScreen.isUp else { return nil }
        return ownScreen.primer.map { "the primer '\($0)' is on screen (continue, not_now)" }
            ?? "the app's alert is on screen (open_settings, cancel)"
    }

    private func requireForeground() throws(Failure) {
        guard device.phone.process == .foreground else {
            throw .impossible(
                "the app is not in the foreground (\(device.phone.process.rawValue)): "
                    + "launch() it first")
        }
    }

    private func requirePerson(_ verb: String) throws(Failure) {
        guard person != nil else {
            throw .impossible(
                "the behavior of this file answers by itself: run(\"10s\") lets it, and "
                    + "device.answers tells what it said; \(verb)() is for files without one")
        }
    }
}
