import AuthorizationCore
import SimPrimitives

/// Standard updates that an app starts while it is undecided: rule B10 and question D11.
extension Phone {
    /// B10 (documented): silent until a grant. D11: two other answers have been seen.
    mutating func startUndetermined(_ play: inout Play, _ context: AuthorizationContext) {
        switch context.rules.undeterminedStart {
        case .silent: break
        case .denied: play.effects.append(.failed(.denied, .b10))
        case .locationUnknown:
            let wait = SimDuration(seconds: context.rules.undeterminedStartErrorSeconds) ?? .zero
            changeExtras { $0.startErrorAt = play.time + wait }
        }
    }

    /// When such a start ends in `locationUnknown`; `.never` where it does not. A process that does
    /// not execute hears of it when it does again.
    public var startErrorAt: SimTime {
        guard let instant = extras.first?.startErrorAt,
            process == .foreground || process == .background
        else { return .never }
        return instant
    }

    /// E0: once; the updates go on, and wait for a grant.
    mutating func timeOutStart(_ play: inout Play) {
        guard startErrorAt <= play.time else { return }
        dropStartError()
        play.effects.append(.failed(.locationUnknown, .b10))
    }

    /// A decision, a stop, and the end of the process take its reason away.
    mutating func dropStartError() {
        if extras.first?.startErrorAt != nil { extras[0].startErrorAt = nil }
    }
}
