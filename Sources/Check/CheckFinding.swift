import AuthorizationCore
import Simulation

/// Something about a file that its author should know.
public struct CheckFinding: Hashable, Sendable {
    /// Worst first. Raw values are words of JSON.
    public enum Severity: String, CaseIterable, Sendable { case error, warning, note }

    /// Raw values are stable words: append, never rename. Those of scenarios are the words of
    /// `BundleError`.
    public enum Code: String, CaseIterable, Sendable {
        // A file as a whole.
        case unknownEnding = "unknown_ending"
        case missingFile = "missing_file"
        case unreadableFile = "unreadable_file"
        case tooLarge = "too_large"
        case notUTF8 = "not_utf8"
        // A scenario.
        case malformedJSON = "malformed_json"
        case unknownKey = "unknown_key"
        case missingKey = "missing_key"
        case invalidValue = "invalid_value"
        case duplicateName = "duplicate_name"
        case tooMany = "too_many"
        /// A funnel's step that no script takes.
        case unmadeStep = "unmade_step"
        // An Info.plist.
        case malformedPlist = "malformed_plist"
        /// A finding of `locfleet lint`, whose code stands in `lint`.
        case plist
        // A script, before it runs.
        case syntax
        /// It fails while it is loaded.
        case script
        case sharedState = "shared_state"
        case unknownHook = "unknown_hook"
        case otherKindsHook = "other_kinds_hook"
        case missingHook = "missing_hook"
        case badOption = "bad_option"
        case undescribedOption = "undescribed_option"
        case unusedOption = "unused_option"
        case listWithHole = "list_with_hole"
        case unknownFeature = "unknown_feature"
        // A script, in the dry run.
        case failingHook = "failing_hook"
        case budgetExhausted = "budget_exhausted"
        case absentChoice = "absent_choice"
        case absentCall = "absent_call"
        case probability
        case weights
        case weightsSum = "weights_sum"
        case outOfMemory = "out_of_memory"
        case untriedHook = "untried_hook"
        /// A hook that is no function.
        case hookNoFunction = "hook_no_function"
        /// A source that the list of sources does not have.
        case unknownSource = "unknown_source"
        /// A comparison with a word that the field never has.
        case unknownWord = "unknown_word"
        /// `next_open` has never returned anything.
        case neverOpens = "never_opens"
        /// Seconds that look like another unit.
        case implausibleSpan = "implausible_span"
    }

    public var code: Code
    public var severity: Severity
    /// As the person named it, or where it was found.
    public var file: String
    /// From 1.
    public var line: Int?
    /// Of a scenario or an Info.plist, dotted.
    public var key: String?
    public var hook: HookName?
    /// Hooks beside that one in which the same happens.
    public var otherHooks: [HookName] = []
    /// The arms in which it is so; empty where that does not matter, or it is so in all.
    public var arms: [String] = []
    /// Calls of the dry run in which it happened; 0 for what the dry run does not count.
    public var callCount = 0
    /// What is so, and what would be accepted.
    public var reason: String
    /// What a hook was called with.
    public var input: String?
    /// On which versions it happens; empty where that does not matter.
    public var versions: [IOSVersion] = []
    /// The code of `locfleet lint`, of a finding `plist`.
    public var lint: String?
    /// How many it stands for: above 1 for those that are not told one by one.
    public var count = 1

    public init(
        _ code: Code, _ severity: Severity, _ file: String, line: Int? = nil, _ reason: String
    ) {
        (self.code, self.severity) = (code, severity)
        (self.file, self.line, self.reason) = (file, line, reason)
    }
}
