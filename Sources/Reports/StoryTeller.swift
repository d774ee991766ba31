import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import Telemetry

/// Turns records into sentences, and remembers what the sentences after need.
struct StoryTeller {
    private let scenario: Scenario
    private let names: NameTable
    /// Of failures, by the number of their record.
    private let messages: [UInt32: String]
    private(set) var isInSession = false
    private(set) var isInstalled = true
    private(set) var sessions: UInt64 = 0
    private var visible = VisibleStatus.notDetermined
    private var trueStatus = TrueStatus.notDetermined
    /// As the app would read it; nil before iOS 14, and before the first status of the story.
    private var accuracy: Accuracy?
    private var ios: IOSVersion

    init(scenario: Scenario, names: NameTable, ios: IOSVersion, messages: [UInt32: String]) {
        (self.scenario, self.names, self.ios) = (scenario, names, ios)
        self.messages = messages
    }

    /// Both views of the status now.
    var status: String { visible.spoken(with: trueStatus) }

    mutating func sentence(of record: Record) -> StorySentence {
        let note = record.note
        switch record.content {
        case .installed: return installed(true, "installed the app")
        case .opened(let launch): return opened(launch)
        case .closed(let closing): return closed(closing, note.rule)
        case .tapped(let feature): return StorySentence("tapped \(names[feature])")
        case .feature(let feature, let outcome):
            return StorySentence("\(names[feature]) ended with \(names[outcome])")
        case .primer(let id, let answer):
            return StorySentence(
                "the app's own screen \"\(names[id])\" explained; chose \(answer.spoken)")
        case .settingsAlert(let answer):
            return StorySentence(
                "the app pointed to Settings; "
                    + (answer == .openSettings ? "went there" : "chose Cancel"))
        case .prompt(let prompt): return prompted(prompt, note, at: record.time)
        case .answer(let answer): return answered(answer, note)
        case .unanswered(let kind, let rule):
            return StorySentence(
                "the \(kind.spoken) went away without an answer",
                why: rule.saying(rule.closingPhrase))
        case .status(let visible, let trueStatus, let rule):
            return changed(to: visible, trueStatus, note.accuracy, by: rule)
        case .callback(let status, let accuracy): return calledBack(status, accuracy)
        case .requestIgnored(let call, let reason, let rule):
            return StorySentence(
                "the app called \(call.rawValue): ignored, \(reason.spoken)", by: rule)
        case .settings(let visit): return acted(visit.done(on: ios), visit.undone(on: ios), note)
        case .world(let change):
            let sentence = acted(change.sentence, change.undone, note)
            guard note.ignored == nil else { return sentence }
            switch change {
            case .deleteApp, .removeAppClip: isInstalled = false
            case .reinstall: isInstalled = true
            default: break
            }
            return sentence
        case .upgraded(let version):
            if note.ignored == nil { ios = version }
            return acted(
                "iOS was upgraded to \(version)", "iOS could not be upgraded to \(version)", note)
        case .recast(let recast, let script):
            return StorySentence(recast.sentence(scenario.scripts[Int(script)].name))
        case .milestone(let name): return StorySentence("milestone \(names[name])")
        case .scriptFailure(let place): return failed(place, messages[record.ordinal])
        case .fix(let east, let north):
            return StorySentence(
                "the app got a position, \(east / 1_000) m east and \(north / 1_000) m north")
        case .crossing(let region, let isEntry):
            return StorySentence(
                "\(isEntry ? "inside" : "outside") of region \(names[region])")
        }
    }

    /// What the person did or could not do, and why it could not be done or changed nothing.
    private func acted(
        _ done: String, _ undone: String, _ note: RecordNote
    ) -> StorySentence {
        let why = note.ignored.map { $0.obstacle(by: note.rule) } ?? note.rule?.idlePhrase
        let text = note.ignored == nil ? done : undone
        return StorySentence(text, why: note.rule?.saying(why) ?? why.map { "[\($0)]" })
    }

    private mutating func installed(_ isInstalled: Bool, _ sentence: String) -> StorySentence {
        self.isInstalled = isInstalled
        return StorySentence(sentence)
    }

    private mutating func opened(_ launch: Launch) -> StorySentence {
        guard launch == .person else {
            return StorySentence("the system started the app in the background")
        }
        sessions += 1
        isInSession = true
        return StorySentence("opened the app (\(ordinal(sessions)) time)")
    }

