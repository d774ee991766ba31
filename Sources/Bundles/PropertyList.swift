import Foundation

/// A property list as it stands in its file: every key, whatever the rules make of it.
public struct PropertyList: Sendable {
    /// Raw values are words for people.
    public enum Format: String, Sendable {
        case xml = "XML"
        case binary
        case oldStyle = "old-style"
    }

    /// A value, as far as a checker of Info.plist looks: what lies deeper is its kind alone.
    public indirect enum Value: Hashable, Sendable {
        case text(String)
        case boolean(Bool)
        case list([Value])
        /// In the order of the keys.
        case dictionary([Entry])
        /// In words: "a number".
        case other(kind: String)
    }

    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: Value
    }

    public let format: Format
    /// In the order of the keys.
    public let entries: [Entry]
    /// Where keys stand; empty where the format has no lines to name.
    public let keyLines: PlistKeyLines

    /// - Parameter path: for messages.
    /// - Throws: `malformed_plist`.
    public init(_ bytes: [UInt8], path: String) throws(BundleError) {
        let root = try InfoPlist.dictionary(bytes, path: path)
        let isXML = bytes.drop { $0 <= 0x20 || $0 > 0x7F }.first == UInt8(ascii: "<")
        format = bytes.starts(with: "bplist".utf8) ? .binary : isXML ? .xml : .oldStyle
        entries = Self.entries(of: root, depth: 2)
        keyLines = isXML ? PlistKeyLines(bytes) : PlistKeyLines()
    }

    /// Reads the file at `path`.
    ///
    /// - Throws: also `missing_file`, `unreadable_file` and `too_large`.
    public init(contentsOf path: String) throws(BundleError) {
        let bytes: [UInt8]
        do throws(FileFinder.Failure) {
            bytes = try FileFinder.read(path, bytesMax: ScenarioLimits.plistBytesMax)
        } catch { throw BundleError(error.code, place: path, error.message) }
        try self.init(bytes, path: path)
    }

    public subscript(_ key: String) -> Value? { entries.first { $0.key == key }?.value }

    /// No deeper than `depth`: in a binary list, what is shared may unfold without end.
    private static func entries(of values: [String: Any], depth: Int) -> [Entry] {
        values.keys.sorted().map { key in
            Entry(key: key, value: values[key].map { value(of: $0, depth: depth) } ?? .list([]))
        }
    }

    private static func value(of value: Any, depth: Int) -> Value {
        if isBoolean(value) { return .boolean(value as? Bool ?? false) }
        if let text = value as? String { return .text(text) }
        guard depth > 0 else { return .other(kind: InfoPlist.kind(of: value)) }
        if let values = value as? [String: Any] {
            return .dictionary(entries(of: values, depth: depth - 1))
        }
        if let values = value as? [Any] {
            return .list(values.map { Self.value(of: $0, depth: depth - 1) })
        }
        return .other(kind: InfoPlist.kind(of: value))
    }
}

extension PropertyList.Value {
    /// In words: "text", "an array".
    public var kind: String {
        switch self {
        case .text: "text"
        case .boolean: "a Boolean"
        case .list: "an array"
        case .dictionary: "a dictionary"
        case .other(let kind): kind
        }
    }
}

/// The source of a strategy, found as `--arm` finds one.
public enum StrategyFile {
    /// - Returns: its name for messages, and its text.
    public static func read(
        _ name: String, library: [URL]
    ) throws(BundleError) -> (path: String, text: String) {
        let found: (path: String, bytes: [UInt8])
        do throws(FileFinder.Failure) {
            found = try FileFinder(scenarioPath: "", library: library).find(
                name, .strategy, bytesMax: ScenarioLimits.scriptBytesMax, isTyped: true)
        } catch { throw BundleError(error.code, place: name, error.message) }
        guard let text = String(validating: found.bytes, as: UTF8.self) else {
            throw BundleError(.notUTF8, place: name, "a script is text in UTF-8")
        }
        return (name, text)
    }
}
