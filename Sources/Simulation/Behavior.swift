import AuthorizationCore
import DeviceCore
import SimPrimitives

/// The person in hand, as scripts see them. Valid during one call.
public struct PersonView: Sendable {
    public var device: DeviceID
    /// The device's number within its block: whose `self`.
    public var indexInBlock: UInt32
    /// Index into `Scenario.personas`.
    public var persona: UInt16
    public var ios: IOSVersion
    public var status: VisibleStatus
    public var time: SimTime

    public init(
        device: DeviceID, indexInBlock: UInt32, persona: UInt16, ios: IOSVersion,
        status: VisibleStatus, time: SimTime
    ) {
        (self.device, self.indexInBlock, self.persona) = (device, indexInBlock, persona)
        (self.ios, self.status, self.time) = (ios, status, time)
    }
}

/// How a simulated person behaves. A port: the script bridge implements it, and so do test doubles.
///
/// One behavior serves one persona within one block. Every method draws from `random` alone, and
/// appends what the person does to the phone to `acts`, to be carried out afterwards, in order.
/// A method whose hook is absent from `hooks` is never called.
///
/// Throws `HookError`: the caller falls back, or ends the run.
public protocol Behavior: AnyObject {
    var hooks: HookSet { get }

    func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError)
    /// How long until the person opens the app next; nil: never again.
    func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration?
    /// How long the app stays in the foreground.
    func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration
    /// The feature tapped next, an index into `Scenario.features`, and when; nil: none.
    func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap?
    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply
    func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer
    func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer
    func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError)
}

/// What a person does to the phone: the `phone` table of behaviors. At the end, what a behavior
/// notes of a person.
public enum PhoneAct: Hashable, Sendable {
    /// Chooses this row of the app's page in Settings.
    case settings(SettingsRow)
    case precise(Bool)
    case locationServices(Bool)
    case forceQuit
    case deleteApp
    /// Deletes the app now and installs it again after this long.
    case reinstall(after: SimDuration)
    /// Screen Time or a profile forbids changes of location, or no longer does.
    case restriction(Bool)
    case resetLocationPrivacy
    /// Restarts the phone and unlocks it.
    case reboot
    /// To this version, where the device runs an older one.
    case upgradeOS(IOSVersion)
    /// Goes on with a new phone, set up from a backup of this one.
    case migrateDevice
    /// The app's switch of Background App Refresh.
    case backgroundRefresh(Bool)
    /// Places a widget of the app's that wants location.
    case placeWidget
    /// The location button in the app.
    case tapLocationButton
    /// A step for funnels.
    case milestone(NameID)
    case metric(ScriptMetric)
}

public struct Tap: Hashable, Sendable {
    public var feature: Int
    public var after: SimDuration

    public init(feature: Int, after: SimDuration) { (self.feature, self.after) = (feature, after) }
}

/// A prompt as the person in front of it perceives it.
public struct Question: Sendable {
    public var kind: PromptKind
    public var choices: ChoiceSet
    /// Counts the prompts of this kind on this device, from 1.
    public var ordinal: UInt32
    /// Prompts of all kinds that this device has shown before.
    public var askedBefore: UInt32
    /// A screen of the app's own has just explained it.
    public var isPrimed: Bool
    /// The person has just tapped something that needs it.
    public var isExpected: Bool
    /// The usage description that the prompt shows; empty where it shows none.
    public var purpose: UsageText

    public init(
        _ kind: PromptKind, choices: ChoiceSet, ordinal: UInt32, askedBefore: UInt32,
        isPrimed: Bool, isExpected: Bool, purpose: UsageText
    ) {
        (self.kind, self.choices, self.ordinal) = (kind, choices, ordinal)
        (self.askedBefore, self.isPrimed) = (askedBefore, isPrimed)
        (self.isExpected, self.purpose) = (isExpected, purpose)
    }
}

/// Which text of the Info.plist a prompt shows (I12). The texts are in `Scenario.App.usageTexts`.
public enum UsageText: Int, CaseIterable, Sendable { case none, whenInUse, always }

public struct Reply: Hashable, Sendable {
    public var choice: Choice
    /// How long the person thinks first; nil: as long as the scenario says.
    public var after: SimDuration?
    /// False when the person turns Precise Location off.
    public var isPrecise: Bool
    public var pick: Pick?

    public init(
        _ choice: Choice, after: SimDuration? = nil, isPrecise: Bool = true, pick: Pick? = nil
    ) {
        (self.choice, self.after, self.isPrecise, self.pick) = (choice, after, isPrecise, pick)
    }
}
