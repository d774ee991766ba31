import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What the app's process holds of CoreLocation beside one manager: further managers, service
/// sessions, a background activity session, a monitor, live updates.
///
/// Rules C1, C7 and J1 for several managers; K, L, M and N for the rest.
extension DeviceRunner {
    // MARK: - What the script sees

    /// So it is with most apps, always: nothing to look up for them.
    @inline(__always)
    func holdsNothing(_ device: borrowing Device) -> Bool {
        locationObjects.isEmpty && !device.phone.hasExtras
            && !device.phone.services.contains(.liveUpdates)
    }

    func objectsView(of device: borrowing Device, at time: SimTime) -> LocationObjectsView {
        var view = LocationObjectsView()
        if let objects = locationObjects[indexInBlock] {
            (view.managers, view.monitor) = (objects.managers, objects.monitor)
        }
        if device.phone.services.contains(.liveUpdates) { view.held.insert(.liveUpdates) }
        guard device.phone.hasExtras else { return view }
        if device.phone.holdsBackgroundSession { view.held.insert(.backgroundActivitySession) }
        if device.phone.isMonitorOpen { view.held.insert(.monitor) }
        if device.phone.holdsServiceSession(.whenInUse) { view.held.insert(.whenInUseSession) }
        if device.phone.holdsServiceSession(.always) { view.held.insert(.alwaysSession) }
        if !view.held.isDisjoint(with: [.whenInUseSession, .alwaysSession]) {
            view.sessionDiagnostics = flags(of: .serviceSession, device, at: time)
        }
        return view
    }

    /// The app's own manager where it is the only one.
    private func ownManager(of device: borrowing Device) -> LocationManager {
        var manager = LocationManager()
        manager.allowsBackgroundUpdates = device.phone.allowsBackgroundUpdates
        manager.services = device.phone.services
        manager.isLocationRequested = device.phone.isLocationRequested
        return manager
    }

    private func flags(
        of consumer: LocationConsumer, _ device: borrowing Device, at time: SimTime
    ) -> DiagnosticFlags {
        device.phone.diagnostics(of: consumer, at: time, in: contexts[Int(device.ios)].value)
    }

    mutating func noteManager(slot: UInt8, _ name: NameID, of device: borrowing Device) {
        changeObjects(of: device) { $0.create(Int(slot), name) }
    }

    private mutating func changeObjects(
        of device: borrowing Device, _ change: (inout LocationObjects) -> Void
    ) {
        var objects = locationObjects[indexInBlock] ?? LocationObjects()
        if locationObjects[indexInBlock] == nil { objects.managers[0] = ownManager(of: device) }
        change(&objects)
        locationObjects[indexInBlock] = objects
    }

    mutating func forgetLocationObjects() {
        if !locationObjects.isEmpty { locationObjects[indexInBlock] = nil }
    }

    /// By these a session asks, and not a call of the app's.
    static let sessionRules: [RuleID] = [.n1, .n2, .n5, .n6]

    /// J1: whose prompt it is. That of a session is no manager's.
    mutating func noteAsker(of prompt: Prompt, by rule: RuleID) {
        guard !locationObjects.isEmpty else { return }
        let isSessions = Self.sessionRules.contains(rule) || !prompt.kind.isRaisedByApp
        locationObjects[indexInBlock]?.asker = isSessions ? .max : callingManager
    }

    // MARK: - Who is told

    /// The slots of the managers that have started one of `services`, a bit each.
    func managers(running services: ServiceSet) -> UInt8 {
        guard let objects = locationObjects[indexInBlock] else { return 1 }
        return objects.slots { !$0.services.isDisjoint(with: services) }
    }

    /// Regions are shared by the managers of an app: each delegate hears of them.
    var allManagers: UInt8 { locationObjects[indexInBlock]?.slots { _ in true } ?? 1 }

    /// Those that wait for one position, which is there now or never will be.
    mutating func takeManagersWaiting() -> UInt8 {
        guard let waiting = locationObjects[indexInBlock]?.slots(where: \.isLocationRequested)
        else { return 1 }
        if let count = locationObjects[indexInBlock]?.managers.count {
            for slot in 0..<count {
                locationObjects[indexInBlock]?.managers[slot].isLocationRequested = false
            }
        }
        return waiting
    }

    /// Who hears of an error: who has asked, else who waits for positions.
    mutating func managersFailed(by event: PhoneEvent, _ rule: RuleID) -> UInt8 {
        switch event {
        case .started, .requestedLocation, .startedMonitoring: 1 << callingManager
        default: rule == .b9 ? takeManagersWaiting() : managers(running: .updates)
        }
    }

    mutating func tell(
        _ event: AppEvent, to device: inout Device, at time: SimTime, managers slots: UInt8
    ) throws(RunFailure) {
        guard slots != 1 else { return try tell(event, to: &device, at: time) }
        for slot in 0..<UInt8(LocationObjects.managerCountMax) where slots & 1 << slot != 0 {
            try tell(event, to: &device, at: time, manager: slot)
        }
    }

