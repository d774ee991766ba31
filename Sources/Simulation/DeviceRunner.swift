import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives

/// Plays one device after the other: the loop that joins the phone, the person and the app.
///
/// It holds no clock: time is the time of the event in hand. A struct, so that the loop pays for
/// exclusive access once a device and not at every event. What happens at each timer is in
/// `DeviceRunner+Events.swift`, what follows from the phone's effects in
/// `DeviceRunner+Effects.swift`, what scripts ask for in `DeviceRunner+Calls.swift`.
struct DeviceRunner {
    /// A tap or an agreed primer explains a prompt for this long. *Assumed*.
    static let recency = SimDuration.seconds(60)
    /// An app that answers its own callbacks for ever is stopped after so many hooks at one
    /// instant: the calls that are left are dropped, and it counts as a script failure.
    static let hooksPerEventMax = 64
    /// The same for people whose answers bring prompts: the buttons that change least are pressed
    /// from then on.
    static let promptsPerEventMax = 16

    /// The shortest that things take, whatever scripts and scenarios say: else a device could be
    /// busy at one instant for ever. A person answers, taps and is located no sooner than after a
    /// tenth of a second, stays and stays away for a second, and reinstalls an app in ten.
    static let reactionMin = SimDuration.milliseconds(100)
    static let sessionMin = SimDuration.seconds(1)
    static let reinstallMin = SimDuration.seconds(10)

    /// Services that positions come for while the process executes.
    static var positioning: ServiceSet { [.updates, .liveUpdates] }

    private let shared: Shared
    /// The index of the arm that this plays.
    let arm: Int
    /// One for each entry of the iOS mix, then one for each version that an intervention brings, as
    /// they come.
    var contexts: [SharedContext]
    /// For each of these, which Info.plist the app has there: nil its first, else one of
    /// `Scenario.updates`.
    var plists: [Int?]
    /// By number in `casts`: one for each persona first.
    var behaviors: [any Behavior]
    var behaviorHooks: [HookSet]
    let rhythms: [Rhythm]
    /// Which of them the device in hand has.
    var behaviorInHand = 0
    /// That of the device in hand.
    var strategy: any Strategy
    var strategyHooks: HookSet
    var strategyInHand = 0
    /// By number in `casts`.
    var strategies: [any Strategy]
    /// What interventions have made of the scenario's scripts and options so far.
    var casts: CastTable
    /// What each device has of these; none where no intervention has changed any.
    var deviceCasts: [DeviceCasts] = []
    let names: NameTable

    var tallies: [Tally]
    let funnels: [FunnelMasks]
    /// Device by device, one for each funnel.
    var progress: [FunnelProgress]
    /// The instant in hand of the device in hand, and its steps so far, one word a funnel.
    var instantInHand = SimTime.never
    var stepsAtInstant: [UInt32]
    /// One for each device of an App Clip, and none for a full app.
    var appClips: [AppClipClock]
    /// How many hazards have come, device by device; none where none can.
    var hazardCounts: [UInt32]
    /// One for each device, and none where nobody moves.
    var whereabouts: [Whereabouts]
    /// Of `Movement.regions`.
    let regionNames: [NameID]
    let movement: MovementPlan
    /// No hook of the device in hand hears of a position.
    var areFixesSilent: Bool
    let hasBackgroundInterval: Bool
    private let fixIntervals: (foreground: SimDuration, background: SimDuration)
    var timers = AppTimers()
    let deviceCount: Int
    /// What happened, device by device, each in order of time; kept only while somebody logs.
    var records: [Record] = []
    var keepsRecords: Bool
    /// Those that are kept where any are; the others are counted.
    var keeping = RecordKeeping()
    /// Of all types, while records are kept.
    var recordCounts = RecordCounts()
    let key: Philox.Key
    /// What scripts have counted and measured, one by one; nil: nobody looks, tallies are enough.
    var metricsKept: [ScriptMetric]?
    /// Hears what scripts say; nil in a fleet.
    let listener: ScriptListener?
    /// Is told what the worker is at; nil: no profile is wanted.
    let witness: (any WorkWitness)?

    /// What processes hold of CoreLocation beside one manager, by the device's number within the
    /// block.
    var locationObjects: LocationObjectsTable
    /// The slot of the manager whose call is carried out.
    var callingManager: UInt8 = 0

    /// Calls of the app's that wait to be carried out, and what the person does to the phone.
    var calls: [AppCall] = []
    /// How many of `calls` have been carried out.
    var callsDone = 0
    var acts: [PhoneAct] = []
    /// Hooks of the strategy at the event in hand.
    var hooksAtEvent = 0
    /// Prompts at the event in hand.
    var promptsAtEvent = 0
    /// The device in hand, as its number within the block.
    var indexInBlock = 0

    /// What no device changes, by reference: the loop copies its own words now and then, and a
    /// scenario has hundreds.
    private final class Shared: Sendable {
        let scenario: Scenario

        init(scenario: Scenario) { self.scenario = scenario }
    }

    var scenario: Scenario { _read { yield shared.scenario } }

