import AuthorizationCore
import SimPrimitives

extension Phone {
    public mutating func handle(
        _ event: PhoneEvent, at time: SimTime, timers: inout TimerRow,
        in context: borrowing AuthorizationContext
    ) -> PhoneEffects {
        var out = PhoneEffects()
        switch event {
        case .opened:
            timers[.useEnd] = .never
            timers[.suspension] = .never
            let was = process
            process = .foreground
            if was == .notRunning {
                wasLaunchedBySystem = false
                out.append(.processStarted(bySystem: false))
                out.append(.callback(isInitial: true))
            } else if pending {
                out.append(.callback(isInitial: false))
            }
            pending = false
        case .left:
            guard process == .foreground else { break }
            process = .background
            reduce(.promptLostItsApp(.j2), &out, context)
            timers[.useEnd] = time + SimDuration(seconds: context.rules.allowOnceGraceSeconds)!
            timers[.suspension] = time + .seconds(5)
        case .useEndFellDue: reduce(.useEnded, &out, context)
        case .suspensionFellDue:
            process = .suspended
            out.append(.processSuspended)
        case .answered(let choice, let precise):
            reduce(.answered(choice, isPrecise: precise), &out, context)
        case .requested(let access):
            reduce(.requested(access, isInUse: process == .foreground), &out, context,
                request: access == .always ? .requestAlwaysAuthorization : .requestWhenInUseAuthorization)
        case .settingsChanged(let row): reduce(.settingsChanged(row), &out, context)
        case .preciseSwitched(let on): reduce(.preciseSwitched(on), &out, context)
        case .locationServicesSwitched(let on): reduce(.locationServicesSwitched(on), &out, context)
        case .processEnded(let end):
            guard process != .notRunning else { break }
            reduce(.promptLostItsApp(.j3), &out, context)
            process = .notRunning
            services.remove(.updates)
            isLocationRequested = false
            timers[.suspension] = .never
            out.append(.processEnded(end))
        case .movedSignificantly:
            guard services.contains(.significantChange), authorization.decision == .always || process == .foreground && authorization.visibleStatus.isAuthorized else { break }
            if process == .notRunning {
                process = .background
                wasLaunchedBySystem = true
                out.append(.processStarted(bySystem: true))
                out.append(.callback(isInitial: true))
            }
            if process != .foreground {
                process = .background
                timers[.suspension] = time + .seconds(10)
                out.append(.usedInBackground)
            }
            out.append(.delivered(.significantChange))
        case .confirmFellDue: reduce(.confirmFellDue, &out, context)
        case .reminderFellDue: reduce(.reminderFellDue, &out, context)
        case .requestedLocation:
            if authorization.visibleStatus.isAuthorized { isLocationRequested = true }
            else if authorization.visibleStatus == .denied { out.append(.failed(.denied, .b11)) }
        case .oneShotAnswered:
            if isLocationRequested { out.append(.delivered(.requestLocation)) }
            isLocationRequested = false
        case .oneShotFailed:
            if isLocationRequested { out.append(.failed(.locationUnknown, .b9)) }
            isLocationRequested = false
        case .started(let set): services.formUnion(set)
        case .stopped(let set): services.subtract(set)
        case .allowedBackgroundUpdates(let on): allowsBackgroundUpdates = on
        case .fixed: if process == .foreground && authorization.visibleStatus.isAuthorized { out.append(.delivered(.updates)) }
        case .reinstalled:
            reduce(.reinstalled, &out, context)
            services = []
        default: break
        }
        return out
    }

    private mutating func reduce(
        _ event: AuthorizationEvent, _ out: inout PhoneEffects, _ context: borrowing AuthorizationContext,
        request: AppRequest? = nil
    ) {
        let before = authorization
        let t = Authorization.reduce(authorization, event, in: context)
        authorization = t.state
        switch t.effect {
        case .none: break
        case .show(let prompt): out.append(.promptShown(prompt, t.rule))
        case .closePrompt(let kind): out.append(.promptClosed(kind, t.rule))
        case .ignore(let reason): if let request { out.append(.requestIgnored(request, reason, t.rule)) }
        }
        if before.trueStatus != t.state.trueStatus || before.visibleStatus != t.state.visibleStatus || before.accuracy(on: context.ios) != t.state.accuracy(on: context.ios) {
            out.append(.status(t.rule))
            if before.visibleStatus != t.state.visibleStatus || before.accuracy(on: context.ios) != t.state.accuracy(on: context.ios) {
                if process == .foreground || process == .background { out.append(.callback(isInitial: false)) } else if process == .suspended { pending = true }
            }
        }
    }
}
