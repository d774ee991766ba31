import AuthorizationCore
import DeviceCore

/// What a request comes to.
public enum RequestOutlook: Hashable, Sendable {
    /// `best`: the most that an answer grants.
    case prompts(PromptKind, choices: [Choice], best: TrueStatus)
    /// Without a prompt.
    case grants(TrueStatus)
    case ignored(IgnoreReason, RuleID)
    /// This version has no such call.
    case absent
    /// What it starts from cannot be had.
    case ungranted
}

/// What one version of iOS makes of a configuration. All of it is asked of the rules themselves.
public struct Outlook: Hashable, Sendable {
    public var ios: IOSVersion
    /// On a fresh device.
    public var whenInUse: RequestOutlook
    public var always: RequestOutlook
    /// For Always, once When In Use has been granted.
    public var upgrade: RequestOutlook
    /// With Precise off, by a purpose key of the Info.plist if there is one.
    public var fullAccuracy: RequestOutlook
    /// The rows of the app's page in Settings, once it has asked or used location.
    public var rows: [SettingsRow]
    /// S6
    public var hasPreciseSwitch: Bool
    /// I6: what is granted is reduced accuracy.
    public var isReducedAtFirst: Bool
    /// B3: setting `allowsBackgroundLocationUpdates` ends the app.
    public var isBackgroundPropertyFatal: Bool
    /// In the order of `LocationService.allCases`.
    public var services: [ServiceOutlook]

    public struct ServiceOutlook: Hashable, Sendable {
        public var service: LocationService
        /// As granted: with reduced accuracy where that is the app's default (I6).
        public var atFirst: Reaches
        /// With Precise on.
        public var precise: Reaches

        public var whenInUse: ServiceReach { atFirst.whenInUse }
        public var always: ServiceReach { atFirst.always }
    }

    /// By grant.
    public struct Reaches: Hashable, Sendable {
        public var whenInUse: ServiceReach
        public var always: ServiceReach
    }

    public subscript(_ service: LocationService) -> ServiceOutlook? {
        services.first { $0.service == service }
    }

    public var canHaveAlways: Bool { self[.visits]?.always != .ungranted }

    init(_ facts: PlistFacts, on ios: IOSVersion, setsProperty: Bool) {
        let context = AuthorizationContext(ios: ios, capabilities: facts.capabilities)
        let fresh = Authorization()
        self.ios = ios
        whenInUse = Self.request(.whenInUse, from: fresh, in: context)
        always = Self.request(.always, from: fresh, in: context)
        let granted = Trial(granted: .whenInUse, in: context)
        upgrade =
            granted.map { Self.request(.always, from: $0.phone.authorization, in: context) }
            ?? .ungranted
        let used = Authorization.reduce(fresh, .usedLocation, in: context).state
        rows = used.settingsLine(in: context)?.choices ?? []
        let switched = Authorization.reduce(used, .preciseSwitched(false), in: context)
        hasPreciseSwitch = switched.effect == .none
        let isReduced = granted.map { $0.phone.authorization.isReduced(on: ios) } ?? false
        isReducedAtFirst = isReduced
        fullAccuracy = Self.fullAccuracy(granted, isKnown: !facts.purposes.isEmpty, in: context)
        var probe = Trial(in: context)
        isBackgroundPropertyFatal =
            probe.play(.allowedBackgroundUpdates(true)).contains(.processEnded(.crashed, .b3))
        let followed = Trial(granted: .always, in: context)
        services = LocationService.allCases.map { service in
            let reach = { (trial: Trial?) -> ServiceReach in
                guard service.exists(on: ios) else { return .absent }
                if service == .backgroundFetch {
                    return facts.modes.contains("fetch") ? .runTime : .noMode  // I11
                }
                var trial = trial
                return trial?.reach(of: service, setsProperty: setsProperty) ?? .ungranted
            }
            let precise = Reaches(
                whenInUse: reach(granted?.precise(true)), always: reach(followed?.precise(true)))
            guard isReduced else {
                return ServiceOutlook(service: service, atFirst: precise, precise: precise)
            }
            let reduced = Reaches(
                whenInUse: reach(granted?.precise(false)), always: reach(followed?.precise(false)))
            return ServiceOutlook(service: service, atFirst: reduced, precise: precise)
        }
    }

    private static func request(
        _ access: Access, from state: Authorization, in context: AuthorizationContext
    ) -> RequestOutlook {
        let answer = Authorization.reduce(state, .requested(access, isInUse: true), in: context)
        switch answer.effect {
        case .ignore(let reason): return .ignored(reason, answer.rule)
        case .none: return .grants(answer.state.decision)
        case .closePrompt: preconditionFailure("a request closes no prompt")
        case .show(let prompt):
            let choices = prompt.choices(on: context.ios)
            let grants = choices.map { choice in
                Authorization.reduce(answer.state, .answered(choice, isPrecise: true), in: context)
                    .state.decision
            }
            let order: [TrueStatus] = [.allowOnce, .whenInUse, .provisionalAlways, .always]
            let best = order.last { grants.contains($0) } ?? .denied
            return .prompts(prompt.kind, choices: choices, best: best)
        }
    }

    private static func fullAccuracy(
        _ granted: Trial?, isKnown: Bool, in context: AuthorizationContext
    ) -> RequestOutlook {
        guard context.ios >= .v14 else { return .absent }  // AC14
        guard var state = granted?.phone.authorization else { return .ungranted }
        state = Authorization.reduce(state, .preciseSwitched(false), in: context).state
        let answer = Authorization.reduce(
            state, .requestedTemporaryFullAccuracy(isPurposeKnown: isKnown, isForeground: true),
            in: context)
        switch answer.effect {
        case .show(let prompt):
            return .prompts(
                prompt.kind, choices: prompt.choices(on: context.ios), best: state.decision)
        case .ignore(let reason): return .ignored(reason, answer.rule)
        case .none: return .grants(state.decision)
        case .closePrompt: preconditionFailure("a request closes no prompt")
        }
    }
}