    init(
        scenario: Scenario, arm: Int, behaviors: [any Behavior], strategy: any Strategy,
        names: NameTable,
        groupCount: Int, deviceCount: Int, keepsRecords: Bool, listener: ScriptListener? = nil,
        witness: (any WorkWitness)? = nil
    ) {
        (shared, self.arm) = (Shared(scenario: scenario), arm)
        key = Philox.Key(seed: scenario.seed)
        (self.listener, self.witness) = (listener, witness)
        contexts = scenario.iosMix.map { SharedContext(of: $0.value, nil, in: scenario) }
        plists = scenario.iosMix.map { _ in nil }
        self.behaviors = behaviors.enumerated().map { index, behavior in
            Self.witnessed(behavior, script: scenario.personas[index].behavior, witness)
        }
        behaviorHooks = behaviors.map(\.hooks)
        rhythms = scenario.personas.map(\.rhythm)
        self.strategy = Self.witnessed(strategy, script: scenario.app.strategy, witness)
        strategies = [self.strategy]
        strategyHooks = strategy.hooks
        casts = CastTable(scenario)
        self.names = names
        self.deviceCount = deviceCount
        self.keepsRecords = keepsRecords
        tallies = [Tally](
            repeating: Tally(funnels: scenario.funnels, hazardCount: scenario.hazards.count),
            count: groupCount)
        funnels = scenario.funnels.map { FunnelMasks($0, names: names) }
        locationObjects = LocationObjectsTable(deviceCount: deviceCount)
        progress = [FunnelProgress](
            repeating: FunnelProgress(), count: deviceCount * scenario.funnels.count)
        stepsAtInstant = [UInt32](repeating: 0, count: scenario.funnels.count)
        appClips = [AppClipClock](
            repeating: AppClipClock(),
            count: scenario.app.capabilities.isAppClip ? deviceCount : 0)
        // They are among the names that every block begins with, so there is room for them.
        regionNames = (scenario.movement?.regions ?? []).compactMap { names.id(of: $0.id) }
        movement = MovementPlan(
            scenario.movement ?? Movement(origin: Coordinate(latitude: 0, longitude: 0)),
            in: scenario.zone)
        hasBackgroundInterval = scenario.delays.backgroundUpdateInterval != nil
        let interval = max(scenario.delays.updateInterval, Self.reactionMin)
        let apart = scenario.delays.backgroundUpdateInterval ?? interval
        fixIntervals = (interval, max(apart, Self.reactionMin))
        areFixesSilent = !strategy.hooks.contains(.didUpdateLocations)
        hazardCounts = [UInt32](repeating: 0, count: scenario.hazards.isEmpty ? 0 : deviceCount)
        whereabouts = [Whereabouts](
            repeating: Whereabouts(), count: scenario.movement == nil ? 0 : deviceCount)
    }

    /// After so many events of one device the runner asks whether it is halted.
    private static let eventsBetweenLooks = 16

    /// Plays all that happens to `device` before `limit`.
    ///
    /// - Parameter isHalted: asked now and then, between two instants; true: come back later.
    /// - Returns: whether it has come to `limit`.
    mutating func run(
        _ device: inout Device, index: Int, until limit: SimTime, isHalted: () -> Bool
    ) throws(RunFailure) -> Bool {
        takeInHand(index, device)
        var events: UInt64 = 0
        var sinceLook = 0
        var isDone = true
        while let (time, slot) = device.timers.popNext(before: limit) {
            if slot == .fix, device.isFixRoutine {
                note(.movement)
                events += runRoutineFixes(of: &device, from: time, until: limit)
                note(.scheduling)
                continue
            }
            let hadUpdates = !device.phone.services.isDisjoint(with: Self.positioning)
            (hooksAtEvent, promptsAtEvent) = (0, 0)
            note(.core)
            try fire(slot, of: &device, at: time)
            try carryOut(of: &device, at: time)
            note(.scheduling)
            if hadUpdates || !device.phone.services.isDisjoint(with: Self.positioning) {
                planFix(of: &device, at: time)
            }
            if timers.areUsed { planAppTimer(of: &device, at: time) }
            events += 1
            sinceLook += 1
            // What happens at one instant belongs together.
            if sinceLook >= Self.eventsBetweenLooks, device.timers.earliest > time {
                sinceLook = 0
                isDone = !isHalted()
                if !isDone { break }
            }
        }
        tallies[Int(device.group)].metrics.events += events
        return isDone
    }

    /// Between two positions of standard updates, where accuracy is full.
    @inline(__always)
    func fixInterval(of process: ProcessState) -> SimDuration {
        process == .foreground ? fixIntervals.foreground : fixIntervals.background
    }

    /// Goes on to the device of that number within the block.
    mutating func takeInHand(_ index: Int, _ device: borrowing Device) {
        (indexInBlock, instantInHand) = (index, .never)
        (hooksAtEvent, promptsAtEvent) = (0, 0)
        behaviorInHand = Int(device.persona)
        if !deviceCasts.isEmpty { takeCastInHand() }
    }

