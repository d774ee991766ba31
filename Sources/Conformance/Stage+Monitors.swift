import AuthorizationCore
import DeviceCore
import SimPrimitives

/// The test app's monitor and its service sessions, and what they report: rules M, N and L3.
extension Stage {
    // MARK: - Monitors

    /// `start` with `monitor`: conditions assumed unsatisfied, whose first start in a process opens
    /// the monitor.
    mutating func startMonitor(_ act: ConformanceCase.Act) {
        guard phone.process != .notRunning else { return }
        usesMonitor = true
        for name in Self.names(act) {
            apply(.addedCondition(region(name)))
            watchCondition(name, radiusMeters: act.numbers["radius_m"] ?? 200)
        }
    }

    mutating func stopMonitor(_ act: ConformanceCase.Act) {
        for name in Self.names(act) {
            apply(.removedCondition(region(name)))
            conditionPlaces[name] = nil
        }
    }

    mutating func openMonitor() {
        guard phone.process != .notRunning else { return }
        usesMonitor = true
        apply(.openedMonitor)
    }

    /// The system has found the device on that side.
    mutating func detectCondition(_ act: ConformanceCase.Act) {
        let name = act.texts["id"] ?? "monitor"
        let isSatisfied = act.texts["kind"] != "unsatisfied"
        conditionPlaces[name]?.isInside = isSatisfied
        conditionPlaces[name]?.changeAt = .never
        report(.conditionChanged(region(name), isSatisfied: isSatisfied), after: regionLatency)
    }

    /// The regions or conditions that a step is about.
    static func names(_ act: ConformanceCase.Act) -> [String] {
        let name = act.texts["id"] ?? ""
        guard let count = act.numbers["count"] else { return [name] }
        return (1...max(Int(count), 1)).map { "\(name)\($0)" }
    }

    /// M3: the device may be inside already, against the assumed state.
    private mutating func watchCondition(_ name: String, radiusMeters: Double) {
        let edge = places[name]?.edgeMeters ?? .infinity
        conditionPlaces[name] = ConditionPlace(
            radiusMeters: radiusMeters, isInside: false,
            changeAt: edge <= 0 ? now + regionDwell : .never)
    }

    /// What the system takes the device to be on against one condition.
    struct ConditionPlace {
        var radiusMeters: Double
        var isInside: Bool
        /// When the other side has been kept for long enough.
        var changeAt = SimTime.never
    }

    /// As for regions (RG6).
    mutating func moveAgainstCondition(_ name: String, edgeMeters: Double) {
        guard var place = conditionPlaces[name] else { return }
        if !isAcross(edgeMeters, from: place.isInside, radiusMeters: place.radiusMeters) {
            place.changeAt = .never
        } else if place.changeAt == .never {
            place.changeAt = now + regionDwell
        }
        conditionPlaces[name] = place
    }

    /// The condition that changes next, and when.
    var earliestChange: (name: String, at: SimTime)? {
        conditionPlaces.map { (name: $0.key, at: $0.value.changeAt) }
            .min { ($0.at, $0.name) < ($1.at, $1.name) }
    }

    mutating func changeCondition(_ name: String) {
        guard var place = conditionPlaces[name] else { return }
        (place.isInside, place.changeAt) = (!place.isInside, .never)
        conditionPlaces[name] = place
        report(.conditionChanged(region(name), isSatisfied: place.isInside), after: regionLatency)
    }

    // MARK: - Service sessions

    mutating func setServiceSession(_ act: ConformanceCase.Act, isOn: Bool) {
        let level = act.texts["level"] == "always" ? Access.always : .whenInUse
        heldSessions.removeAll { $0.level == level }
        guard isOn else { return apply(.endedServiceSession(level)) }
        guard phone.process != .notRunning else { return }
        let session = HeldSession(level: level, purpose: act.texts["purpose"])
        heldSessions.append(session)
        hold(session)
    }

    /// A service session in the memory of the test app.
    struct HeldSession {
        var level: Access
        var purpose: String?
    }

    /// Before anything else of a new process: the widest first, so that it is asked for (N7).
    mutating func holdSessionsAgain() {
        for level in [Access.always, .whenInUse] {
            for session in heldSessions where session.level == level { hold(session) }
        }
    }

    private mutating func hold(_ session: HeldSession) {
        let purpose: SessionPurpose? = session.purpose.map {
            purposeKeys.contains($0) ? .known : .unknown
        }
        apply(.heldServiceSession(session.level, purpose ?? .none))
    }

    // MARK: - Diagnostics

    /// The flags that hold now, of the consumers that `expected` names; nil: all that are listed
    /// hold, and none where none is.
    func diagnosticsMismatch(_ expected: Value) -> String? {
        guard case .object(let wanted) = expected else { return "no list of consumers" }
        var seen: [String: Value] = [:]
        var areMet = true
        for (name, value) in wanted {
            guard let consumer = LocationConsumer(rawValue: name), case .list(let list) = value
            else { return "there is no consumer \(name)" }
            let flags = phone.diagnostics(of: consumer, at: now, in: context).names.map {
                Value.text($0)
            }
            seen[name] = .list(flags)
            let isMet = list.isEmpty ? flags.isEmpty : list.allSatisfy(flags.contains)
            areMet = areMet && isMet
        }
        return areMet ? nil : Value.object(seen).description
    }
}
