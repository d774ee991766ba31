import AuthorizationCore
import SimPrimitives

/// How late the system tells of what it has detected. Whoever moves a device keeps these delays.
///
/// `share` says where between least and most it comes, in 0 ... 1: a draw, or the middle where
/// nothing is random.
extension AuthorizationContext {
    /// RG7 (documented): from a crossing, or the change of a monitor's condition, to its event.
    public func regionLatency(_ share: Double) -> SimDuration {
        between(rules.regionLatencyMinSeconds, rules.regionLatencyMaxSeconds, share)
    }

    /// SV5: from an arrival or a departure to its event. Apple says minutes; the figures are
    /// *chosen*.
    public func visitDelay(_ share: Double) -> SimDuration {
        between(rules.visitDelayMinSeconds, rules.visitDelayMaxSeconds, share)
    }

    private func between(_ least: Double, _ most: Double, _ share: Double) -> SimDuration {
        SimDuration(seconds: least + (most - least) * share) ?? .zero
    }
}
