import AuthorizationCore
import DeviceCore
import SimPrimitives

/// Where the device is against the boundaries of regions, and when that counts as a crossing (RG6).
extension Stage {
    struct RegionPlace {
        /// From the boundary; negative inside. A device that no step has moved is far outside.
        var edgeMeters = Double.infinity
        /// The side that the system takes the device to be on; nil: it does not watch.
        var isInside: Bool?
        /// When the other side has been kept for long enough.
        var crossingAt = SimTime.never
    }

    /// RG5: the state at registration is no event.
    mutating func watch(_ name: String) {
        guard registered(name) != nil else { return }
        var place = places[name] ?? RegionPlace()
        (place.isInside, place.crossingAt) = (place.edgeMeters <= 0, .never)
        places[name] = place
    }

    mutating func move(to name: String, edgeMeters: Double) {
        moved()
        var place = places[name] ?? RegionPlace()
        place.edgeMeters = edgeMeters
        moveAgainstCondition(name, edgeMeters: edgeMeters)
        if let isInside = place.isInside, let region = registered(name) {
            let radius = max(region.radiusMeters, context.rules.regionMinRadiusMeters)  // RG4
            if !isAcross(edgeMeters, from: isInside, radiusMeters: radius) {
                place.crossingAt = .never
            } else if place.crossingAt == .never {
                place.crossingAt = now + regionDwell
            }
        }
        places[name] = place
    }

    /// A step says that the system has found the device on that side.
    mutating func place(_ name: String, isInside: Bool) {
        var place = places[name] ?? RegionPlace()
        if (place.edgeMeters <= 0) != isInside {
            place.edgeMeters = isInside ? -.infinity : .infinity
        }
        place.crossingAt = .never
        if place.isInside != nil { place.isInside = isInside }
        places[name] = place
    }

    /// Whether the device is far enough beyond a boundary (RG6). *Chosen*: a small region is
    /// entered half way to its middle.
    func isAcross(_ edgeMeters: Double, from isInside: Bool, radiusMeters: Double) -> Bool {
        let cushion = context.rules.regionCushionMeters
        return isInside ? edgeMeters >= cushion : edgeMeters <= -min(cushion, radiusMeters / 2)
    }

    /// For how long the device must stay there (RG6).
    var regionDwell: SimDuration {
        SimDuration(seconds: context.rules.regionDwellSeconds) ?? .zero
    }

    /// The region whose crossing counts next, and when.
    var earliestCrossing: (name: String, at: SimTime)? {
        places.map { (name: $0.key, at: $0.value.crossingAt) }
            .min { ($0.at, $0.name) < ($1.at, $1.name) }
    }

    mutating func cross(_ name: String) {
        guard var place = places[name] else { return }
        guard let isInside = place.isInside else {
            places[name]?.crossingAt = .never
            return
        }
        (place.isInside, place.crossingAt) = (!isInside, .never)
        places[name] = place
        report(.crossed(region(name), isEntry: !isInside), after: regionLatency)
    }

    /// RG5: an answer, not an event.
    mutating func requestState(of name: String) {
        guard phone.process == .foreground || phone.process == .background,
            phone.authorization.visibleStatus.isAuthorized, registered(name) != nil
        else { return }
        let isInside = places[name].map { $0.edgeMeters <= 0 } ?? false
        delivered.append(
            .object([
                "service": .text("region"), "id": .text(name),
                "kind": .text(isInside ? "state_inside" : "state_outside"),
            ]))
    }

    private func registered(_ name: String) -> MonitoredRegion? {
        guard let number = regionNumbers[name] else { return nil }
        return phone.regions.first { Int($0.id.number) == number }
    }
}