    private mutating func closed(_ closing: Closing, _ rule: RuleID?) -> StorySentence {
        isInSession = false
        guard let rule else { return StorySentence(closing.sentence) }
        return StorySentence(closing.sentence, by: rule)
    }

    private var isAppClip: Bool { scenario.app.capabilities.isAppClip }

    private func prompted(
        _ prompt: PromptShown, _ note: RecordNote, at time: SimTime
    ) -> StorySentence {
        let buttons = prompt.choices.inDisplayOrder(of: prompt.kind).map { choice in
            let label = choice.label(on: prompt.kind, ofAppClip: isAppClip)
            return "[\(label.replacing(" ", with: "\u{A0}"))]"
        }
        var remarks = ["\(ordinal(UInt64(prompt.ordinal))) of its kind"]
        if prompt.isPrimed { remarks.append("explained before") }
        if prompt.isExpected { remarks.append("expected") }
        let text =
            "\(prompt.kind.spoken) (\(remarks.joined(separator: ", "))): "
            + buttons.joined(separator: " ")
        if let rule = note.rule { return StorySentence(text, by: rule) }
        guard case .waiting(let event, let since)? = note.held else { return StorySentence(text) }
        let age = human(time - since)
        return StorySentence(
            text,
            why: "[V3: \(event.spoken) out of use, \(age) before, is held until the answer]")
    }

    private func answered(_ answer: PromptAnswered, _ note: RecordNote) -> StorySentence {
        var text = "chose \(answer.choice.label(on: answer.kind, ofAppClip: isAppClip))"
        // P4: no other prompt has that switch, whatever a behavior says.
        if !answer.isPrecise, answer.kind == .whenInUse, ios >= .v14 {
            text += ", Precise Location off"
        }
        if let pick = answer.pick {
            text += " (share \(rounded(pick.share)), drew \(rounded(pick.draw)))"
        }
        guard let rule = note.rule, let held = note.held else { return StorySentence(text) }
        return StorySentence(text, why: rule.saying(held.fate(by: rule)))
    }

    private mutating func changed(
        to visible: VisibleStatus, _ trueStatus: TrueStatus, _ accuracy: Accuracy?,
        by rule: RuleID
    ) -> StorySentence {
        let (before, old) = (status, self.accuracy ?? accuracy.map { _ in .fullAccuracy })
        let wasRestricted = self.visible == .restricted
        (self.visible, self.trueStatus, self.accuracy) = (visible, trueStatus, accuracy)
        let why = rule.saying(
            rule.statusPhrase(wasRestricted: wasRestricted, now: visible, trueStatus))
        let isChanged = before != status
        guard let old, let accuracy, old != accuracy else {
            return StorySentence(
                isChanged ? "\(before) → \(status)" : "\(status), as before", why: why)
        }
        if isChanged {
            return StorySentence("\(before) → \(status), \(accuracy.spoken) accuracy", why: why)
        }
        let cause =
            rule == .ac9 ? "Precise Location \(accuracy == .fullAccuracy ? "on" : "off"): " : ""
        return StorySentence("\(cause)\(old.spoken) → \(accuracy.spoken) accuracy", why: why)
    }

    private func calledBack(_ status: VisibleStatus, _ accuracy: Accuracy?) -> StorySentence {
        // An app hears neither what is hidden from it nor what lies below a switch.
        let isAll = status != visible || trueStatus.spoken == status.spoken
        let heard = isAll ? status.spoken : "\(status.spoken) (in truth \(trueStatus.spoken))"
        let suffix =
            switch accuracy {
            case .fullAccuracy?: status.isAuthorized ? ", full accuracy" : ""  // ST2
            case .reducedAccuracy?: ", reduced accuracy"
            case nil: ""
            }
        return StorySentence("the app heard: \(heard)\(suffix)")
    }

    private func failed(_ place: ScriptFailurePlace, _ message: String?) -> StorySentence {
        let spot = place.text(in: scenario)
        let reason = message.map { ": " + place.reason(of: $0, in: scenario) } ?? ""
        return StorySentence(
            "\(spot) failed in \(place.hook.rawValue) (\(place.code.rawValue))\(reason); "
                + place.hook.sequel)
    }

    /// To four decimals at most: a story needs no more.
    private func rounded(_ share: Double) -> String {
        guard share >= 0, share <= 1 else { return share.description }
        return decimal(millionths: UInt64((share * 10_000).rounded()) * 100)
    }
}
