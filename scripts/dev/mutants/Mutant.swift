import Glibc

// Part of a copy of the sources that scripts/dev/mutate-rules builds; nothing that ships has it.

/// The one place of the copy that is switched off, by its number in LOCFLEET_MUTANT.
///
/// One thread at a time: what was hit is kept between a rule and the end of its reduction.
public enum Mutant {
    nonisolated(unsafe) static let active =
        getenv("LOCFLEET_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
    nonisolated(unsafe) static var hit: RuleID?

    /// Stands around each rule that the reducer names.
    public static func site(_ number: Int, _ rule: RuleID) -> RuleID {
        if number == active { hit = rule }
        return rule
    }

    /// Stands before each statement and function of a rule.
    public static func isOff(_ number: Int) -> Bool { number == active }
}

extension Authorization {
    /// The rules, but for one: where it decided, what it did is undone, what it refused is done.
    public static func reduce(
        _ state: Authorization, _ event: AuthorizationEvent, in context: AuthorizationContext
    ) -> Transition {
        Mutant.hit = nil
        let whole = reduceWhole(state, event, in: context)
        guard let rule = Mutant.hit, rule == whole.rule else { return whole }
        switch whole.effect {
        case .none, .show, .closePrompt:
            return Transition(state: state, effect: .none, rule: rule)
        case .ignore: return state.refusing(nothingOf: event, rule, in: context)
        }
    }

    /// `event` as if no rule were against it.
    private func refusing(
        nothingOf event: AuthorizationEvent, _ rule: RuleID, in context: AuthorizationContext
    ) -> Transition {
        var next = self
        switch event {
        case .requested(let access, _):
            return showing(
                Prompt(access == .always ? .alwaysUpgrade : .whenInUse, asked: access), rule)
        case .requestedTemporaryFullAccuracy:
            return showing(Prompt(.temporaryFullAccuracy), rule)
        case .answered, .promptLostItsApp: next.prompt = nil
        case .provisionalEventHeld: next.isConfirmDue = true
        case .confirmFellDue: return showing(Prompt(.alwaysConfirm, asked: .always), rule)
        case .reminderFellDue: return showing(Prompt(.backgroundReminder, asked: .always), rule)
        case .useEnded: return deciding(.notDetermined, rule)
        case .settingsChanged(let row):
            let decision: TrueStatus =
                switch row {
                case .never: .denied
                case .askNextTime: .notDetermined
                case .whileUsing, .whileUsingOrWidgets: .whenInUse
                case .always: .always
                }
            return deciding(decision, rule)
        case .preciseSwitched(let isOn): next.isPreciseOn = isOn
        case .locationServicesSwitched(let isOn): next.isLocationServicesOn = isOn
        case .restrictionSwitched(let isOn): next.isRestricted = isOn
        case .appUpdated: return deciding(.notDetermined, rule)
        case .tappedLocationButton: return showing(Prompt(.locationButton), rule)
        case .placedWidget: return showing(Prompt(.widget), rule)
        case .appClipGrantEnded: return deciding(.notDetermined, rule)
        case .migrated, .reinstalled: return deciding(.notDetermined, rule)
        case .usedLocation, .processEnded, .locationPrivacyReset, .appLocationReset,
            .appClipRemoved:
            break
        }
        return Transition(state: next, effect: .none, rule: rule)
    }
}
