import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation

/// A person who does what the test says, hook by hook. A hook that is nil is absent.
public final class StoryBehavior: Behavior {
    public var hooks = HookSet()
    /// Waits between sessions, in seconds, in order; then never again.
    private var openings: [Int64]
    private let sessionSeconds: Int64
    /// Waits for taps within each session, in order.
    private let taps: [Int64]
    private var tapsLeft: [Int64] = []
    private let answers: (Question) throws(HookError) -> Reply
    private let primer: PrimerAnswer
    private let alert: (SettingsAlertAnswer, [PhoneAct])
    private let days: [Int: [PhoneAct]]
    private var dayCount = 0
    public private(set) var questions: [Question] = []

    public init(
        openings: [Int64] = [60], sessionSeconds: Int64 = 120, taps: [Int64] = [],
        primer: PrimerAnswer = .continue, alert: (SettingsAlertAnswer, [PhoneAct]) = (.cancel, []),
        days: [Int: [PhoneAct]] = [:],
        answers: @escaping (Question) throws(HookError) -> Reply = { _ in Reply(.dontAllow) }
    ) {
        (self.openings, self.sessionSeconds, self.taps) = (openings, sessionSeconds, taps)
        (self.primer, self.alert, self.days) = (primer, alert, days)
        self.answers = answers
        for hook in HookName.behavior where hook != .born { hooks.insert(hook) }
    }

    /// Makes one choice at every prompt.
    public convenience init(
        openings: [Int64] = [60], sessionSeconds: Int64 = 120, taps: [Int64] = [],
        always choice: Choice
    ) {
        self.init(openings: openings, sessionSeconds: sessionSeconds, taps: taps) { _ in
            Reply(choice)
        }
    }

    public func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {}

    public func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? {
        openings.isEmpty ? nil : .seconds(openings.removeFirst())
    }

    public func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration {
        tapsLeft = taps
        return .seconds(sessionSeconds)
    }

    public func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap? {
        tapsLeft.isEmpty ? nil : Tap(feature: 0, after: .seconds(tapsLeft.removeFirst()))
    }

    public func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply {
        let asked = copy question
        questions.append(asked)
        return try answers(asked)
    }

    public func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer { primer }

    public func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer {
        acts += alert.1
        return alert.0
    }

    public func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {
        acts += days[dayCount] ?? []
        dayCount += 1
    }
}

/// An app that does what the test says at each event.
public final class StoryStrategy: Strategy {
    public var hooks = HookSet()
    private let react: (AppEvent, AppView) throws(HookError) -> [AppCall]
    /// Every event it was told, in order.
    public private(set) var events: [AppEvent] = []
    public private(set) var forgotten: [UInt32] = []
    /// Whose process has ended, as its timers are dropped.
    public private(set) var ended: [UInt32] = []

    public init(
        without absent: [HookName] = [],
        _ react: @escaping (AppEvent, AppView) throws(HookError) -> [AppCall] = { _, _ in [] }
    ) {
        self.react = react
        for hook in HookName.strategy where !absent.contains(hook) { hooks.insert(hook) }
    }

    public func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {
        events.append(event)
        calls += try react(event, copy app)
    }

    public func forget(indexInBlock: UInt32) { forgotten.append(indexInBlock) }
    public func processEnded(indexInBlock: UInt32) { ended.append(indexInBlock) }
}

/// Runs one device to the end of its scenario.
public func run(
    _ scenario: Scenario, _ behavior: StoryBehavior, _ strategy: StoryStrategy,
    until limit: SimTime? = nil
) -> (records: [Record], block: Block) {
    let names = Block.startingNames(of: scenario)
    let block = Block(
        devices: 0..<1, of: scenario, names: names, behaviors: [behavior], strategy: strategy,
        keepsRecords: true)
    block.run(until: limit ?? .start + scenario.duration)
    return (block.takeRecords(), block)
}
