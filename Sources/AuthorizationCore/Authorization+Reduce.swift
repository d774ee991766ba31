extension Authorization {
    public struct Transition: Hashable, Sendable {
        public var state: Authorization
        public var effect: AuthorizationEffect
        /// The rule that decided.
        public var rule: RuleID
    }

    /// The authorization rules: a state and an event give a state and an effect.
    ///
    /// Total: every pair has an answer, and a pair that iOS would not act on says
    /// `.ignore(reason)`. Pure: no clock, no randomness, no I/O. Ids beside the branches are those
    /// of the specification, where each rule has its source and confidence.
    public static func reduce(
        _ state: Authorization, _ event: AuthorizationEvent,
        in context: AuthorizationContext
    ) -> Transition {
        switch event {
        case .requested(let access, let isInUse):
            state.requested(access, isInUse: isInUse, in: context)
        case .requestedTemporaryFullAccuracy(let isPurposeKnown, let isForeground):
            state.requestedFullAccuracy(
                isPurposeKnown: isPurposeKnown, isForeground: isForeground, in: context)
        case .answered(let choice, let isPrecise):
            state.answered(choice, isPrecise: isPrecise, in: context)
        case .promptLostItsApp(let rule): state.promptLostItsApp(by: rule, in: context)
        case .usedLocation: state.usedLocation()
        case .provisionalEventHeld: state.provisionalEventHeld()
        case .confirmFellDue: state.confirmFellDue(in: context)
        case .reminderFellDue: state.reminderFellDue()
        case .useEnded: state.useEnded()
        case .processEnded: state.processEnded()
        case .settingsChanged(let row): state.settingsChanged(to: row, in: context)
        case .preciseSwitched(let isOn): state.preciseSwitched(isOn, on: context.ios)
        case .locationServicesSwitched(let isOn):
            state.locationServicesSwitched(isOn, context.rules)
        case .restrictionSwitched(let isOn): state.restrictionSwitched(isOn, context.rules)
        case .locationPrivacyReset: state.forgotten(by: .g9)
        case .appLocationReset: state.forgotten(by: .g15)
        case .reinstalled:
            context.rules.reinstallKeepsDecision  // D10
                ? state.ignoring(.nothingToDo, .g10) : state.forgotten(by: .g10)
        case .migrated:
            context.rules.migrationKeepsDecisions
                ? state.ignoring(.nothingToDo, .g14) : state.forgotten(by: .g14)
        case .appUpdated: state.appUpdated(in: context)
        case .tappedLocationButton(let isReadable):
            state.tappedLocationButton(isReadable: isReadable, on: context.ios)
        case .placedWidget: state.placedWidget(on: context.ios)
        case .appClipGrantEnded: state.appClipGrantEnded(in: context)
        case .appClipRemoved: state.forgotten(by: .x2)
        }
    }

    // MARK: - Requests

    private func requested(
        _ access: Access, isInUse: Bool, in context: AuthorizationContext
    ) -> Transition {
        let isAlways = access == .always
        if prompt != nil { return droppedRequest(access, in: context) }  // W8
        if isRestricted {
            guard trueStatus == .restricted else { return ignoring(.restricted, .g8) }
            return ignoring(.restricted, isAlways ? .a12 : .w7)
        }
        guard context.hasText(for: access) else {
            return ignoring(.missingUsageDescription, isAlways ? .a13 : .w3)
        }
        guard isInUse else { return ignoring(.notInUse, isAlways ? .a14 : .w4) }
        guard isLocationServicesOn else { return offeringLocationServices(access, in: context) }
        return isAlways ? requestedAlways(in: context) : requestedWhenInUse(on: context.ios)
    }

    /// W8, D19: one prompt at a time. The call is dropped whole, unless the setting spends it.
    private func droppedRequest(
        _ access: Access, in context: AuthorizationContext
    ) -> Transition {
        var next = self
        if access == .always, context.rules.requestDuringPrompt == .spendsAlways {
            next.isAlwaysRequestSpent = true
        }
        return Transition(state: next, effect: .ignore(.promptOnScreen), rule: .w8)
    }

    /// G5, W6, D28: with the switch off the system offers to go to Settings, twice at most.
    private func offeringLocationServices(
        _ access: Access, in context: AuthorizationContext
    ) -> Transition {
        if decision == .denied { return ignoring(.alreadyDecided, .g5) }
        guard context.offersLocationServices else { return ignoring(.servicesOff, .w6) }
        guard servicesOffers < Self.servicesOffersMax else { return ignoring(.servicesOff, .w6) }
        return showing(Prompt(.servicesOff, asked: access), .g5)
    }

    private func requestedWhenInUse(on ios: IOSVersion) -> Transition {
        switch decision {
        case .notDetermined: showing(Prompt(.whenInUse), .w1)  // W5: without limit.
        case .restricted: ignoring(.restricted, .w7)
        case .denied, .whenInUse, .allowOnce, .provisionalAlways, .always:
            ignoring(.alreadyDecided, .w2)
        }
    }

    private func requestedAlways(in context: AuthorizationContext) -> Transition {
        let ios = context.ios
        switch decision {
        case .notDetermined:
            if ios < .v11 { return showing(Prompt(.always, asked: .always), .a1) }
            if ios < .v13 { return showing(Prompt(.always, asked: .always), .a3) }
            if context.capabilities.isAppClip { return showing(Prompt(.whenInUse), .a17) }
            return showing(Prompt(.whenInUse, asked: .always), .a6)  // A15 too.
        case .whenInUse: return upgradeRequested(in: context)
        case .allowOnce: return ignoring(.allowOnce, ios < .v13_4 ? .a11 : .a10)
        case .restricted: return ignoring(.restricted, .a12)
        case .denied, .provisionalAlways, .always: return ignoring(.alreadyDecided, .a12)
        }
    }

    private func upgradeRequested(in context: AuthorizationContext) -> Transition {
        let ios = context.ios
        if isAlwaysRequestSpent {
            return ignoring(.alreadyAskedForAlways, .v11 <= ios && ios < .v13 ? .a5 : .a9)
        }
        if context.capabilities.isAppClip { return ignoring(.alreadyDecided, .a17) }
        let upgrade = Prompt(.alwaysUpgrade, asked: .always)
        if ios < .v11 {
            return context.rules.legacyUpgradePrompt == .once
                ? showing(upgrade, .p16) : ignoring(.alreadyDecided, .a2)  // D2
        }
        if ios < .v13 { return showing(upgrade, .a4) }
        if ios < .v13_4 {
            var next = self
            next.isAlwaysRequestSpent = true
            return next.deciding(.provisionalAlways, .a7)
        }
        return showing(upgrade, .a8)  // A16 too.
    }

    private func requestedFullAccuracy(
        isPurposeKnown: Bool, isForeground: Bool, in context: AuthorizationContext
    ) -> Transition {
        guard context.ios >= .v14 else { return ignoring(.nothingToDo, .ac14) }
        if prompt != nil { return ignoring(.promptOnScreen, .w8) }
        guard visibleStatus.isAuthorized else { return ignoring(.notAuthorized, .t6) }
        if isRestricted { return ignoring(.restricted, .g8) }
        guard isReduced(on: context.ios) else { return ignoring(.alreadyFullAccuracy, .t4) }
        guard isPurposeKnown else { return ignoring(.purposeUnknown, .t3) }
        guard isForeground else { return ignoring(.notInUse, .t5) }
        return showing(Prompt(.temporaryFullAccuracy), .t1)  // T7: also after a refusal.
    }

    // MARK: - What the system does by itself

    /// J1, J2, J3: prompts that the app raised close with it; the system's own stay (J6).
    private func promptLostItsApp(
        by rule: RuleID, in context: AuthorizationContext
    ) -> Transition {
        guard let prompt, prompt.kind.isRaisedByApp || rule == .q8 || rule == .g14
        else {
            return ignoring(.noPromptOnScreen, rule)
        }
        let isLeft = rule == .j2 || rule == .j3  // D20
        if isLeft, context.rules.promptOnLeave == .stay { return ignoring(.nothingToDo, rule) }
        if rule == .j1, context.rules.promptOnRelease == .stay {  // D35
            return ignoring(.nothingToDo, rule)
        }
        return closingPrompt(by: rule)
    }

    private func usedLocation() -> Transition {
        var next = self
        next.isRowPresent = true  // S7
        return Transition(state: next, effect: .none, rule: .s7)
    }

    private func provisionalEventHeld() -> Transition {
        guard decision == .provisionalAlways else { return ignoring(.nothingToDo, .v3) }
        var next = self
        next.isConfirmDue = true
        return Transition(state: next, effect: .none, rule: .v3)
    }

    private func confirmFellDue(in context: AuthorizationContext) -> Transition {
        guard decision == .provisionalAlways, isConfirmDue else {
            return ignoring(.nothingToDo, .v8)
        }
        if prompt != nil { return ignoring(.promptOnScreen, .w8) }
        if isRestricted { return ignoring(.restricted, .g8) }
        guard isLocationServicesOn else { return ignoring(.servicesOff, .g1) }
        return showing(Prompt(.alwaysConfirm, asked: .always), .v4)
    }

    private func reminderFellDue() -> Transition {
        guard decision == .always else { return ignoring(.nothingToDo, .r1) }  // R5
        if prompt != nil { return ignoring(.promptOnScreen, .w8) }
        if isRestricted { return ignoring(.restricted, .g8) }
        guard isLocationServicesOn else { return ignoring(.servicesOff, .g1) }
        return showing(Prompt(.backgroundReminder, asked: .always), .r6)
    }

    private func useEnded() -> Transition {
        guard decision == .allowOnce || hasTemporaryFullAccuracy else {
            return ignoring(.nothingToDo, .o2)
        }
        var next = self
        next.hasTemporaryFullAccuracy = false  // AC11
        return decision == .allowOnce
            ? next.deciding(.notDetermined, .o5)
            : Transition(state: next, effect: .none, rule: .ac11)
    }

    private func processEnded() -> Transition {
        guard hasTemporaryFullAccuracy else { return ignoring(.nothingToDo, .ac12) }
        var next = self
        next.hasTemporaryFullAccuracy = false
        return Transition(state: next, effect: .none, rule: .ac12)
    }
}
