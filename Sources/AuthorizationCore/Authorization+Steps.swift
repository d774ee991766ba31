/// The parts that transitions are built of.
extension Authorization {
    func ignoring(_ reason: IgnoreReason, _ rule: RuleID) -> Transition {
        Transition(state: self, effect: .ignore(reason), rule: rule)
    }

    /// Asking gives the app its line in Settings (S7).
    func showing(_ prompt: Prompt, _ rule: RuleID) -> Transition {
        var next = self
        next.prompt = prompt
        next.isRowPresent = true
        return Transition(state: next, effect: .show(prompt), rule: rule)
    }

    /// Keeps a decision, and drops the flags that have no meaning under it.
    func deciding(_ decision: TrueStatus, _ rule: RuleID) -> Transition {
        var next = self
        next.decision = decision
        if decision != .provisionalAlways { next.isConfirmDue = false }
        if !decision.visible.isAuthorized { next.hasTemporaryFullAccuracy = false }
        return Transition(state: next, effect: .none, rule: rule)
    }

    /// - Precondition: none; without a prompt nothing closes.
    func closingPrompt(by rule: RuleID) -> Transition {
        guard let prompt else { return ignoring(.noPromptOnScreen, rule) }
        var next = self
        next.prompt = nil
        return Transition(state: next, effect: .closePrompt(prompt.kind), rule: rule)
    }
}

/// What an Info.plist and a version amount to.
extension AuthorizationContext {
    /// I2, I3, I4, D1: the texts that a request needs.
    @inlinable
    public func hasText(for access: Access) -> Bool {
        switch access {
        case .whenInUse: hasWhenInUseText
        case .always: ios < .v11 ? hasLegacyAlwaysText : hasWhenInUseText && hasAlwaysTexts
        }
    }

    // D34: a text that is there and empty.
    @usableFromInline var countsEmpty: Bool { rules.emptyPurposeText == .present }
    @usableFromInline var hasWhenInUseText: Bool {
        capabilities.hasWhenInUseText && (countsEmpty || !capabilities.isWhenInUseTextEmpty)
    }
    @usableFromInline var hasLegacyAlwaysText: Bool {
        capabilities.hasLegacyAlwaysText && (countsEmpty || !capabilities.isLegacyAlwaysTextEmpty)
    }
    @usableFromInline var hasCurrentAlwaysText: Bool {
        capabilities.hasAlwaysText && (countsEmpty || !capabilities.isAlwaysTextEmpty)
    }

    /// D1, D25: the Always texts of iOS 11 and later.
    @usableFromInline var hasAlwaysTexts: Bool {
        switch rules.alwaysKeys {
        case .current: hasCurrentAlwaysText
        case .anyAlwaysKey: hasCurrentAlwaysText || hasLegacyAlwaysText
        case .allThree: hasCurrentAlwaysText && hasLegacyAlwaysText
        }
    }

    /// D28: whether a request with Location Services off is answered with an offer.
    var offersLocationServices: Bool {
        switch rules.servicesOffAlert {
        case .all: true
        case .only9And10: .v9 <= ios && ios < .v11
        case .none: false
        }
    }

    /// Which rows the app's page in Settings lists: S1, S2, S3.
    public func offers(_ row: SettingsRow) -> Bool {
        switch row {
        case .never: true
        case .askNextTime: ios >= .v13
        case .whileUsing: ios >= .v11 || hasWhenInUseText
        case .always:
            ios >= .v13
                ? hasAlwaysTexts && !capabilities.isAppClip  // X1
                : hasLegacyAlwaysText || ios >= .v11 && hasCurrentAlwaysText
        case .whileUsingOrWidgets: false  // S5: it takes the place of `whileUsing`.
        }
    }

    /// The rule that lists `row`, or leaves it out.
    func rule(ofRow row: SettingsRow) -> RuleID {
        if row == .always, capabilities.isAppClip { return .x1 }
        return ios < .v11 ? .s1 : ios < .v13 ? .s2 : .s3
    }

    /// D3: whether Allow While Using App in answer to an Always request is a provisional Always.
    var grantsProvisionalAlways: Bool {
        rules.provisionalAlways == .from13 || ios < .v13_4
    }

    /// Whether an updated app still supports When In Use (G11).
    var supportsWhenInUse: Bool { hasWhenInUseText }
}
