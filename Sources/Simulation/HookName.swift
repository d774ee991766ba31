/// Every hook of the script API. Raw values are the names in Lua; the order is the replay format.
public enum HookName: String, CaseIterable, Sendable {
    // Behavior: what a person does.
    case born
    case nextOpen = "next_open"
    case sessionLength = "session_length"
    case nextTap = "next_tap"
    case answerPrompt = "answer_prompt"
    case answerPrimer = "answer_primer"
    case answerSettingsAlert = "answer_settings_alert"
    case eachDay = "each_day"
    // Strategy: what the app does.
    case launched
    case enteredForeground = "entered_foreground"
    case enteredBackground = "entered_background"
    case tapped
    case primerAnswered = "primer_answered"
    case settingsAlertAnswered = "settings_alert_answered"
    case locationManagerDidChangeAuthorization
    case didChangeAuthorization
    case didUpdateLocations
    case didFailWithError
    case monitoringDidFail
    case didStartMonitoringFor
    case didEnterRegion
    case didExitRegion
    case didDetermineState
    case didVisit
    case didUpdateHeading
    case locationManagerDidPauseLocationUpdates
    case locationManagerDidResumeLocationUpdates
    // In Apple's spirit, where Apple has a closure or an asynchronous sequence.
    case didCompleteTemporaryFullAccuracyAuthorization
    case didReceiveMonitorEvent
    case didReceiveLiveUpdate
    case didReceiveServiceSessionDiagnostic
    // No member of a script: what a strategy sets with `app:after`, `app:every` and `app:start`.
    case timer

    public static let behavior: [HookName] = Array(allCases[...7])
    public static let strategy: [HookName] = Array(allCases[8..<timer.index])

    @inlinable public var bit: UInt64 { 1 << UInt64(index) }

    @inlinable
    public var index: Int {
        switch self {
        case .born: 0
        case .nextOpen: 1
        case .sessionLength: 2
        case .nextTap: 3
        case .answerPrompt: 4
        case .answerPrimer: 5
        case .answerSettingsAlert: 6
        case .eachDay: 7
        case .launched: 8
        case .enteredForeground: 9
        case .enteredBackground: 10
        case .tapped: 11
        case .primerAnswered: 12
        case .settingsAlertAnswered: 13
        case .locationManagerDidChangeAuthorization: 14
        case .didChangeAuthorization: 15
        case .didUpdateLocations: 16
        case .didFailWithError: 17
        case .monitoringDidFail: 18
        case .didStartMonitoringFor: 19
        case .didEnterRegion: 20
        case .didExitRegion: 21
        case .didDetermineState: 22
        case .didVisit: 23
        case .didUpdateHeading: 24
        case .locationManagerDidPauseLocationUpdates: 25
        case .locationManagerDidResumeLocationUpdates: 26
        case .didCompleteTemporaryFullAccuracyAuthorization: 27
        case .didReceiveMonitorEvent: 28
        case .didReceiveLiveUpdate: 29
        case .didReceiveServiceSessionDiagnostic: 30
        case .timer: 31
        }
    }
}

/// Which hooks a script has: an absent one is never called.
public struct HookSet: Hashable, Sendable {
    public var bits: UInt64 = 0

    public init() {}
    @inlinable
    @inline(__always)
    public func contains(_ hook: HookName) -> Bool { bits & hook.bit != 0 }
    @inlinable public mutating func insert(_ hook: HookName) { bits |= hook.bit }
}

/// Why a call of a script failed. Raw values label metrics: append, never rename.
public enum ScriptFailureCode: String, CaseIterable, Sendable {
    case runtime
    case badReply = "bad_reply"
    case budgetExhausted = "budget_exhausted"
    case stringTooLong = "string_too_long"
}

/// A script failed and the stated fallback must stand in.
public struct ScriptFailure: Error, Equatable, Sendable {
    public var place: ScriptFailurePlace
    /// For people: what was wrong, in the script author's terms.
    public var message: String

    public init(place: ScriptFailurePlace, message: String) {
        (self.place, self.message) = (place, message)
    }
}

/// Why a run cannot go on. It then has no result at all, so nothing that depends on the machine,
/// such as what fits into memory, can make two results differ.
public struct RunFailure: Error, Equatable, Sendable {
    public enum Code: String, CaseIterable, Sendable {
        case scriptMemoryExhausted = "script_memory_exhausted"
        case tooManyNames = "too_many_names"
    }

    public let code: Code
    public let device: UInt32
    /// For people: not for labels.
    public let detail: String

    public init(_ code: Code, device: UInt32, detail: String) {
        (self.code, self.device, self.detail) = (code, device, detail)
    }
}

/// What a call of a script may throw.
public enum HookError: Error, Equatable, Sendable {
    /// The device goes on with the fallback.
    case script(ScriptFailure)
    /// The run ends.
    case run(RunFailure)
}
