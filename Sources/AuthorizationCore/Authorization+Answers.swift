extension Authorization {
    /// The table "Effect of each choice" of section 4.
    func answered(
        _ choice: Choice, isPrecise: Bool, in context: AuthorizationContext
    ) -> Transition {
        guard let prompt else { return ignoring(.noPromptOnScreen, .c11) }
        guard prompt.kind.offers(choice, on: context.ios) else {
            return ignoring(.choiceNotOffered, prompt.kind.rule(on: context.ios))
        }
        var next = self
        next.prompt = nil
        switch prompt.kind {
        case .whenInUse:
            return next.answeredFirst(
                choice, asked: prompt.asked, isPrecise: isPrecise, in: context)
        case .always: return next.answeredAlways(choice, on: context.ios)
        case .alwaysUpgrade: return next.answeredUpgrade(choice, on: context.ios)
        case .alwaysConfirm: return next.answeredConfirm(choice)
        case .backgroundReminder: return next.answeredReminder(choice, in: context)
        case .temporaryFullAccuracy:
            next.hasTemporaryFullAccuracy = choice == .allow && visibleStatus.isAuthorized
            return Transition(state: next, effect: .none, rule: choice == .allow ? .t1 : .t2)
        case .locationButton: return next.answeredButton(choice, in: context)
        case .widget: return next.answeredWidget(choice)
        case .servicesOff:
            next.servicesOffers = min(servicesOffers + 1, Self.servicesOffersMax)
            return Transition(state: next, effect: .none, rule: .p15)
        }
    }

    /// P1, P2 and P3. The prompt is down already, here and below.
    private func answeredFirst(
        _ choice: Choice, asked: Access, isPrecise: Bool, in context: AuthorizationContext
    ) -> Transition {
        let ios = context.ios
        let rule = PromptKind.whenInUse.rule(on: ios)
        var next = self
        if choice == .dontAllow {
            next.isAlwaysRequestSpent = isAlwaysRequestSpent || asked == .always  // A9
            // AC10: a grant that comes later, in Settings, is reduced too.
            if context.capabilities.isReducedByDefault { next.isPreciseOn = false }
            return next.deciding(.denied, rule)
        }
        if ios >= .v14 {
            // P4, AC10: reduced by default has no switch. Else it stands where it was left (O8).
            next.isPreciseOn = !context.capabilities.isReducedByDefault && isPreciseOn && isPrecise
        }
        if choice == .allowOnce { return next.deciding(.allowOnce, rule) }  // A6: not spent.
        guard asked == .always, context.grantsProvisionalAlways else {
            return next.deciding(.whenInUse, rule)
        }
        next.isAlwaysRequestSpent = true
        return next.deciding(.provisionalAlways, .a6)  // V1
    }

    /// P5 and P6.
    private func answeredAlways(_ choice: Choice, on ios: IOSVersion) -> Transition {
        var next = self
        next.isAlwaysRequestSpent = true
        let rule = PromptKind.always.rule(on: ios)
        switch choice {
        case .allow, .alwaysAllow: return next.deciding(.always, rule)
        case .onlyWhileUsing: return next.deciding(.whenInUse, .a5)
        case .dontAllow, .allowOnce, .allowWhileUsing, .keepOnlyWhileUsing, .changeToAlwaysAllow,
            .changeToOnlyWhileUsing, .cancel, .settings:
            return next.deciding(.denied, rule)
        }
    }

    /// P7, P8 and P16: spent either way.
    private func answeredUpgrade(_ choice: Choice, on ios: IOSVersion) -> Transition {
        var next = self
        next.isAlwaysRequestSpent = true
        let takesAlways =
            choice == .allow || choice == .alwaysAllow || choice == .changeToAlwaysAllow
        return next.deciding(
            takesAlways ? .always : .whenInUse, PromptKind.alwaysUpgrade.rule(on: ios))
    }

    private func answeredConfirm(_ choice: Choice) -> Transition {
        var next = self
        next.isAlwaysRequestSpent = true
        return choice == .changeToAlwaysAllow
            ? next.deciding(.always, .v5) : next.deciding(.whenInUse, .v6)  // V9: once.
    }

    /// P10 and P11.
    private func answeredReminder(
        _ choice: Choice, in context: AuthorizationContext
    ) -> Transition {
        let rule = PromptKind.backgroundReminder.rule(on: context.ios)
        switch choice {
        case .allow, .alwaysAllow: return deciding(.always, rule)
        case .dontAllow:
            let lowered: TrueStatus = context.capabilities.hasWhenInUseText ? .whenInUse : .denied
            return deciding(lowered, rule)  // D7
        case .changeToOnlyWhileUsing, .allowOnce, .allowWhileUsing, .keepOnlyWhileUsing,
            .changeToAlwaysAllow, .onlyWhileUsing, .cancel, .settings:
            return deciding(.whenInUse, rule)
        }
    }
}

extension PromptKind {
    /// J6: the app asked, or the system did by itself.
    public var isRaisedByApp: Bool {
        switch self {
        case .whenInUse, .always, .alwaysUpgrade, .temporaryFullAccuracy, .locationButton,
            .servicesOff:
            true
        case .alwaysConfirm, .backgroundReminder, .widget: false
        }
    }

    /// Whether `choices(on:)` has it, without making the list.
    public func offers(_ choice: Choice, on ios: IOSVersion) -> Bool {
        switch self {
        case .whenInUse:
            ios < .v13
                ? choice == .allow || choice == .dontAllow
                : choice == .allowWhileUsing || choice == .allowOnce || choice == .dontAllow
        case .always:
            ios < .v11
                ? choice == .allow || choice == .dontAllow
                : choice == .onlyWhileUsing || choice == .alwaysAllow || choice == .dontAllow
        case .alwaysUpgrade:
            ios < .v11
                ? choice == .allow || choice == .cancel
                : ios < .v13
                    ? choice == .onlyWhileUsing || choice == .alwaysAllow
                    : choice == .keepOnlyWhileUsing || choice == .changeToAlwaysAllow
        case .alwaysConfirm: choice == .keepOnlyWhileUsing || choice == .changeToAlwaysAllow
        case .backgroundReminder:
            ios < .v13
                ? choice == .allow || choice == .dontAllow
                : choice == .changeToOnlyWhileUsing || choice == .alwaysAllow
        case .temporaryFullAccuracy, .locationButton, .widget:
            choice == .allow || choice == .dontAllow
        case .servicesOff: choice == .settings || choice == .cancel
        }
    }

    /// The row of section 4 that describes this prompt on `ios`.
    public func rule(on ios: IOSVersion) -> RuleID {
        switch self {
        case .whenInUse: ios < .v11 ? .p1 : ios < .v13 ? .p2 : .p3
        case .always: ios < .v11 ? .p5 : .p6
        case .alwaysUpgrade: ios < .v11 ? .p16 : ios < .v13 ? .p7 : .p8
        case .alwaysConfirm: .p9
        case .backgroundReminder: ios < .v13 ? .p10 : .p11
        case .temporaryFullAccuracy: .p12
        case .locationButton: .p13
        case .widget: .p14
        case .servicesOff: .p15
        }
    }
}
