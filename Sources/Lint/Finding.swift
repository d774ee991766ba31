import AuthorizationCore

/// Something about a configuration that somebody should know.
public struct Finding: Hashable, Sendable {
    /// Worst first. Raw values are words of JSON.
    public enum Severity: String, CaseIterable, Sendable { case error, warning, information }

    /// Raw values are stable words: append, never rename.
    public enum Code: String, CaseIterable, Sendable {
        case missingWhenInUseText = "missing_when_in_use_text"
        case missingAlwaysText = "missing_always_text"
        case storeWantsAlwaysText = "store_wants_always_text"
        case emptyText = "empty_text"
        case placeholderText = "placeholder_text"
        case genericText = "generic_text"
        case ignoredType = "ignored_type"
        case obsoleteKey = "obsolete_key"
        case backgroundUpdatesWithoutMode = "background_updates_without_mode"
        case otherMode = "other_mode"
        case unknownPurpose = "unknown_purpose"
        case onlyNewCallback = "only_new_callback"
        case onlyOldCallback = "only_old_callback"
        case classMethodStatus = "class_method_status"
        case backToBack = "back_to_back"
        case alwaysWithoutWhenInUse = "always_without_when_in_use"
        case reducedWithoutPurposes = "reduced_without_purposes"
        case restrictedUnlikeDenied = "restricted_unlike_denied"
        case duplicateKey = "duplicate_key"
        case unknownKey = "unknown_key"
        case unknownMode = "unknown_mode"
        case missingLocationMode = "missing_location_mode"
        case needsAlways = "needs_always"
        case absentService = "absent_service"
        case requestOffMain = "request_off_main"
        case reducedByDefault = "reduced_by_default"
        case missingFetchMode = "missing_fetch_mode"
        case unusableMinimum = "unusable_minimum"
        case buildVariable = "build_variable"

        /// LI: section 2.1 of the specification. LX: this checker's own.
        public var number: String {
            switch self {
            case .missingWhenInUseText, .missingAlwaysText: "LI1"
            case .storeWantsAlwaysText: "LI2"
            case .emptyText: "LI3"
            case .placeholderText, .buildVariable: "LI4"
            case .genericText: "LI5"
            case .ignoredType: "LI6"
            case .obsoleteKey: "LI7"
            case .backgroundUpdatesWithoutMode: "LI9"
            case .otherMode: "LI10"
            case .unknownPurpose: "LI11"
            case .onlyNewCallback, .onlyOldCallback: "LI12"
            case .classMethodStatus: "LI13"
            case .backToBack, .requestOffMain: "LI14"
            case .alwaysWithoutWhenInUse, .reducedWithoutPurposes: "LI15"
            case .restrictedUnlikeDenied: "LI16"
            case .duplicateKey: "LX1"
            case .unknownKey: "LX2"
            case .unknownMode: "LX3"
            case .missingLocationMode: "LX4"
            case .needsAlways: "LX5"
            case .absentService: "LX6"
            case .reducedByDefault: "LX7"
            case .missingFetchMode: "LX8"
            case .unusableMinimum: "LX9"
            }
        }
    }

    /// What a line counts in.
    public enum Place: String, Sendable { case plist, strategy }

    public var code: Code
    public var severity: Severity
    /// Oldest first, never empty.
    public var versions: [IOSVersion]
    public var place: Place
    /// The key of the Info.plist that it is about; with a dot, one of a dictionary.
    public var key: String?
    /// From 1.
    public var line: Int?
    /// What is so, and what comes of it: a sentence or two.
    public var reason: String
    /// What to write.
    public var mend: String
}
