/// System behaviour that the sources leave open: the settings of section 15 of the specification.
///
/// Each is a key of a scenario's `rules`. Defaults are the specification's. Where each acts is in
/// `config/README.md`: devices of a fleet do not move yet, so what is about places acts in
/// conformance cases alone.
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
    /// Whether Ask Next Time takes the grant from widgets too (P14, section 15.1).
    public var askNextTimeDropsWidget = true
    /// D11: what a start of standard updates comes to while Not Determined (B10).
    public var undeterminedStart = UndeterminedStart.silent
    /// D11: how long after it `location_unknown` comes, in seconds: 0 ... 60.
    public var undeterminedStartErrorSeconds: Double = 10
    /// D18: the accuracy that an app reads while it is not authorized (ST2).
    public var unauthorizedAccuracy = UnauthorizedAccuracy.full
    /// D26: a request off the main thread (J5).
    public var offMainRequest = OffMainRequest.prompts
    /// Whether decisions come along to a new device (G14, section 15.1; *inferred*).
    public var migrationKeepsDecisions = true
    /// X2: days without use after which the system removes an App Clip: 1 ... 365.
    public var appClipRemovalDays: Double = 30
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

    /// D1, D25: the texts that an Always request needs from iOS 11 on.
    public var alwaysKeys = AlwaysKeys.current
    /// D8: what apps read while Location Services is off.
    public var servicesOffStatus = ServicesOffStatus.denied
    /// D9: which apps read restricted while changes are forbidden.
    public var restrictionScope = RestrictionScope.undecided
    /// D10: whether an app that is installed again finds its decision.
    public var reinstallKeepsDecision = false
    /// D15: whether the system starts an app that was swiped away.
    public var relaunchAfterForceQuit = RelaunchAfterForceQuit.before26
    /// D16: whether the system starts no app without Background App Refresh.
    public var backgroundRefreshBlocksRelaunch = false
    /// D24: what the completion of a temporary full accuracy request of an unauthorized app gets.
    public var unauthorizedFullAccuracy = UnauthorizedFullAccuracy.promptDeclined
    /// D27: ranging under reduced accuracy.
    public var reducedRanging = ReducedRanging.error
    /// D28: on which versions a request with Location Services off is answered with an offer.
    public var servicesOffAlert = ServicesOffAlert.all
    /// D32: whether the reset of one app by a tool ends its process.
    public var appResetEndsProcess = true
    /// D34: whether an empty purpose text counts.
    public var emptyPurposeText = EmptyPurposeText.present
    /// D35: what a prompt does when the manager that asked is let go of.
    public var promptOnRelease = PromptOnLeave.dismiss
    /// RG6: how long the other side of a boundary must be kept, in seconds: 0 ... 3,600.
    public var regionDwellSeconds: Double = 20
    /// RG6: how far beyond it, in meters: 0 ... 2,000.
    public var regionCushionMeters: Double = 200
    /// RG4: smaller regions are served as if of this radius, in meters: 1 ... 1,000.
    public var regionMinRadiusMeters: Double = 100
    /// RG3: larger ones are refused, in meters: 1,000 ... 20,000,000.
    public var regionMaxRadiusMeters: Double = 1_000_000
    /// SV1: between two significant changes, at least, in seconds: 60 ... 3,600.
    public var significantChangeIntervalSeconds: Double = 300
    /// SV1: at least so far since the last one, in meters: 100 ... 5,000.
    public var significantChangeDistanceMeters: Double = 500
    /// RG7: from a crossing to its event, in seconds: 0 ... 3,600, minimum at most maximum.
    public var regionLatencyMinSeconds: Double = 180
    public var regionLatencyMaxSeconds: Double = 300
    /// SV5: from a visit to its event, in seconds: 0 ... 7,200, minimum at most maximum.
    public var visitDelayMinSeconds: Double = 120
    public var visitDelayMaxSeconds: Double = 600
    /// B13: at rest for so long, standard updates pause, in seconds: 60 ... 86,400.
    public var pauseAfterRestSeconds: Double = 900
    /// Q6: from the first unlock to the first event of what is monitored, in seconds: 0 ... 3,600.
    public var rebootMonitoringDelaySeconds: Double = 600
    /// AC3: between two positions under reduced accuracy, in seconds: 60 ... 7,200.
    public var reducedIntervalSeconds: Double = 900
    /// AC2: the accuracy of such a position, in meters: 1,000 ... 20,000.
    public var reducedAccuracyMeters: Double = 5_000

    public enum UndeterminedStart: String, CaseIterable, Sendable {
        case silent
        case locationUnknown = "location_unknown"
        case denied
    }
    public enum UnauthorizedAccuracy: String, CaseIterable, Sendable {
        case full
        case preciseSwitch = "precise_switch"
    }
    public enum OffMainRequest: String, CaseIterable, Sendable { case prompts, silent }
    public enum AlwaysKeys: String, CaseIterable, Sendable {
        case current
        case anyAlwaysKey = "any_always_key"
        case allThree = "all_three"
    }
    public enum ServicesOffStatus: String, CaseIterable, Sendable { case denied, kept }
    public enum RestrictionScope: String, CaseIterable, Sendable { case undecided, all }
    public enum RelaunchAfterForceQuit: String, CaseIterable, Sendable {
        case before26 = "before_26"
        case always, never
    }
    public enum UnauthorizedFullAccuracy: String, CaseIterable, Sendable {
        case promptDeclined = "prompt_declined"
        case noCompletion = "no_completion"
    }
    public enum ReducedRanging: String, CaseIterable, Sendable { case error, silent }
    public enum ServicesOffAlert: String, CaseIterable, Sendable {
        case all
        case only9And10 = "only_9_and_10"
        case none
    }
    public enum EmptyPurposeText: String, CaseIterable, Sendable { case present, missing }
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