    /// C1, C2, C7: the other managers hear as the app's own does, each for itself.
    mutating func callBackOthers(_ device: inout Device, at time: SimTime) throws(RunFailure) {
        guard let count = locationObjects[indexInBlock]?.managers.count else { return }
        for slot in 1..<max(1, count)
        where locationObjects[indexInBlock]?.managers[slot].hasHeard == true {
            try callBack(&device, at: time, slot: slot)
        }
    }

    private mutating func callBack(
        _ device: inout Device, at time: SimTime, slot: Int
    ) throws(RunFailure) {
        guard let objects = locationObjects[indexInBlock], objects.isAlive(slot) else { return }
        let status = device.phone.authorization.visibleStatus
        let isKnown = objects.managers[slot].toldStatus == status
        locationObjects[indexInBlock]?.managers[slot].toldStatus = status
        locationObjects[indexInBlock]?.managers[slot].hasHeard = true
        let isModern = contexts[Int(device.ios)].ios >= .v14
        if isModern, strategyHooks.contains(.locationManagerDidChangeAuthorization) {
            try tell(
                .didChangeAuthorization(isLegacy: false), to: &device, at: time,
                manager: UInt8(slot))
        } else if !isKnown {
            try tell(
                .didChangeAuthorization(isLegacy: true), to: &device, at: time,
                manager: UInt8(slot))
        }
    }

    // MARK: - What the phone delivers

    /// A position, as each manager wants it.
    mutating func deliver(
        meters: Double, to device: inout Device, at time: SimTime, managers slots: UInt8
    ) throws(RunFailure) {
        guard strategyHooks.contains(.didUpdateLocations) else { return }
        let isReduced = device.phone.authorization.isReduced(on: contexts[Int(device.ios)].ios)
        for slot in 0..<LocationObjects.managerCountMax where slots & 1 << UInt8(slot) != 0 {
            let wanted =
                locationObjects[indexInBlock]?.managers[slot].desiredAccuracy ?? .best
            let best = isReduced ? nil : wanted.meters
            try tell(
                .didUpdateLocations(
                    horizontalAccuracyMeters: best.map { max(meters, $0) }
                        ?? scenario.rules.reducedAccuracyMeters),
                to: &device, at: time, manager: UInt8(slot))
        }
    }

    /// - Parameter meters: nil for flags without a position.
    mutating func deliverLiveUpdate(
        meters: Double?, to device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        guard strategyHooks.contains(.didReceiveLiveUpdate) else { return }
        let flags = flags(of: .liveUpdates, device, at: time)
        if meters == nil, flags.isEmpty { return }
        let isReduced = device.phone.authorization.isReduced(on: contexts[Int(device.ios)].ios)
        let accuracy = meters.map { isReduced ? scenario.rules.reducedAccuracyMeters : $0 }
        try tell(
            .didReceiveLiveUpdate(horizontalAccuracyMeters: accuracy, flags), to: &device,
            at: time)
    }

    /// N4, N5: what the service sessions say, where that has changed and the app executes.
    mutating func noteDiagnostics(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard strategyHooks.contains(.didReceiveServiceSessionDiagnostic),
            device.phone.holdsServiceSession(.whenInUse)
                || device.phone.holdsServiceSession(.always),
            device.phone.process == .foreground || device.phone.process == .background
        else { return }
        let flags = flags(of: .serviceSession, device, at: time)
        guard flags != locationObjects[indexInBlock]?.toldDiagnostics ?? [] else { return }
        changeObjects(of: device) { $0.toldDiagnostics = flags }
        try tell(.didReceiveServiceSessionDiagnostic, to: &device, at: time)
    }

    mutating func deliver(
        _ event: LocationEvent, to device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        switch event {
        case .significantChange:
            try deliver(
                meters: Self.coarseAccuracyMeters, to: &device, at: time,
                managers: managers(running: .significantChange))
        case .visit(let isArrival):
            try tell(
                .didVisit(isArrival: isArrival), to: &device, at: time,
                managers: managers(running: .visits))
        case .region(let region, let isEntry):
            let id = NameID(region.number)
            try tell(
                isEntry ? .didEnterRegion(id) : .didExitRegion(id), to: &device, at: time,
                managers: allManagers)
            try tell(
                .didDetermineState(isEntry ? .inside : .outside, region: id), to: &device,
                at: time, managers: allManagers)
        case .condition(let condition, let state):
            try tell(
                .didReceiveMonitorEvent(
                    condition: NameID(condition.number), state,
                    flags(of: .monitor, device, at: time)), to: &device, at: time)
        case .heading:
            try tell(
                .didUpdateHeading, to: &device, at: time, managers: managers(running: .heading))
        case .beacons: break  // No script can range them yet.
        }
    }

    /// M5: the app awaits the events that wait for it, turn by turn.
    mutating func awaitMonitorEvents(
        of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        for _ in 0..<Phone.conditionCountMax where device.phone.hasMonitorEvents {
            try apply(.awaitedMonitorEvents, to: &device, at: time)
        }
    }
}

