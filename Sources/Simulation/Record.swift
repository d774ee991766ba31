import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One thing that happened: the unit of logs, digests and sinks.
public struct Record: Sendable {
    public let time: SimTime
    public let device: DeviceID
    /// The device's own count, from 0.
    public let ordinal: UInt32
    public let content: RecordContent
    public let note: RecordNote

    @inlinable
    public init(
        time: SimTime, device: DeviceID, ordinal: UInt32, content: RecordContent,
        note: RecordNote = RecordNote()
    ) {
        (self.time, self.device, self.ordinal, self.content) = (time, device, ordinal, content)
        self.note = note
    }

    public var key: RecordKey { RecordKey(time: time, device: device, ordinal: ordinal) }
}

/// Where a record stands in the order of all records.
///
/// Time first, then device, then the device's own count. No part of it depends on which worker ran
/// the device or where an epoch ended. The order of these fields is the replay format.
public struct RecordKey: Hashable, Comparable, Sendable {
    public let time: SimTime
    public let device: DeviceID
    public let ordinal: UInt32

    @inlinable
    public init(time: SimTime, device: DeviceID, ordinal: UInt32) {
        (self.time, self.device, self.ordinal) = (time, device, ordinal)
    }

    @inlinable
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.device != right.device { return left.device < right.device }
        return left.ordinal < right.ordinal
    }
}

/// What a record says. The order of the cases is the replay format: append.
public enum RecordContent: Sendable {
    case installed
    case opened(Launch)
    case closed(Closing)
    case tapped(feature: NameID)
    case feature(NameID, outcome: NameID)
    case primer(id: NameID, PrimerAnswer)
    case settingsAlert(SettingsAlertAnswer)
    case prompt(PromptShown)
    case answer(PromptAnswered)
    /// The prompt went away without an answer: `answer` with no choice.
    case unanswered(PromptKind, RuleID)
    case status(visible: VisibleStatus, true: TrueStatus, RuleID)
    /// `accuracy` is nil before iOS 14, which has no such notion (AC14).
    case callback(VisibleStatus, Accuracy?)
    case requestIgnored(AppRequest, IgnoreReason, RuleID)
    case settings(SettingsVisit)
    case world(WorldChange)
    case milestone(NameID)
    case scriptFailure(ScriptFailurePlace)
    /// The device runs another version of iOS: `world` with the version.
    case upgraded(IOSVersion)
    /// A position that reached the app, in whole millimeters from `Movement.origin`.
    case fix(eastMillimeters: Int32, northMillimeters: Int32)
    /// A position inside a region of `Movement.regions` after one outside, or the reverse.
    case crossing(region: NameID, isEntry: Bool)
    /// Another script, or other options of this one: `world`. An index into `Scenario.scripts`.
    case recast(Recast, script: UInt16)
}

/// Who plays something else from now on. Raw values are those of `InterventionAction.Kind`.
public enum Recast: String, CaseIterable, Sendable {
    case strategy, behavior, options
    case appOptions = "app_options"
}

public enum Launch: String, CaseIterable, Sendable { case person, system }

/// Where the app went when it left the foreground, or how its process ended.
public enum Closing: String, CaseIterable, Sendable {
    case background, terminated, crashed, deleted
    case forceQuit = "force_quit"
}

public enum PrimerAnswer: String, CaseIterable, Sendable {
    case `continue`
    case notNow = "not_now"
}

public enum SettingsAlertAnswer: String, CaseIterable, Sendable {
    case openSettings = "open_settings"
    case cancel
}

public struct PromptShown: Hashable, Sendable {
    public var kind: PromptKind
    /// Counts the prompts of this kind on this device, from 1.
    public var ordinal: UInt32
    public var choices: ChoiceSet
    public var isPrimed: Bool
    public var isExpected: Bool

    public init(
        _ kind: PromptKind, ordinal: UInt32, choices: ChoiceSet, isPrimed: Bool, isExpected: Bool
    ) {
        (self.kind, self.ordinal, self.choices) = (kind, ordinal, choices)
        (self.isPrimed, self.isExpected) = (isPrimed, isExpected)
    }
}

public struct PromptAnswered: Hashable, Sendable {
    public var kind: PromptKind
    public var choice: Choice
    /// False: the Precise switch in the prompt was turned off first.
    public var isPrecise: Bool
    /// The chance that the script gave its pick, and the number drawn; nil where it drew none.
    public var pick: Pick?

    public init(_ kind: PromptKind, _ choice: Choice, isPrecise: Bool, pick: Pick?) {
        (self.kind, self.choice, self.isPrecise, self.pick) = (kind, choice, isPrecise, pick)
    }
}

/// The last draw by which a script decided: `rng.pick` or `rng.chance`.
public struct Pick: Hashable, Sendable {
    /// The share of what was picked among all weights, in 0 ... 1.
    public var share: Double
    /// The uniform number that picked it, in 0 ..< 1.
    public var draw: Double

    public init(share: Double, draw: Double) { (self.share, self.draw) = (share, draw) }
}

/// The buttons of a prompt: bit `i` stands for `Choice.allCases[i]`.
public struct ChoiceSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(_ choices: [Choice]) {
        self.init(rawValue: choices.reduce(0) { $0 | 1 << UInt16($1.index) })
    }

    @inlinable
    public func contains(_ choice: Choice) -> Bool { rawValue >> UInt16(choice.index) & 1 == 1 }
}

/// What the person did in Settings.
public enum SettingsVisit: Hashable, Sendable {
    case row(SettingsRow)
    case precise(Bool)
    case locationServices(Bool)
}

/// What happened to the device at large. Raw values are the words of scripts and records.
public enum WorldChange: String, CaseIterable, Sendable {
    case forceQuit = "force_quit"
    case deleteApp = "delete_app"
    case reinstall
    case restrictionOn = "restriction_on"
    case restrictionOff = "restriction_off"
    case resetLocationPrivacy = "reset_location_privacy"
    case reboot
    case backgroundRefreshOn = "background_app_refresh_on"
    case backgroundRefreshOff = "background_app_refresh_off"
    case updateApp = "update_app"
    case placeWidget = "place_widget"
    case tapLocationButton = "tap_location_button"
    /// The system did, after disuse (X2).
    case removeAppClip = "remove_app_clip"
    case migrateDevice = "migrate_device"
}

/// Where a script failed and how.
public struct ScriptFailurePlace: Hashable, Sendable {
    /// Index into `Scenario.scripts`.
    public var script: UInt16
    public var hook: HookName
    public var code: ScriptFailureCode
    /// 0 where the failure has no line.
    public var line: UInt32

    public init(script: UInt16, hook: HookName, code: ScriptFailureCode, line: UInt32) {
        (self.script, self.hook, self.code, self.line) = (script, hook, code, line)
    }
}
