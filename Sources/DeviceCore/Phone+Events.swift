import AuthorizationCore
import SimPrimitives

/// Events that reach the app whether it runs or not: significant changes, visits, regions and
/// conditions (F3, F4, F5, F7).
extension Phone {
    /// What becomes of an event that needs Always, or use.
    enum Gate {
        case shut, open
        /// V3: a provisional Always out of use.
        case holding
    }

    func gate(_ timers: TimerRow, in context: borrowing AuthorizationContext) -> Gate {
        guard authorization.visibleStatus.isAuthorized, !flags.contains(.isLocked) else {
            return .shut  // S13, G6, B15
        }
        switch authorization.decision {
        case .notDetermined, .restricted, .denied: return .shut
        case .whenInUse, .allowOnce:
            return context.ios >= .v13 && isInUse(timers, in: context) ? .open : .shut
        case .provisionalAlways: return isInUse(timers, in: context) ? .open : .holding  // V2, V12
        case .always:
            let isLeftAlone = process == .notRunning && flags.contains(.wasForceQuit)
            return isLeftAlone && context.ios >= .v26 ? .shut : .open  // Q1, Q3, Q4
        }
    }

    /// Something that the app has registered for happened.
    mutating func occur(
        _ delivery: Delivery, of place: PlaceEvent? = nil, at time: SimTime,
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        switch gate(timers, in: context) {
        case .shut: return
        case .holding:
            heldDelivery = delivery  // V7: the newest displaces.
            heldSince = time
            if place != nil || extras?.value.held != nil { rare.held = place }
            decide(.provisionalEventHeld, &effects, in: context)
            if authorization.prompt?.kind != .alwaysConfirm { effects.append(.confirmDue) }
        case .open:
            let wasRunning = process != .notRunning
            runInBackground(at: time, &timers, &effects, in: context)
            // SV3: without a new start there is no event object. Visits need none.
            let isUnheard =
                delivery == .significantChange && !wasRunning
                && flags.contains(.leavesServicesStopped)
            if place != nil { rare.delivered = place }
            if !isUnheard { effects.append(.delivered(delivery)) }
            if process != .foreground, authorization.decision == .always {
                effects.append(.usedInBackground)  // R1
            }
        }
    }

    // MARK: - Regions

    mutating func start(
        _ region: Region, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard isExecuting else { return }
        decide(.usedLocation, &effects, in: context)
        let status = authorization.visibleStatus
        guard status == .authorizedAlways || status == .authorizedWhenInUse && context.ios >= .v13
        else { return effects.append(.failed(.regionMonitoringDenied, .rg9)) }
        guard region.radiusMeters <= PhoneExtras.regionRadiusMaxMeters else {
            return effects.append(.failed(.regionMonitoringFailure, .rg3))
        }
        var regions = rare.regions
        if let index = regions.firstIndex(where: { $0.id == region.id }) {
            regions[index] = region  // RG2
        } else if regions.count < PhoneExtras.regionsMax {
            regions.append(region)
        } else {
            return effects.append(.failed(.regionMonitoringFailure, .rg1))
        }
        rare.regions = regions
    }

    mutating func stop(region id: PlaceID) {
        guard isExecuting, extras != nil else { return }
        rare.regions.removeAll { $0.id == id }
    }

    mutating func crossed(
        _ id: PlaceID, _ change: PlaceChange, at time: SimTime, _ timers: inout TimerRow,
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard let region = extras?.value.regions.first(where: { $0.id == id }),
            takesPlaces(on: context.ios)
        else { return }
        let isWanted = change == .entered ? region.notifiesOnEntry : region.notifiesOnExit
        guard isWanted else { return }  // RG12
        occur(
            .region, of: PlaceEvent(id: id, change: change), at: time, &timers, &effects,
            in: context)
    }

    /// AC7, AC13, RG10, M7: regions need the Precise switch; a temporary grant does not do.
    private func takesPlaces(on ios: IOSVersion) -> Bool {
        ios < .v14 || authorization.isPreciseOn
    }

    // MARK: - Conditions of a CLMonitor

    mutating func start(
        condition id: PlaceID, at time: SimTime, _ timers: inout TimerRow,
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard isExecuting, context.ios >= .v17 else { return }
        decide(.usedLocation, &effects, in: context)
        var conditions = rare.conditions
        guard !conditions.contains(where: { $0.id == id }) else { return }
        guard conditions.count < PhoneExtras.conditionsMax else {
            if context.ios >= .v18 {  // M4
                occur(
                    .monitor, of: PlaceEvent(id: id, change: .unmonitored), at: time, &timers,
                    &effects, in: context)
            }
            return
        }
        conditions.append(PhoneExtras.Condition(id: id, isSatisfied: false))
        rare.conditions = conditions
    }

    mutating func stop(condition id: PlaceID) {
        guard isExecuting, extras != nil else { return }
        rare.conditions.removeAll { $0.id == id }
    }

    mutating func conditionChanged(
        _ id: PlaceID, _ change: PlaceChange, at time: SimTime, _ timers: inout TimerRow,
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard let index = extras?.value.conditions.firstIndex(where: { $0.id == id }),
            takesPlaces(on: context.ios)
        else { return }
        let isSatisfied = change == .entered
        guard rare.conditions[index].isSatisfied != isSatisfied else { return }  // M3
        rare.conditions[index].isSatisfied = isSatisfied
        occur(
            .monitor, of: PlaceEvent(id: id, change: change), at: time, &timers, &effects,
            in: context)
    }
}
