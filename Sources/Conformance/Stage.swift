import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One phone, the test app on it, and what both have shown: the state of a running case.
struct Stage {
    typealias Value = ConformanceCase.Value

    var phone = Phone()
    var timers = TimerRow()
    var now = SimTime.start
    var context: AuthorizationContext
    /// The version of the starting point; `upgrade_os` changes that of `context`.
    let firstIOS: IOSVersion
    var purposeKeys: [String]
    /// False in conformance mode: the system tells at once of what it detects, monitors again at
    /// the first unlock, and pauses updates at no other time than `at_rest`.
    let keepsDelays: Bool

    // The test app. Its memory outlives the process, and a reinstall erases it.
    var delegate = Delegate.both
    var restartsServices = true
    var appServices: ServiceSet = []
    /// What the app has started in the process that runs: events of the rest find no delegate.
    var startedHere: ServiceSet = []
    var holdsBackgroundSession = false
    var heldSessions: [HeldSession] = []
    var usesMonitor = false
    var showsIndicator = false
    /// Regions have numbers in the core; these are their names, and the numbers of the names.
    var regionNames: [String] = []
    var regionNumbers: [String: Int] = [:]
    /// The beacon constraints that the process ranges, and whether it wants reduced updates (AC6).
    var ranged: [String] = []
    var wantsReduced = false
    /// The further managers of the process that runs, and which manager raised the prompt.
    var managers: [Manager] = []
    var asker = "main"

    // The device.
    /// Where it is, by the name of a region that a `position` step has named.
    var places: [String: RegionPlace] = [:] { didSet { nextCrossing = earliestCrossing } }
    var conditionPlaces: [String: ConditionPlace] = [:] {
        didSet { nextChange = earliestChange }
    }
    /// What crosses next, and the condition that changes next. A drive asks each second.
    var nextCrossing: (name: String, at: SimTime)?
    var nextChange: (name: String, at: SimTime)?
    var hasCachedPosition = false
    var showsMaps = true
    var isCrashed = false
    var oneShotDeadline = SimTime.never
    /// Events that the system tells of late, the earliest first.
    var reports: [Report] = []
    /// When the device last moved, and when the system last paused what it may since then.
    var stillSince = SimTime.start
    var restedAt: SimTime?
    /// Runs for an App Clip alone.
    var clipClock = AppClipClock()
    /// When Always was first used in the background since the last reminder, and whether one has
    /// been shown.
    var backgroundUse: SimTime?
    var remindersShown = 0
    /// From `reboot` to `unlock`.
    var isLocked = false
    /// A wake-up that `background` ends.
    var isWoken = false
    /// The last position of a drive under reduced accuracy (AC3), and the last significant change
    /// and the metres driven since (SV1); nil: the next one opens.
    var reducedPositionAt: SimTime?
    var significantChangeAt: SimTime?
    var metersSinceChange = 0.0

    // Logs: what `expect` reads and consumes.
    var initialCallback: Callback?
    var lastCallback: Callback?
    var callbacks: [Callback] = []
    var delivered: [Value] = []
    var errors: [Value] = []
    var completion: Value?
    var wasLaunchedBySystem: Bool?
    var horizontalAccuracyMeters: Double?
    /// What followed from the last step that was no `expect`, each with its rule.
    var story: [String] = []
    /// The service that an error of the step in hand is about.
    var culprit: [String: Value] = [:]

    enum Delegate { case both, legacy, newOnly }

    struct Callback: Hashable {
        var status: VisibleStatus
        var accuracy: Accuracy
    }

    init(
        _ test: ConformanceCase, _ version: IOSVersion, under rules: SystemRules,
        keepsDelays: Bool
    ) {
        context = AuthorizationContext(
            ios: version, capabilities: test.plist.capabilities, rules: rules)
        context.capabilities.isAppClip = test.isAppClip
        firstIOS = version
        self.keepsDelays = keepsDelays
        if !keepsDelays { context.rules.rebootMonitoringDelaySeconds = 0 }
        purposeKeys = test.plist.temporaryPurposeKeys
    }

    // MARK: - The phone

