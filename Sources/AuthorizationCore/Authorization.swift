import SimPrimitives

/// The authorization of one app on one device, and the prompt on screen now.
///
/// A value of a few bytes: a fleet of a million devices holds a million of these. Events and the
/// rules that answer them are in `Authorization+Reduce.swift`.
public struct Authorization: Hashable, Sendable {
    /// What the person has decided, whatever switches lie over it. Never `restricted`.
    public internal(set) var decision: TrueStatus = .notDetermined
    /// The prompt on screen, if any. At most one at a time (W8).
    public internal(set) var prompt: Prompt?
    /// True once a prompt has spent the Always request: further ones are silent (A9).
    public internal(set) var isAlwaysRequestSpent = false
    /// The Precise Location switch of the row (S6). Meaningful from iOS 14 on.
    public internal(set) var isPreciseOn = true
    /// Granted by the temporary full accuracy prompt, for as long as the app is in use (AC11).
    public internal(set) var hasTemporaryFullAccuracy = false
    /// False until the app first asks or uses location (S7).
    public internal(set) var isRowPresent = false
    /// The device-wide switch (G1).
    public internal(set) var isLocationServicesOn = true
    /// A restriction that forbids changes (G7).
    public internal(set) var isRestricted = false
    /// D8: apps read their status though the switch is off. Set with the switch.
    @usableFromInline var keepsStatusWhileOff = false
    /// D9: decided apps read restricted too. Set with the restriction.
    @usableFromInline var restrictsDecided = false
    /// True while the second prompt of a provisional Always waits for an idle moment (V4).
    public internal(set) var isConfirmDue = false
    /// Answered offers to switch Location Services on: 0 ... `servicesOffersMax` (G5).
    public internal(set) var servicesOffers: UInt8 = 0

    /// The person has allowed the location button once: later taps grant silently (X7).
    public internal(set) var isButtonAgreed = false
    /// Widgets share the When In Use grant (P14, S5).
    public internal(set) var hasWidgetGrant = false

    /// G5 (observed, iOS 9 and 10).
    public static let servicesOffersMax: UInt8 = 2

    public init() {}

    /// The status that records and metrics call true: the decision, or restricted (ST1).
    @inlinable
    public var trueStatus: TrueStatus {
        readsRestricted ? .restricted : decision
    }

    /// The public status, in the reading order of ST1.
    @inlinable
    public var visibleStatus: VisibleStatus {
        if readsRestricted { return .restricted }
        if !isLocationServicesOn && !keepsStatusWhileOff { return .denied }
        return decision.visible
    }

    @inlinable var readsRestricted: Bool {
        isRestricted && (restrictsDecided || decision == .notDetermined)
    }

    /// Whether the system gives the app positions and events at all: it reads an authorized status,
    /// and Location Services is on (D8: the two may differ).
    @inlinable
    public var isServed: Bool { visibleStatus.isAuthorized && isLocationServicesOn }

    /// `accuracyAuthorization`, as the app reads it (ST2, AC14): full unless authorized with
    /// Precise off. D18: the switch may show through while the app is not authorized.
    public func accuracy(in context: AuthorizationContext) -> Accuracy {
        guard context.ios >= .v14, !isPreciseOn else { return .fullAccuracy }
        guard visibleStatus.isAuthorized else {
            let showsSwitch = context.rules.unauthorizedAccuracy == .preciseSwitch
            return showsSwitch ? .reducedAccuracy : .fullAccuracy
        }
        return hasTemporaryFullAccuracy ? .fullAccuracy : .reducedAccuracy
    }

    /// Whether an authorized app is given coarse positions alone (AC9, AC11, AC14).
    @inlinable
    public func isReduced(on ios: IOSVersion) -> Bool {
        ios >= .v14 && !isPreciseOn && !hasTemporaryFullAccuracy && visibleStatus.isAuthorized
    }
}

/// What the rules need to know beside the state: the same for all devices of a version.
public struct AuthorizationContext: Hashable, Sendable {
    public var ios: IOSVersion
    public var capabilities: AppCapabilities
    public var rules: SystemRules
    /// From leaving the foreground to the suspension of the process. *Assumed*.
    public var suspensionDelay: SimDuration

