import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What falls due while time passes.
extension Stage {
    /// An event that the system has detected and tells of later (RG7, SV5).
    struct Report {
        var at: SimTime
        var event: PhoneEvent
    }

    /// At one instant they come in this order.
    private enum Due: CaseIterable {
        case oneShot, timer, clip, crossing, change, report, startError, rest
    }

    /// Plays the next stretch of time.
    mutating func pass(_ span: SimDuration) {
        let end = now + span
        while true {
            var (due, instant) = (Due.oneShot, SimTime.never)
            for each in Due.allCases where self.instant(of: each) < instant {
                (due, instant) = (each, self.instant(of: each))
            }
            guard instant <= end else { break }
            now = max(now, instant)
            play(due)
        }
        now = end
    }

    private func instant(of due: Due) -> SimTime {
        switch due {
        case .oneShot: oneShotDeadline
        case .timer: timers.earliest
        case .clip: clipClock.earliest
        case .crossing: nextCrossing?.at ?? .never
        case .change: nextChange?.at ?? .never
        case .report: reports.first?.at ?? .never
        case .startError: phone.startErrorAt
        case .rest: restAt
        }
    }

    private mutating func play(_ due: Due) {
        switch due {
        case .oneShot:
            oneShotDeadline = .never
            apply(.oneShotFailed)
        case .timer:
            guard let (time, slot) = timers.popNext(before: .never) else { break }
            now = time
            apply(slot == .useEnd ? .useEndFellDue : .suspensionFellDue)
        case .clip: playClipClock()
        case .crossing: if let name = nextCrossing?.name { cross(name) }
        case .change: if let name = nextChange?.name { changeCondition(name) }
        case .report: apply(reports.removeFirst().event)
        case .startError: apply(.startTimedOut)
        case .rest:
            restedAt = now
            apply(.rested)
        }
    }

    // MARK: - Delays

    /// Tells the phone of what the system has detected: at once, or after `delay`.
    mutating func report(_ event: PhoneEvent, after delay: SimDuration) {
        guard keepsDelays, delay > .zero else { return apply(event) }
        let report = Report(at: now + delay, event: event)
        let place = reports.firstIndex { report.at < $0.at } ?? reports.endIndex
        reports.insert(report, at: place)
    }

    /// Nothing is random here: the middle of the span.
    var regionLatency: SimDuration { context.regionLatency(0.5) }
    var visitDelay: SimDuration { context.visitDelay(0.5) }

    /// B13: so long after the last movement, and again while the device lies still.
    private var restAt: SimTime {
        guard keepsDelays else { return .never }
        let wait = SimDuration(seconds: context.rules.pauseAfterRestSeconds) ?? .max
        return max(stillSince, restedAt ?? stillSince) + wait
    }

    // MARK: - Movement

    /// Ten metres a second: a fix each second, or one each quarter of an hour under reduced
    /// accuracy (AC3), however many drives that takes.
    mutating func drive(_ span: SimDuration) {
        apply(.moved)
        let isReduced = phone.authorization.isReduced(on: context.ios)
        let interval = isReduced || wantsReduced ? context.rules.reducedIntervalSeconds : 0
        for _ in 0..<max(span.microseconds / 1_000_000, 0) {
            if isOver(interval, since: reducedPositionAt) {
                reducedPositionAt = now
                fix()
            }
            if isSignificant { moveSignificantly() }
            moved()
            pass(.seconds(1))
            metersSinceChange += 10
        }
        moved()
    }

    /// The device does not lie still.
    mutating func moved() { (stillSince, restedAt) = (now, nil) }

    /// SV1: far enough from the last one, and late enough after it. SV2: the first one opens.
    private var isSignificant: Bool {
        isOver(context.rules.significantChangeIntervalSeconds, since: significantChangeAt)
            && (significantChangeAt == nil
                || metersSinceChange >= context.rules.significantChangeDistanceMeters)
    }

    private func isOver(_ seconds: Double, since time: SimTime?) -> Bool {
        time.map { (now - $0).seconds >= seconds } ?? true
    }

    /// The device has changed its place significantly.
    mutating func moveSignificantly() {
        if phone.services.contains(.significantChange) {
            (significantChangeAt, metersSinceChange) = (now, 0)
        }
        apply(.movedSignificantly)
    }
}