    /// Lets the phone play `event`, and notes what the app sees of it.
    mutating func apply(_ event: PhoneEvent) {
        let effects = phone.handle(event, at: now, timers: &timers, in: context)
        var startedProcess = false
        for effect in effects {
            tell(effect)
            switch effect {
            case .callback(let isInitial): hear(isInitial: isInitial)
            case .processStarted(let isBySystem):
                (startedProcess, isCrashed) = (true, false)
                wasLaunchedBySystem = isBySystem
                (initialCallback, lastCallback) = (nil, nil)
                (callbacks, managers, ranged) = ([], [], [])
                startedHere = restartsServices ? appServices : []
            case .processEnded(let end, _):
                if end == .crashed { isCrashed = true }
                oneShotDeadline = .never
                (showsIndicator, wantsReduced, isWoken) = (false, false, false)
            case .delivered(let delivery):
                delivered.append(.object(["service": .text(delivery.rawValue)]))
                notePosition()
            case .happened(.significantChange):
                // SV3: a process that has not started them again is given no event object.
                guard startedHere.contains(.significantChange) else { break }
                delivered.append(text(of: .significantChange))
                notePosition()
            case .happened(let event): delivered.append(text(of: event))
            case .failed(let error, let rule):
                errors.append(
                    .object(["code": .text(error.rawValue)].merging(culprit(of: rule)) { $1 }))
                if error == .locationUnknown { oneShotDeadline = .never }
            case .accuracyCompleted(let error):
                completion = .object(["error": error.map { .text($0.rawValue) } ?? .null])
            case .usedInBackground: backgroundUse = backgroundUse ?? now
            case .promptShown(let prompt, let rule):
                asker = Self.sessionRules.contains(rule) ? "" : "main"  // J1
                if prompt.kind == .backgroundReminder { remindersShown += 1 }
            case .promptClosed(let kind, _):
                if kind == .temporaryFullAccuracy { completion = .object(["error": .null]) }
            case .status, .requestIgnored, .processSuspended, .confirmDue, .updatesPaused,
                .updatesResumed:
                break
            }
        }
        if context.capabilities.isAppClip {
            clipClock.note(phone, at: now, zone: Self.zone, in: context)
        }
        if startedProcess { restart() }
        if case .awaitedMonitorEvents = event, effects.isEmpty { return }
        if phone.hasMonitorEvents { apply(.awaitedMonitorEvents) }
    }

    /// Why a prompt belongs to a session, which no location manager has made.
    private static let sessionRules: [RuleID] = [.n1, .n2, .n5, .n6]

    /// The callbacks of the main manager: which method the app has decides what it hears (C6, C8).
    private mutating func hear(isInitial: Bool) {
        let callback = Callback(
            status: phone.authorization.visibleStatus,
            accuracy: phone.authorization.accuracy(in: context))
        if delegate == .newOnly, context.ios < .v14 { return }
        for index in managers.indices where managers[index].hears {
            managers[index].hear(callback, statusOnly: hearsStatusOnly)  // C7
        }
        if isInitial {
            (initialCallback, lastCallback) = (callback, callback)
            return
        }
        let isRepeat =
            hearsStatusOnly ? callback.status == lastCallback?.status : callback == lastCallback
        lastCallback = callback
        if !isRepeat { callbacks.append(callback) }
    }

    var hearsStatusOnly: Bool { delegate == .legacy || context.ios < .v14 }

    /// What an error by `rule` is about. Some come later than the call that they are about.
    private func culprit(of rule: RuleID) -> [String: Value] {
        switch rule {
        case .b9: ["service": .text("request_location")]
        case .b10, .b12: ["service": .text("updates")]
        default: culprit
        }
    }

    /// What the test app does at every process start.
    private mutating func restart() {
        guard restartsServices else { return }
        holdSessionsAgain()
        for (name, service) in Self.serviceSets where appServices.contains(service) {
            culprit = ["service": .text(name)]
            apply(.started(service))
        }
        if holdsBackgroundSession { apply(.heldBackgroundSession(true)) }
        if usesMonitor { apply(.openedMonitor) }
    }

    mutating func notePosition() {
        let isReduced = phone.authorization.isReduced(on: context.ios)
        horizontalAccuracyMeters =
            isReduced || wantsReduced ? context.rules.reducedAccuracyMeters : 10  // AC2, AC6
    }

    private func text(of event: LocationEvent) -> Value {
        switch event {
        case .significantChange: .object(["service": .text("significant_change")])
        case .heading: .object(["service": .text("heading")])
        case .beacons: .object(["service": .text("ranging")].merging(culprit) { $1 })
        case .visit(let isArrival):
            .object([
                "service": .text("visits"), "kind": .text(isArrival ? "arrival" : "departure"),
            ])
        case .region(let id, let isEntry):
            .object([
                "service": .text("region"), "id": .text(regionNames[Int(id.number)]),
                "kind": .text(isEntry ? "enter" : "exit"),
            ])
        case .condition(let id, let state):
            .object([
                "service": .text("monitor"), "id": .text(regionNames[Int(id.number)]),
                "kind": .text(state.rawValue),
            ])
        }
    }

    mutating func region(_ name: String) -> RegionID {
        if let known = regionNumbers[name] { return RegionID(UInt16(known)) }
        regionNumbers[name] = regionNames.count
        regionNames.append(name)
        return RegionID(UInt16(regionNames.count - 1))
    }
}
