import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One person who is asked directly, without a device: for tests of behaviors.
///
/// Draws as the engine has them draw: from the seed, the person's number, the purpose and how
/// often they were asked.
public struct PersonStage {
    public var status = VisibleStatus.notDetermined
    public var day: Int64 = 0
    /// The hour of the local day at which hooks are called, in 0 ..< 24: noon.
    public var localHour = 12.0
    /// What they have done to the phone so far, and what the behavior has noted of them.
    public private(set) var acts: [PhoneAct] = []
    private let behavior: any Behavior
    private let scenario: Scenario
    private let number: UInt32
    private var prompts = [UInt32](repeating: 0, count: PromptKind.allCases.count)
    private var occasions = Device.Occasions()

    /// - Parameter number: whose memory and whose chance; 0 is the device's own person.
    /// - Throws: what the hook `born` does.
    public init(
        _ behavior: any Behavior, _ scenario: Scenario, number: UInt32
    ) throws(HookError) {
        (self.behavior, self.scenario, self.number) = (behavior, scenario, number)
        guard behavior.hooks.contains(.born) else { return }
        var random = stream(.born, 0)
        try behavior.born(view, random: &random, acts: &acts)
    }

    private var ios: IOSVersion { scenario.iosMix[0].value }

    public func has(_ hook: HookName) -> Bool { behavior.hooks.contains(hook) }

    /// - Parameters:
    ///   - ordinal: nil: one more than before.
    ///   - askedBefore: nil: as often as there were prompts.
    public mutating func answerPrompt(
        _ kind: PromptKind, isPrimed: Bool, isExpected: Bool, ordinal: UInt32?,
        askedBefore: UInt32?
    ) throws(HookError) -> Reply {
        let before = prompts.reduce(0, +)
        prompts[kind.index] = ordinal ?? prompts[kind.index] + 1
        let question = Question(
            kind, choices: ChoiceSet(kind.choices(on: ios)), ordinal: prompts[kind.index],
            askedBefore: askedBefore ?? before, isPrimed: isPrimed, isExpected: isExpected,
            purpose: kind.usageText)
        var random = stream(kind.purpose, prompts[kind.index])
        return try behavior.answerPrompt(question, view, random: &random, acts: &acts)
    }

    public mutating func answerPrimer(_ id: NameID) throws(HookError) -> PrimerAnswer {
        var random = stream(.primer, occasions.primer)
        occasions.primer += 1
        return try behavior.answerPrimer(id, view, random: &random, acts: &acts)
    }

    public mutating func answerSettingsAlert() throws(HookError) -> SettingsAlertAnswer {
        var random = stream(.settingsAlert, occasions.settingsAlert)
        occasions.settingsAlert += 1
        return try behavior.answerSettingsAlert(view, random: &random, acts: &acts)
    }

    public mutating func nextOpen() throws(HookError) -> SimDuration? {
        var random = stream(.opening, occasions.opening)
        occasions.opening += 1
        return try behavior.nextOpen(view, random: &random, acts: &acts)
    }

    public mutating func sessionLength() throws(HookError) -> SimDuration {
        var random = stream(.length, occasions.length)
        occasions.length += 1
        return try behavior.sessionLength(view, random: &random, acts: &acts)
    }

    public mutating func nextTap() throws(HookError) -> Tap? {
        var random = stream(.tap, occasions.tap)
        occasions.tap += 1
        return try behavior.nextTap(view, random: &random, acts: &acts)
    }

    public mutating func eachDay() throws(HookError) {
        var random = stream(.day, UInt32(truncatingIfNeeded: day))
        _ = random.uniform()  // That one chooses the instant, see `DeviceRunner.day`.
        try behavior.eachDay(view, random: &random, acts: &acts)
    }

    private func stream(_ purpose: RandomPurpose, _ occasion: UInt32) -> RandomStream {
        RandomStream(
            seed: scenario.seed, device: DeviceID(number), purpose: purpose, occasion: occasion)
    }

    private var view: PersonView {
        PersonView(
            device: DeviceID(number), indexInBlock: number, persona: 0, ios: ios, status: status,
            time: scenario.zone.start(ofDay: day) + sinceMidnight)
    }

    private var sinceMidnight: SimDuration {
        let last = SimDuration.days(1).microseconds - 1
        return SimDuration(microseconds: min(Int64((localHour * 3_600_000_000).rounded()), last))
    }
}
