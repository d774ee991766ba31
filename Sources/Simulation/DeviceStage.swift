import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One device that is driven act by act: for tests of scripts.
///
/// The same engine as a fleet's. Time stands still between acts and passes in `wait` alone.
public struct DeviceStage {
    /// Events that one device may play. More fail the test: a wait would take long.
    public static let eventsMax = 500_000
    /// The simulated time of a test. Instants end after nine thousand years.
    public static let timeMax = SimDuration.days(365_000)

    /// Why an act cannot be done.
    public enum Failure: Error, Equatable {
        /// What is true, and what would be accepted.
        case impossible(String)
        /// A hook failed at it.
        case script(String)
        /// It cannot go on at all.
        case run(RunFailure)
    }

    public private(set) var now = SimTime.start
    /// What has happened so far, oldest first.
    public var records: [Record] { runner.records }
    /// What the app has called so far, and when, oldest first.
    public var calls: [(time: SimTime, call: AppCall)] { witness.calls }
    /// What scripts have counted and measured so far, oldest first.
    public var metrics: [ScriptMetric] { runner.metricsKept ?? [] }
    public let names: NameTable
    /// Requests for one position fail from now on.
    public var failsPositions = false
    var device: Device
    var runner: DeviceRunner
    let scenario: Scenario
    /// Nil where a behavior lives: it answers by itself.
    let person: PatientPerson?
    private let witness: CallWitness
    private var eventsLeft = DeviceStage.eventsMax
    private var recordsSeen = 0

    /// - Parameters:
    ///   - behavior: who lives with the device; nil: nobody does a thing that is not asked for.
    public init(
        _ scenario: Scenario, names: NameTable, behavior: (any Behavior)?, strategy: any Strategy
    ) throws(Failure) {
        (self.scenario, self.names) = (scenario, names)
        witness = CallWitness(strategy)
        person = behavior == nil ? PatientPerson() : nil
        let someone: any Behavior = behavior ?? person ?? PatientPerson()
        device = Device(id: DeviceID(0), persona: 0, ios: 0, group: 0)
        runner = DeviceRunner(
            scenario: scenario, arm: 0, behaviors: [someone], strategy: witness, names: names,
            groupCount: 1, deviceCount: 1, keepsRecords: true)
        runner.metricsKept = []
        let failure = Self.failure { () throws(RunFailure) in
            try runner.begin(&device, index: 0)
        }
        if let failure { throw .run(failure) }
        try settle()
    }

    private static func failure(_ body: () throws(RunFailure) -> Void) -> RunFailure? {
        do throws(RunFailure) { try body() } catch { return error }
        return nil
    }

    /// Plays all that falls due in the next `span`, its end included.
    public mutating func wait(_ span: SimDuration) throws(Failure) {
        let end = now + span
        guard end <= .start + Self.timeMax else {
            throw .impossible(
                "a test lasts at most a thousand years of simulated time (365000 days); wait for "
                    + "less")
        }
        let limit = end + SimDuration(microseconds: 1)
        while let (time, slot) = device.timers.popNext(before: limit) {
            guard eventsLeft > 0 else {
                throw .impossible(
                    "a device plays at most \(Self.eventsMax) events in a test; wait for less")
            }
            eventsLeft -= 1
            now = time
            try step { (runner, device, time) throws(RunFailure) in
                try runner.fire(slot, of: &device, at: time)
            }
        }
        now = end
    }

    /// Does something at this instant, and what follows from it: an app that executes again has at
    /// once the timers that fell due meanwhile.
    mutating func play(
        _ act: (inout DeviceRunner, inout Device, SimTime) throws(RunFailure) -> Void
    ) throws(Failure) {
        try step(act)
        while device.timers[.appTimer] <= now {
            device.timers[.appTimer] = .never
            try step { (runner, device, time) throws(RunFailure) in
                try runner.fire(.appTimer, of: &device, at: time)
            }
        }
    }