// MARK: - What the app calls

extension DeviceRunner {
    mutating func createManager(
        slot: UInt8, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        try callBack(&device, at: time, slot: Int(slot))
    }

    /// J1: a prompt on screen goes with the manager that raised it. What it ran stops, if no other
    /// manager runs it; visits and significant changes outlast it, as they do the process.
    mutating func releaseManager(
        slot: UInt8, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        guard let objects = locationObjects[indexInBlock], objects.isAlive(Int(slot)) else {
            return
        }
        for service in [ServiceSet.updates, .heading]
        where objects.managers[Int(slot)].services.contains(service) {
            try stop(service, of: &device, at: time, manager: slot)
        }
        locationObjects[indexInBlock]?.managers[Int(slot)] = LocationManager()
        if objects.asker == slot { try apply(.askingManagerReleased, to: &device, at: time) }
    }

    /// Whether the phone is to stop `service`: no other manager runs it.
    private mutating func isLast(running service: ServiceSet, manager: UInt8) -> Bool {
        locationObjects[indexInBlock]?.managers[Int(manager)].services.subtract(service)
        if service.contains(.updates) {
            locationObjects[indexInBlock]?.managers[Int(manager)].isLocationRequested = false
        }
        guard let objects = locationObjects[indexInBlock] else { return true }
        return objects.slots { $0.services.contains(service) } == 0
    }

    mutating func start(
        _ service: ServiceSet, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        if service != .liveUpdates {
            locationObjects[indexInBlock]?.managers[Int(callingManager)].services.formUnion(service)
        }
        try apply(.started(service), to: &device, at: time)
        planStartError(of: &device, at: time)
        if service.contains(.significantChange) { planSignificantChange(of: &device, at: time) }
        if service == .liveUpdates { try deliverLiveUpdate(meters: nil, to: &device, at: time) }
    }

    mutating func stop(
        _ service: ServiceSet, of device: inout Device, at time: SimTime, manager: UInt8
    ) throws(RunFailure) {
        guard service == .liveUpdates || isLast(running: service, manager: manager) else { return }
        try apply(.stopped(service), to: &device, at: time)
        if service.contains(.significantChange) { device.timers.cancel(.significantChange) }
    }

    mutating func noteLocationRequest(of device: borrowing Device) {
        guard device.phone.isLocationRequested else { return }
        locationObjects[indexInBlock]?.managers[Int(callingManager)].isLocationRequested = true
    }

    /// Background updates are allowed while one manager allows them, and pause where every one
    /// does: the phone has one switch for the process.
    mutating func set(
        _ property: AppCall, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let slot = Int(callingManager)
        switch property {
        case .setAllowsBackgroundLocationUpdates(let isOn):
            locationObjects[indexInBlock]?.managers[slot].allowsBackgroundUpdates = isOn
            let isOnAnywhere = locationObjects[indexInBlock]?.slots(
                where: \.allowsBackgroundUpdates)
            try apply(
                .allowedBackgroundUpdates(isOn || isOnAnywhere ?? 0 != 0), to: &device, at: time)
        case .setPausesLocationUpdatesAutomatically(let isOn):
            changeObjects(of: device) { $0.managers[slot].pausesAutomatically = isOn }
            let areOff = locationObjects[indexInBlock]?.slots { !$0.pausesAutomatically } ?? 0
            try apply(.pausedAutomatically(areOff == 0), to: &device, at: time)
        case .setShowsBackgroundLocationIndicator(let isOn):
            changeObjects(of: device) { $0.managers[slot].showsIndicator = isOn }
        case .setDesiredAccuracy(let accuracy):
            changeObjects(of: device) { $0.managers[slot].desiredAccuracy = accuracy }
        default: preconditionFailure("a property of a manager is set")
        }
    }

    /// N1, K1, M1, M3.
    mutating func hold(
        _ call: AppCall, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        switch call {
        case .holdServiceSession(let level, let key):
            let keys = key == nil ? [] : temporaryPurposeKeys(of: device)
            let purpose =
                key.map { keys.contains(names[$0]) ? .known : .unknown } ?? SessionPurpose.none
            try apply(.heldServiceSession(level, purpose), to: &device, at: time)
        case .endServiceSession(let level):
            try apply(.endedServiceSession(level), to: &device, at: time)
        case .holdBackgroundActivitySession(let isOn):
            try apply(.heldBackgroundSession(isOn), to: &device, at: time)
        case .openMonitor(let name):
            changeObjects(of: device) { $0.monitor = name }
            try apply(.openedMonitor, to: &device, at: time)
            try awaitMonitorEvents(of: &device, at: time)
        case .addCondition(let region):
            try apply(.addedCondition(RegionID(region.id.index)), to: &device, at: time)
        case .removeCondition(let id):
            try apply(.removedCondition(RegionID(id.index)), to: &device, at: time)
        default: preconditionFailure("a session or a monitor is held or ended")
        }
    }
}
