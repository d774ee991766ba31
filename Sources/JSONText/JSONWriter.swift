/// Writes JSON into bytes, value by value, in the order of the calls.
///
/// The caller keeps the grammar: in an object each value follows its `key`. Names are not checked
/// for being given twice.
public struct JSONWriter: Sendable {
    public enum Layout: Sendable {
        /// On one line, without a space: for records and for what is hashed.
        case compact
        /// One element a line, indented by two spaces: for people.
        case pretty
    }

    public private(set) var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0
    private var isFirst = true
    private var isAfterKey = false

    public init(_ layout: Layout = .compact) { self.layout = layout }

    /// What has been written, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties the writer for the next value and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (depth, isFirst, isAfterKey) = (0, true, false)
    }

    // MARK: - Objects and arrays

    public mutating func object<Failure: Error>(
        _ members: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try nest("{", "}", members)
    }

    public mutating func array<Failure: Error>(
        _ items: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try nest("[", "]", items)
    }

    /// The name of the member whose value comes next.
    public mutating func key(_ name: String) {
        begin()
        append(quoting: name)
        bytes.append(UInt8(ascii: ":"))
        if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
    }

    // MARK: - Values

    public mutating func string(_ value: String) {
        begin()
        append(quoting: value)
    }

    public mutating func integer(_ value: some BinaryInteger) {
        begin()
        bytes += String(value).utf8
    }

    /// The shortest decimal that reads as `value` again; without a fraction where it has none.
    /// What JSON cannot say, infinities and NaN, is null.
    public mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        begin()
        let text = value.description
        bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    }

    public mutating func bool(_ value: Bool) {
        begin()
        bytes += (value ? "true" : "false").utf8
    }

    public mutating func null() {
        begin()
        bytes += "null".utf8
    }

    /// A value that is JSON already, on one line.
    public mutating func json(_ text: String) {
        begin()
        bytes += text.utf8
    }

    // MARK: - Members

    public mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    public mutating func member(_ name: String, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    public mutating func member(_ name: String, _ value: Double) {
        key(name)
        double(value)
    }

    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    // MARK: - Layout

    private mutating func nest<Failure: Error>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ inside: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin()
        bytes.append(UInt8(ascii: open))
        (depth, isFirst) = (depth + 1, true)
        try inside(&self)
        depth -= 1
        if layout == .pretty, !isFirst { newLine() }
        bytes.append(UInt8(ascii: close))
        isFirst = false
    }

    /// Comma and line break before an element.
    private mutating func begin() {
        if isAfterKey {
            isAfterKey = false
        } else {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            if layout == .pretty, depth > 0 { newLine() }
        }
        isFirst = false
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes += "  ".utf8 }
    }

    private mutating func append(quoting string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case ..<0x20:
                bytes += "\\u00".utf8
                bytes += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
