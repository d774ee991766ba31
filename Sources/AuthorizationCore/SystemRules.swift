/// System behaviour that the sources leave open: the settings of section 15 of the specification.
///
/// Each is a key of a scenario's `rules`. Defaults are the specification's. These are
/// the settings that a rule reads today; the others follow with the rules that read them.
public struct SystemRules: Hashable, Sendable {
    /// D5: how long Allow Once outlives the last use, in seconds: 0 ... 3,600.
    public var allowOnceGraceSeconds: Double = 10
    /// D6: the second prompt of a provisional Always comes this long after the event that raised
    /// it, in seconds: 0 ... 2,592,000, minimum at most maximum.
    public var confirmDelayMinSeconds: Double = 300
    public var confirmDelayMaxSeconds: Double = 1800
    /// D6: how long a held event lives, in seconds: 0 ... 2,592,000.
    public var heldEventTTLSeconds: Double = 3600
    /// D7: days from the first background use to the first reminder: 0 ... 365.
    public var reminderFirstDays: Double = 3
    /// D7: days between reminders while background use goes on: 0 ... 365.
    public var reminderIntervalDays: Double = 3
    /// D7: whether reminders before iOS 13 repeat.
    public var legacyReminderRepeats = false
    /// D3: on which versions an Always request from Not Determined gives a provisional Always.
    public var provisionalAlways = ProvisionalAlways.from13
    /// D4: whether Ask Next Time makes a spent Always request available again.
    public var askNextTimeClearsSpent = true
    /// D2: the upgrade prompt on iOS 8 to 10.
    public var legacyUpgradePrompt = LegacyUpgradePrompt.once
    /// D19: what an Always request does while a prompt is on screen.
    public var requestDuringPrompt = RequestDuringPrompt.dropped
    /// D20: what a prompt does when the app leaves the foreground.
    public var promptOnLeave = PromptOnLeave.dismiss
    /// D17: the row in Settings during Allow Once.
    public var allowOnceRow = AllowOnceRow.askNextTime
    /// B9: how long a request for one position waits, in seconds: 1 ... 300.
    public var oneShotTimeoutSeconds: Double = 10
    /// B14: how long a wake-up for a location event runs, in seconds: 1 ... 60.
    public var wakeRunSeconds: Double = 10
    /// D12: which key of the Info.plist switches implicit service sessions off.
    public var explicitSessionKey = ExplicitSessionKey.either
    /// D13: what Always does nothing for, out of use, unless an Always session is held (iOS 18+).
    public var alwaysNeedsSession = AlwaysNeedsSession.never
    /// D14: whether temporary full accuracy brings regions and conditions back (iOS 17+).
    public var temporaryFullEnablesRegions = false
    /// L1: between live updates on the move, in seconds: 0.5 ... 10.
    public var liveUpdateIntervalSeconds: Double = 1

    public enum ProvisionalAlways: String, CaseIterable, Sendable {
        case from13 = "from_13"
        case onlyBefore13_4 = "only_before_13_4"
    }
    public enum LegacyUpgradePrompt: String, CaseIterable, Sendable { case once, never }
    public enum RequestDuringPrompt: String, CaseIterable, Sendable {
        case dropped
        case spendsAlways = "spends_always"
    }
    public enum PromptOnLeave: String, CaseIterable, Sendable { case dismiss, stay }
    public enum AllowOnceRow: String, CaseIterable, Sendable {
        case askNextTime = "ask_next_time"
        case whileUsing = "while_using"
    }

    public enum ExplicitSessionKey: String, CaseIterable, Sendable { case either, article, header }
    public enum AlwaysNeedsSession: String, CaseIterable, Sendable { case never, monitor, all }

    public init() {}
}
