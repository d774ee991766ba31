import AuthorizationCore
import CLuaShim
import DeviceCore
import SimPrimitives
import Simulation

/// A persona whose behavior is written in Lua. See DESIGN, section 4, and the contract.
///
/// A hook that fails has done nothing to the phone: what it had begun to do is dropped.
final class LuaBehavior: Behavior {
    let hooks: HookSet
    private let script: LuaScript
    private let frame: UnsafeMutablePointer<clua_frame>
    private let features: UInt32
    private let choices: ChoiceLists

    init(
        _ state: LuaState, _ script: LoadedScript, number: UInt16, options: UInt32,
        features: UInt32, choices: ChoiceLists
    ) {
        self.script = LuaScript(state, script, number: number, options: options)
        hooks = self.script.hooks
        frame = state.frame
        (self.features, self.choices) = (features, choices)
    }

    func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {
        try call(.born, person, &random, &acts)
    }

    func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? {
        try call(.nextOpen, person, &random, &acts)
        return frame.pointee.has_reply ? span : nil
    }

    func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration {
        try call(.sessionLength, person, &random, &acts)
        return span
    }

    func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap? {
        frame.pointee.choices = features
        try call(.nextTap, person, &random, &acts)
        guard frame.pointee.has_reply else { return nil }
        return Tap(feature: Int(frame.pointee.reply), after: span)
    }

    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply {
        guard let list = choices.find(question.kind, question.choices) else {
            preconditionFailure("a prompt has the buttons that its kind has on some iOS")
        }
        frame.pointee.choices = list
        frame.pointee.kind = UInt8(question.kind.index)
        frame.pointee.choice_bits = question.choices.rawValue
        frame.pointee.ordinal = question.ordinal
        frame.pointee.asked_before = question.askedBefore
        frame.pointee.is_primed = question.isPrimed
        frame.pointee.is_expected = question.isExpected
        frame.pointee.usage = UInt8(question.purpose.rawValue)
        try call(.answerPrompt, person, &random, &acts)
        let pick =
            frame.pointee.has_pick
            ? Pick(share: frame.pointee.pick_share, draw: frame.pointee.pick_draw) : nil
        return Reply(
            Vocabulary.choices[Int(frame.pointee.reply)],
            after: frame.pointee.microseconds < 0 ? nil : span,
            isPrecise: frame.pointee.is_precise, pick: pick)
    }

    func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer {
        frame.pointee.word = id.index
        try call(.answerPrimer, person, &random, &acts)
        return Vocabulary.primerAnswers[Int(frame.pointee.reply)]
    }

    func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer {
        try call(.answerSettingsAlert, person, &random, &acts)
        return Vocabulary.alertAnswers[Int(frame.pointee.reply)]
    }

    func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {
        try call(.eachDay, person, &random, &acts)
    }

    // MARK: The call

    /// For measurements: see `LuaScripts.answerBare`.
    func callBare(_ hook: HookName, times: Int, random: inout RandomStream) -> Bool {
        script.callBare(hook, times: times, random: &random)
    }

    /// C has checked that it lies in 0 ... `SimDuration.max`.
    private var span: SimDuration { SimDuration(microseconds: frame.pointee.microseconds) }

    private func call(
        _ hook: HookName, _ person: borrowing PersonView, _ random: inout RandomStream,
        _ acts: inout [PhoneAct]
    ) throws(HookError) {
        frame.pointee.time_microseconds = person.time.microseconds
        frame.pointee.device = person.device.number
        frame.pointee.index = person.indexInBlock
        frame.pointee.persona = person.persona
        frame.pointee.options = script.options
        frame.pointee.ios_major = person.ios.major
        frame.pointee.ios_minor = person.ios.minor
        frame.pointee.status = UInt8(person.status.place)
        try script.call(hook, &random)
        let count = Int(frame.pointee.act_count)
        if count > 0 { append(count, to: &acts) }
    }

    private func append(_ count: Int, to acts: inout [PhoneAct]) {
        withUnsafeBytes(of: &frame.pointee.acts) { bytes in
            for act in bytes.bindMemory(to: clua_act.self).prefix(count) {
                acts.append(PhoneAct(act))
            }
        }
    }
}

extension PhoneAct {
    fileprivate init(_ act: clua_act) {
        switch clua_act_kind(UInt32(act.kind)) {
        case CLUA_SETTINGS: self = .settings(SettingsRow.allCases[Int(act.word)])
        case CLUA_PRECISE: self = .precise(act.is_on)
        case CLUA_LOCATION_SERVICES: self = .locationServices(act.is_on)
        case CLUA_FORCE_QUIT: self = .forceQuit
        case CLUA_DELETE_APP: self = .deleteApp
        case CLUA_REINSTALL:
            self = .reinstall(after: SimDuration(microseconds: act.microseconds))
        case CLUA_RESTRICT_LOCATION: self = .restriction(act.is_on)
        case CLUA_RESET_LOCATION_PRIVACY: self = .resetLocationPrivacy
        case CLUA_REBOOT: self = .reboot
        case CLUA_UPGRADE_OS: self = .upgradeOS(Vocabulary.versions[Int(act.word)].version)
        case CLUA_BACKGROUND_APP_REFRESH: self = .backgroundRefresh(act.is_on)
        case CLUA_MIGRATE_DEVICE: self = .migrateDevice
        case CLUA_PLACE_WIDGET: self = .placeWidget
        case CLUA_TAP_LOCATION_BUTTON: self = .tapLocationButton
        case CLUA_MILESTONE: self = .milestone(NameID(act.word))
        case CLUA_COUNT, CLUA_OBSERVE: self = .metric(ScriptMetric(act))
        default: preconditionFailure("a behavior's hook acts on the phone alone")
        }
    }
}

/// The words that C numbers, in their order, once.
enum Vocabulary {
    static let choices = Choice.allCases
    static let primerAnswers = PrimerAnswer.allCases
    static let alertAnswers = SettingsAlertAnswer.allCases
    /// Every version as it is written: "17.6", and "17" for 17.0.
    static let versions: [(word: String, version: IOSVersion)] =
        IOSVersion.released.flatMap { known in
            let whole = IOSVersion(known.major, 0).map { [("\(known.major)", $0)] } ?? []
            return whole
                + (0...known.minorMax).compactMap { IOSVersion(known.major, $0) }
                .map { ($0.description, $0) }
        }
}