    /// The rules for `version` and that Info.plist, made when the first device comes to them.
    mutating func contextIndex(of version: IOSVersion, plist: Int?) -> UInt16 {
        let known = contexts.indices.first { contexts[$0].ios == version && plists[$0] == plist }
        if let known { return UInt16(known) }
        contexts.append(SharedContext(of: version, plist, in: scenario))
        plists.append(plist)
        return UInt16(contexts.count - 1)  // Versions times updates: a few thousand at most.
    }

    /// I5: the purpose keys of the Info.plist that the device's app has.
    func temporaryPurposeKeys(of device: borrowing Device) -> [String] {
        plists[Int(device.ios)].map { scenario.updates[$0].temporaryPurposeKeys }
            ?? scenario.app.temporaryPurposeKeys
    }

    // MARK: - Records and figures

    mutating func emit(
        _ content: RecordContent, _ device: inout Device, at time: SimTime,
        note: RecordNote = RecordNote()
    ) {
        let place = enter(.records)
        defer { leave(to: place) }
        device.digest.add(content, at: time, names: names)
        if keepsRecords {
            listener?.speech.place(before: device.recordCount)
            keep(content, device, at: time, note: note)
        }
        device.recordCount &+= 1
    }

    mutating func keep(
        _ content: RecordContent, _ device: borrowing Device, at time: SimTime,
        note: RecordNote = RecordNote()
    ) {
        let type = content.type
        recordCounts.count(type)
        guard keeping.types.contains(type), records.count < keeping.countMax else { return }
        records.append(
            Record(
                time: time, device: device.id, ordinal: device.recordCount, content: content,
                note: note))
    }

    /// A step of the funnels happened.
    ///
    /// - Parameter group: whose tally counts the device in hand.
    mutating func occurred(_ step: PlainStep, group: UInt16, at time: SimTime) {
        for funnel in funnels.indices {
            advance(funnel, funnels[funnel].plain[step.rawValue], group: group, at: time)
        }
    }

    @inline(__always)
    mutating func advance(_ funnel: Int, _ mask: UInt32, group: UInt16, at time: SimTime) {
        guard progress[indexInBlock * funnels.count + funnel].awaits(mask) else { return }
        count(funnel, mask, group: group, at: time)
    }

    @inline(never)
    private mutating func count(_ funnel: Int, _ mask: UInt32, group: UInt16, at time: SimTime) {
        let place = enter(.metrics)
        defer { leave(to: place) }
        if time != instantInHand {
            instantInHand = time
            for index in stepsAtInstant.indices { stepsAtInstant[index] = 0 }
        }
        progress[indexInBlock * funnels.count + funnel].occurred(
            mask, at: time, ahead: &stepsAtInstant[funnel], window: funnels[funnel].window,
            counts: &tallies[Int(group)].metrics.funnels[funnel])
    }

    @inline(__always)
    func stream(
        _ purpose: RandomPurpose, _ occasion: UInt32, _ device: borrowing Device
    ) -> RandomStream {
        stream(purpose, occasion, device.id)
    }

    @inline(__always)
    func stream(
        _ purpose: RandomPurpose, _ occasion: UInt32, _ device: DeviceID
    ) -> RandomStream {
        RandomStream(key: key, device: device, purpose: purpose, occasion: occasion)
    }

    func view(of device: borrowing Device, at time: SimTime) -> PersonView {
        PersonView(
            device: device.id, indexInBlock: UInt32(indexInBlock), persona: UInt16(device.persona),
            ios: contexts[Int(device.ios)].ios, status: device.phone.authorization.visibleStatus,
            time: time)
    }

    // MARK: - Failures

    /// Notes a failure of a script, or ends the run. What stands in is the caller's to say.
    mutating func note(
        _ error: HookError, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        switch error {
        case .run(let failure): throw failure
        case .script(let failure): try note(failure, of: &device, at: time)
        }
    }

    mutating func note(
        _ failure: ScriptFailure, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let key = RecordKey(time: time, device: device.id, ordinal: device.recordCount)
        listener?.speech.note(failure.message, ofRecord: device.recordCount)
        emit(.scriptFailure(failure.place), &device, at: time)
        tallies[Int(device.group)].metrics.count(
            FirstScriptFailure(key: key, place: failure.place, message: failure.message))
    }
}

/// The rules for devices of one version and Info.plist, by reference: they are some hundred bytes,
/// and each event asks them.
final class SharedContext: Sendable {
    let value: AuthorizationContext
    let ios: IOSVersion
    let grace: SimDuration

    fileprivate init(of version: IOSVersion, _ plist: Int?, in scenario: Scenario) {
        (value, ios) = (AuthorizationContext(of: version, plist, in: scenario), version)
        grace = value.grace
    }
}

extension AuthorizationContext {
    fileprivate init(of version: IOSVersion, _ plist: Int?, in scenario: Scenario) {
        var capabilities =
            plist.map { scenario.updates[$0].capabilities } ?? scenario.app.capabilities
        capabilities.isAppClip = scenario.app.capabilities.isAppClip  // It is in no Info.plist.
        self.init(
            ios: version, capabilities: capabilities, rules: scenario.rules,
            suspensionDelay: scenario.delays.suspension)
    }
}
