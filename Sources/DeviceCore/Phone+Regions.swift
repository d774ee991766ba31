import AuthorizationCore
import SimPrimitives

/// Regions and beacons: section 10.2 of the specification.
extension Phone {
    /// RG1: regions of one app.
    public static let regionCountMax = 20

    /// RG1 to RG3, RG9. A failed registration leaves those that are there.
    mutating func startMonitoring(
        _ region: MonitoredRegion, _ play: inout Play, _ context: AuthorizationContext
    ) {
        if !authorization.isRowPresent { reduce(.usedLocation, &play, context) }
        let status = authorization.visibleStatus
        let isGranted =
            status == .authorizedAlways || status == .authorizedWhenInUse && context.ios >= .v13
        guard isGranted else {
            play.effects.append(.failed(.regionMonitoringDenied, .rg9))
            return
        }
        guard region.radiusMeters <= context.rules.regionMaxRadiusMeters else {
            play.effects.append(.failed(.regionMonitoringFailure, .rg3))
            return
        }
        if let place = regions.firstIndex(where: { $0.id == region.id }) {
            regions[place] = region  // RG2
        } else if regions.count < Self.regionCountMax {
            regions.append(region)
        } else {
            play.effects.append(.failed(.regionMonitoringFailure, .rg1))
        }
    }

    mutating func stopMonitoring(_ id: RegionID) {
        if !extras.isEmpty { extras[0].regions.removeAll { $0.id == id } }
    }

    /// RG10, RG12, AC7: silent under reduced accuracy, and where the app did not ask for that kind.
    mutating func cross(
        _ id: RegionID, isEntry: Bool, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard let region = regions.first(where: { $0.id == id }),
            isEntry ? region.notifiesOnEntry : region.notifiesOnExit
        else { return }
        guard canMonitorPlaces(context), isMonitoring(at: play.time) else { return }
        route(.region(id, isEntry: isEntry), &play, &timers, context)
    }

    /// F6, AC7: beacons are ranged with full accuracy alone.
    func range(_ play: inout Play, _ context: AuthorizationContext) {
        guard services.contains(.ranging), canHearWhileExecuting(context),
            !authorization.isReduced(on: context.ios)
        else { return }
        play.effects.append(.happened(.beacons))
    }
}
