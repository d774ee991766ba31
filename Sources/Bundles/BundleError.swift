/// Why a scenario, or a file that it names, cannot be used: one line that says what is true and
/// what would be accepted.
public struct BundleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Raw values are stable words: append, never rename.
    public enum Code: String, CaseIterable, Sendable {
        case missingFile = "missing_file"
        case unreadableFile = "unreadable_file"
        case tooLarge = "too_large"
        case notUTF8 = "not_utf8"
        case malformedJSON = "malformed_json"
        case malformedPlist = "malformed_plist"
        case unknownKey = "unknown_key"
        case missingKey = "missing_key"
        case invalidValue = "invalid_value"
        case duplicateName = "duplicate_name"
        case tooMany = "too_many"
        /// The script bridge refused a script.
        case script
    }

    public let code: Code
    /// The file as the person named it, or the option of the command line: `--set KEY`.
    public let place: String
    /// From 1; nil where the place is a whole file or an option.
    public let line: Int?
    public let column: Int?
    /// The dotted path of the key, empty where the place is a whole file.
    public let key: String
    public let message: String
    /// How many it stands for: above 1 for those that are not told one by one.
    public internal(set) var count = 1

    public init(
        _ code: Code, place: String, line: Int? = nil, column: Int? = nil, key: String = "",
        _ message: String
    ) {
        (self.code, self.place, self.line, self.column) = (code, place, line, column)
        (self.key, self.message) = (key, message)
    }

    /// `config/x.json5:12:7: personas[1].weight: a weight is above 0, not 0`.
    public var description: String {
        var text = place
        if let line { text += ":\(line)" }
        if let column { text += ":\(column)" }
        if !key.isEmpty, !place.hasSuffix("--set \(key)"), place != "--\(key)" {
            text += ": \(key)"
        }
        return "\(text): \(message)"
    }
}
