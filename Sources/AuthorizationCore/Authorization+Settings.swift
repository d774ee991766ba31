extension Authorization {
    /// The app's line in Settings > Privacy > Location Services.
    public struct SettingsLine: Hashable, Sendable {
        /// Nil before iOS 13 while nothing is decided.
        public var selected: SettingsRow?
        /// In the order of the page.
        public var choices: [SettingsRow]
    }

    /// Nil while the app has no line there (S7).
    public func settingsLine(in context: AuthorizationContext) -> SettingsLine? {
        guard isRowPresent else { return nil }
        var choices: [SettingsRow] = []
        for row in SettingsRow.allCases where context.offers(row) {
            choices.append(row == .whileUsing ? whileUsingRow : row)
        }
        return SettingsLine(selected: selectedRow(in: context), choices: choices)
    }

    /// The row with the tick. Nil before iOS 13 while nothing is decided.
    public func selectedRow(in context: AuthorizationContext) -> SettingsRow? {
        switch decision {
        case .notDetermined, .restricted: context.ios < .v13 ? nil : .askNextTime
        case .denied: .never
        // O9
        case .allowOnce: context.rules.allowOnceRow == .askNextTime ? .askNextTime : .whileUsing
        case .whenInUse, .provisionalAlways: whileUsingRow  // V1
        case .always: .always
        }
    }

    func settingsChanged(
        to row: SettingsRow, in context: AuthorizationContext
    ) -> Transition {
        if isRestricted { return ignoring(.restricted, .s14) }
        guard isRowPresent else { return ignoring(.neverAsked, .s7) }
        guard context.offers(row) || row == .whileUsingOrWidgets && hasWidgetGrant else {
            return ignoring(.choiceNotOffered, context.rule(ofRow: row))
        }
        switch row {
        case .never: return settling(.denied, .s9, context)
        case .whileUsing, .whileUsingOrWidgets:
            switch decision {
            case .allowOnce: return settling(.whenInUse, .o10, context)
            case .provisionalAlways: return settling(.whenInUse, .v10, context)
            case .notDetermined, .restricted, .denied, .whenInUse, .always:
                return settling(.whenInUse, .s9, context)
            }
        case .always:
            return settling(.always, decision == .provisionalAlways ? .v10 : .s12, context)
        case .askNextTime:
            // S10: during Allow Once this row has the tick already.
            if selectedRow(in: context) == .askNextTime { return ignoring(.nothingToDo, .s10) }
            var next = self
            if context.rules.askNextTimeClearsSpent { next.isAlwaysRequestSpent = false }  // D4
            if context.rules.askNextTimeDropsWidget { next.hasWidgetGrant = false }  // 15.1
            return next.settling(.notDetermined, .s11, context)
        }
    }

    /// A choice in Settings. A prompt about the decision that it overtakes is gone.
    private func settling(
        _ decision: TrueStatus, _ rule: RuleID, _ context: AuthorizationContext
    ) -> Transition {
        if decision == self.decision { return ignoring(.nothingToDo, .s10) }
        var next = self
        if self.decision == .notDetermined, context.ios >= .v14,
            context.capabilities.isReducedByDefault
        {
            next.isPreciseOn = false  // AC10: the first decision may as well be made here.
        }
        let change = next.deciding(decision, rule)
        guard let prompt, prompt.kind != .servicesOff else { return change }
        return change.state.closingPrompt(by: rule)
    }

    func preciseSwitched(_ isOn: Bool, on ios: IOSVersion) -> Transition {
        guard ios >= .v14 else { return ignoring(.nothingToDo, .ac14) }
        if isRestricted { return ignoring(.restricted, .s14) }
        guard isRowPresent else { return ignoring(.neverAsked, .s7) }
        if isOn == isPreciseOn { return ignoring(.nothingToDo, .s10) }
        var next = self
        next.isPreciseOn = isOn
        return Transition(state: next, effect: .none, rule: .ac9)  // S6
    }

    func locationServicesSwitched(_ isOn: Bool, _ rules: SystemRules) -> Transition {
        if isOn == isLocationServicesOn { return ignoring(.nothingToDo, .g1) }
        var next = self
        next.isLocationServicesOn = isOn
        next.keepsStatusWhileOff = rules.servicesOffStatus == .kept  // D8
        return isOn && prompt?.kind == .servicesOff
            ? next.closingPrompt(by: .g1) : Transition(state: next, effect: .none, rule: .g1)
    }

    func restrictionSwitched(_ isOn: Bool, _ rules: SystemRules) -> Transition {
        let rule = decision == .notDetermined ? RuleID.g7 : .g8
        if isOn == isRestricted { return ignoring(.nothingToDo, rule) }
        var next = self
        next.isRestricted = isOn
        next.restrictsDecided = rules.restrictionScope == .all  // D9
        return isOn && prompt != nil
            ? next.closingPrompt(by: rule) : Transition(state: next, effect: .none, rule: rule)
    }

    /// G9, G10, G14, G15: undecided, all flags cleared. The switches of the device stay.
    func forgotten(by rule: RuleID) -> Transition {
        var next = Authorization()
        next.isLocationServicesOn = isLocationServicesOn
        next.keepsStatusWhileOff = keepsStatusWhileOff
        next.isRestricted = isRestricted
        next.restrictsDecided = restrictsDecided
        next.prompt = prompt
        return prompt == nil
            ? Transition(state: next, effect: .none, rule: rule) : next.closingPrompt(by: rule)
    }

    /// G11: decided is what the new Info.plist, which `context` holds, still supports.
    func appUpdated(in context: AuthorizationContext) -> Transition {
        var decision = decision
        if decision == .always || decision == .provisionalAlways, !context.offers(.always) {
            decision = .whenInUse
        }
        if decision == .whenInUse || decision == .allowOnce, !context.supportsWhenInUse {
            return withdrawn(by: .g11)
        }
        return decision == self.decision ? ignoring(.nothingToDo, .g11) : deciding(decision, .g11)
    }
}