    /// One event, as `DeviceRunner.run` plays it.
    private mutating func step(
        _ act: (inout DeviceRunner, inout Device, SimTime) throws(RunFailure) -> Void
    ) throws(Failure) {
        let failure = Self.failure { () throws(RunFailure) in
            runner.takeInHand(0, device)
            try act(&runner, &device, now)
            try runner.carryOut(of: &device, at: now)
            runner.planFix(of: &device, at: now)
            if runner.timers.areUsed { runner.planAppTimer(of: &device, at: now) }
        }
        if let failure { throw .run(failure) }
        try settle()
    }

    /// Takes back what the engine has planned for a person who waits to be told, and tells of a
    /// hook that has failed.
    private mutating func settle() throws(Failure) {
        if person != nil {
            device.timers[.answer] = .never
            device.timers[.ownScreenAnswer] = .never
        }
        if failsPositions, device.timers[.oneShot] != .never { device.willPositionFail = true }
        defer { recordsSeen = runner.records.count }
        for record in runner.records[recordsSeen...] {
            guard case .scriptFailure(let place) = record.content else { continue }
            let first = runner.tallies[0].metrics.firstScriptFailure
            runner.tallies[0].metrics.scriptFailureKinds = [:]
            throw .script(
                (first?.message ?? "a hook failed once more") + " (hook \(place.hook.rawValue))")
        }
    }
}

// MARK: - What there is to see

extension DeviceStage {
    public var ios: IOSVersion { runner.contexts[Int(device.ios)].ios }
    public var status: VisibleStatus { device.phone.authorization.visibleStatus }
    public var trueStatus: TrueStatus { device.phone.authorization.trueStatus }
    /// As the app reads it; nil before iOS 14.
    public var accuracy: Accuracy? {
        let context = runner.contexts[Int(device.ios)].value
        return context.ios < .v14 ? nil : device.phone.authorization.accuracy(in: context)
    }
    public var process: ProcessState { device.phone.process }
    public var isInstalled: Bool { device.isInstalled }
    public var sessions: UInt32 { device.sessions }
    public var day: Int64 { scenario.zone.day(at: now) }

    /// The prompt on screen, and the text of the Info.plist that it shows; empty where none.
    public var prompt: (shown: PromptShown, choices: [Choice], text: String)? {
        guard let kind = device.phone.authorization.prompt?.kind else { return nil }
        for record in records.reversed() {
            guard case .prompt(let shown) = record.content, shown.kind == kind else { continue }
            let texts = scenario.app.usageTexts
            let place = kind.usageText.rawValue
            return (shown, kind.choices(on: ios), place < texts.count ? texts[place] : "")
        }
        return nil
    }

    /// What screen of the app's own is up: the id of a primer, or nil for its alert.
    public var ownScreen: (isUp: Bool, primer: String?) {
        switch device.ownScreen {
        case .none: (false, nil)
        case .primer(let id): (true, names[id])
        case .settingsAlert: (true, nil)
        }
    }
}

/// Passes on what an app is told, and keeps what it calls.
private final class CallWitness: Strategy {
    private let strategy: any Strategy
    private(set) var calls: [(time: SimTime, call: AppCall)] = []

    init(_ strategy: any Strategy) { self.strategy = strategy }

    var hooks: HookSet { strategy.hooks }

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {
        let count = calls.count
        let time = app.time
        defer { self.calls += calls[count...].map { (time, $0) } }
        try strategy.handle(event, app, random: &random, calls: &calls)
    }

    func processEnded(indexInBlock: UInt32) { strategy.processEnded(indexInBlock: indexInBlock) }
    func forget(indexInBlock: UInt32) { strategy.forget(indexInBlock: indexInBlock) }
}

/// A person who stays where they are and answers what they are told to.
final class PatientPerson: IdleBehavior {
    var primerAnswer = PrimerAnswer.notNow
    var alertAnswer = SettingsAlertAnswer.cancel
    let hooks: HookSet = {
        var hooks = HookSet()
        for hook in [
            HookName.nextOpen, .sessionLength, .answerPrimer, .answerSettingsAlert,
        ] { hooks.insert(hook) }
        return hooks
    }()

    func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer { primerAnswer }

    func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer { alertAnswer }
}