    public init(
        ios: IOSVersion, capabilities: AppCapabilities, rules: SystemRules = SystemRules(),
        suspensionDelay: SimDuration = .seconds(5)
    ) {
        self.ios = ios
        self.capabilities = capabilities
        self.rules = rules
        self.suspensionDelay = suspensionDelay
    }
}

/// Something that has happened, told in the past tense.
public enum AuthorizationEvent: Hashable, Sendable {
    /// `isInUse`: in the sense of section 6 of the specification.
    case requested(Access, isInUse: Bool)
    /// `isPurposeKnown`: the purpose key stands in the Info.plist (T3).
    case requestedTemporaryFullAccuracy(isPurposeKnown: Bool, isForeground: Bool)
    /// `isPrecise` false: the Precise switch in the prompt was turned off first (P4).
    case answered(Choice, isPrecise: Bool)
    /// The app left the foreground, its process ended, or the asking manager went away (J1-J3).
    case promptLostItsApp(RuleID)
    /// The app started a service, which gives it a line in Settings (S7).
    case usedLocation
    /// A provisional Always met an event that it holds back (V3).
    case provisionalEventHeld
    /// An idle moment has come for the second prompt (V4), or for a reminder (R6).
    case confirmFellDue
    case reminderFellDue
    /// The app has been out of use for the grace period (O5), and with it temporary full accuracy.
    case useEnded
    /// Temporary full accuracy goes with the process (AC12).
    case processEnded
    case settingsChanged(SettingsRow)
    case preciseSwitched(Bool)
    case locationServicesSwitched(Bool)
    case restrictionSwitched(Bool)
    case locationPrivacyReset
    /// A developer tool resets this app alone (G15).
    case appLocationReset
    case reinstalled
    /// The person tapped the location button, which shows on screen of an app in the foreground.
    case tappedLocationButton(isReadable: Bool)
    /// The person placed a widget that wants location.
    case placedWidget
    /// Four in the morning of the day after an App Clip's grant (X1).
    case appClipGrantEnded
    /// The system removed the unused App Clip (X2).
    case appClipRemoved
    /// The person has a new device, set up from a backup of the old one (G14).
    case migrated
    /// The app, or the system under it, was updated; the context is the new one (G11, G12).
    case appUpdated
}

/// Why a request has no effect. Counted, so that a silent platform is not an invisible one.
/// Raw values are the reasons in records and reports: append, never rename.
public enum IgnoreReason: String, CaseIterable, Sendable {
    case alreadyDecided = "already_decided"
    case alreadyAskedForAlways = "already_asked_for_always"
    case allowOnce = "allow_once"
    case missingUsageDescription = "missing_usage_description"
    case notInUse = "not_in_use"
    case promptOnScreen = "prompt_on_screen"
    case restricted
    case servicesOff = "services_off"
    case neverAsked = "never_asked"
    case purposeUnknown = "purpose_unknown"
    case alreadyFullAccuracy = "already_full_accuracy"
    case notAuthorized = "not_authorized"
    case noPromptOnScreen = "no_prompt_on_screen"
    case choiceNotOffered = "choice_not_offered"
    case nothingToDo = "nothing_to_do"
    case offMainThread = "off_main_thread"
    // Of what a person would do to the phone, and cannot.
    case notInstalled = "not_installed"
    case notInAppSwitcher = "not_in_app_switcher"
    case notOnScreen = "not_on_screen"
    case notOnThisIOS = "not_on_this_ios"
    case notNewer = "not_newer"
}

/// What an event brought about, told as an order. What the app hears follows from comparing the
/// status before and after, so it is not repeated here.
public enum AuthorizationEffect: Hashable, Sendable {
    /// The state changed, or did not: nothing else to do.
    case none
    case show(Prompt)
    /// The prompt on screen is gone without an answer.
    case closePrompt(PromptKind)
    /// Nothing changes, and here is why.
    case ignore(IgnoreReason)
}
