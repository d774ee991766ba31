/// What a person can tell apart. Raw values are the names in the conformance cases and in Lua.
/// The order is the replay format.
public enum PromptKind: String, CaseIterable, Sendable {
    case whenInUse = "when_in_use"
    case always
    case alwaysUpgrade = "always_upgrade"
    case alwaysConfirm = "always_confirm"
    case backgroundReminder = "background_reminder"
    case temporaryFullAccuracy = "temporary_full_accuracy"
    case locationButton = "location_button"
    case widget
    case servicesOff = "services_off"

    /// The place in `allCases`: an index for counters.
    @inlinable
    public var index: Int {
        switch self {
        case .whenInUse: 0
        case .always: 1
        case .alwaysUpgrade: 2
        case .alwaysConfirm: 3
        case .backgroundReminder: 4
        case .temporaryFullAccuracy: 5
        case .locationButton: 6
        case .widget: 7
        case .servicesOff: 8
        }
    }
}

/// A button on a prompt. Raw values are the names in the conformance cases and in Lua.
/// The order is the replay format.
public enum Choice: String, CaseIterable, Sendable {
    case dontAllow = "dont_allow"
    case allowOnce = "allow_once"
    case allowWhileUsing = "allow_while_using"
    case keepOnlyWhileUsing = "keep_only_while_using"
    case changeToAlwaysAllow = "change_to_always_allow"
    case changeToOnlyWhileUsing = "change_to_only_while_using"
    case alwaysAllow = "always_allow"
    case onlyWhileUsing = "only_while_using"
    case allow
    case cancel
    case settings

    /// The place in `allCases`.
    @inlinable
    public var index: Int {
        switch self {
        case .dontAllow: 0
        case .allowOnce: 1
        case .allowWhileUsing: 2
        case .keepOnlyWhileUsing: 3
        case .changeToAlwaysAllow: 4
        case .changeToOnlyWhileUsing: 5
        case .alwaysAllow: 6
        case .onlyWhileUsing: 7
        case .allow: 8
        case .cancel: 9
        case .settings: 10
        }
    }
}

/// A prompt on screen: its kind, and what the app had asked for.
public struct Prompt: Hashable, Sendable {
    public let kind: PromptKind
    /// Decides what Allow While Using App grants from iOS 13 on: rule A6.
    public let asked: Access

    @inlinable
    public init(_ kind: PromptKind, asked: Access = .whenInUse) {
        self.kind = kind
        self.asked = asked
    }

    /// The buttons, in the order in which the prompt shows them (section 4 of the specification).
    public func choices(on ios: IOSVersion) -> [Choice] { kind.choices(on: ios) }
}

extension PromptKind {
    /// The buttons, in the order in which the prompt shows them (section 4 of the specification).
    public func choices(on ios: IOSVersion) -> [Choice] {
        switch self {
        case .whenInUse:
            ios < .v13 ? [.allow, .dontAllow] : [.allowWhileUsing, .allowOnce, .dontAllow]  // P1-P3
        case .always:
            ios < .v11
                ? [.allow, .dontAllow] : [.onlyWhileUsing, .alwaysAllow, .dontAllow]  // P5, P6
        case .alwaysUpgrade:
            ios < .v11
                ? [.allow, .cancel]  // P16
                : ios < .v13
                    ? [.onlyWhileUsing, .alwaysAllow]  // P7
                    : [.keepOnlyWhileUsing, .changeToAlwaysAllow]  // P8
        case .alwaysConfirm: [.keepOnlyWhileUsing, .changeToAlwaysAllow]  // P9
        case .backgroundReminder:
            ios < .v13 ? [.allow, .dontAllow] : [.changeToOnlyWhileUsing, .alwaysAllow]  // P10, P11
        case .temporaryFullAccuracy, .locationButton, .widget: [.allow, .dontAllow]  // P12-P14
        case .servicesOff: [.settings, .cancel]  // P15
        }
    }

    /// The button that changes nothing or least: what stands in for a behavior that fails.
    public func fallback(on ios: IOSVersion) -> Choice {
        switch self {
        case .whenInUse, .always, .temporaryFullAccuracy, .locationButton, .widget: .dontAllow
        case .alwaysUpgrade:
            ios < .v11 ? .cancel : ios < .v13 ? .onlyWhileUsing : .keepOnlyWhileUsing
        case .alwaysConfirm: .keepOnlyWhileUsing
        case .backgroundReminder: ios < .v13 ? .allow : .alwaysAllow
        case .servicesOff: .cancel
        }
    }
}
