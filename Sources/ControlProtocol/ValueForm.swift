import JSONText

/// What a JSON value has to be: a parameter of a method, or a part of its result.
///
/// The one source of what the daemon accepts, of what it says when it does not, and of the JSON
/// Schema that clients are given.
public indirect enum ValueForm: Sendable {
    case bool
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// A whole number, at least 0, that may have 64 bits.
    case count
    /// A finite number.
    case number(ClosedRange<Double>)
    /// A finite number above 0 and up to this.
    case share(upTo: Double)
    /// A finite number.
    case anyNumber
    /// So many bytes of UTF-8.
    case text(ClosedRange<Int>)
    case fleetName
    /// 64 hexadecimal digits in lower case.
    case sha256
    /// The same, which may have "sha256:" before it, as results and reports have it.
    case bundle
    case base64
    /// As `FleetRate` reads it.
    case rate
    case choice([String])
    case list(of: ValueForm, ClosedRange<Int>)
    /// Some of these, each at most once.
    case choices([String])
    /// A string, a finite number, true, false or null.
    case scalar
    /// The same, or an object of such values.
    case scalarOrMap
    case nullable(ValueForm)
    /// An object with these members, and where it is open with others too.
    case object([ValueEntry], isOpen: Bool)
    /// An object whose members all have this form.
    case map(of: ValueForm)
    /// A form that has a name among the schemas of the protocol.
    case named(String, ValueForm)

    /// A text without a limit of its own.
    static let text = text(1...ControlRequest.textBytesMax)
    /// Of any length.
    static let longText = text(0...Int.max)
    static let device = integer(0...Int(UInt32.max))
    static let wholeNumber = integer(0...ControlRequest.integerMax)
    /// At least 0.
    static let amount = number(0...Double.greatestFiniteMagnitude)

    /// Of any length.
    static func list(of form: ValueForm) -> ValueForm { .list(of: form, 0...Int.max) }
    /// Which may have other members too.
    static func open(_ members: [ValueEntry]) -> ValueForm { .object(members, isOpen: true) }
    static func object(_ members: [ValueEntry]) -> ValueForm { .object(members, isOpen: false) }

    // MARK: - What is accepted

    public func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .bool: if case .bool = value { true } else { false }
        case .integer(let range): value.number.flatMap { Int($0) }.map(range.contains) ?? false
        case .count: value.number.map { UInt64($0) != nil } ?? false
        case .number(let range): value.finite.map(range.contains) ?? false
        case .share(let most): value.finite.map { $0 > 0 && $0 <= most } ?? false
        case .anyNumber: value.finite != nil
        case .text(let bytes): value.string.map { bytes ~= $0.utf8.count } ?? false
        case .fleetName: value.string.map(Self.isFleetName) ?? false
        case .sha256: value.string.map(Self.isSHA256) ?? false
        case .bundle: value.string.map { Self.isSHA256(Self.digits(ofBundle: $0)) } ?? false
        case .base64: value.string.map { Base64.decode($0) != nil } ?? false
        case .rate: value.string.map { FleetRate($0) != nil } ?? false
        case .choice(let words): value.string.map(words.contains) ?? false
        case .list(let form, let counts):
            value.array.map { items in
                counts ~= items.count && items.allSatisfy { form.accepts($0.value) }
            } ?? false
        case .choices(let words):
            value.array.map { items in
                let given = items.compactMap { $0.string }
                return given.count == items.count && given.allSatisfy(words.contains)
                    && Set(given).count == given.count
            } ?? false
        case .scalar:
            switch value {
            case .null, .bool: true
            case .number: value.finite != nil
            case .string(let text): text.utf8.count <= ControlRequest.textBytesMax
            case .array, .object: false
            }
        case .scalarOrMap:
            Self.scalar.accepts(value)
                || value.members?.allSatisfy { Self.scalar.accepts($0.node.value) } ?? false
        case .nullable(let form): if case .null = value { true } else { form.accepts(value) }
        case .object(let entries, let isOpen):
            value.members.map { Self.accept(entries, isOpen, $0) } ?? false
        case .map(let form): value.members?.allSatisfy { form.accepts($0.node.value) } ?? false
        case .named(_, let form): form.accepts(value)
        }
    }

    private static func accept(
        _ entries: [ValueEntry], _ isOpen: Bool, _ members: [JSONMember]
    ) -> Bool {
        let isWhole = entries.allSatisfy { entry in
            guard let member = members.first(where: { $0.name == entry.name }) else {
                return !entry.isRequired
            }
            return entry.form.accepts(member.node.value)
        }
        let names = Set(entries.map(\.name))
        return isWhole && (isOpen || members.allSatisfy { names.contains($0.name) })
    }

    private static func isFleetName(_ text: String) -> Bool {
        let isMark = { (byte: UInt8) in byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") }
        guard let first = text.utf8.first, !isMark(first) else { return false }
        return text.utf8.count <= ControlRequest.nameBytesMax
            && text.utf8.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "A"..."Z", "a"..."z", "0"..."9", "_", ".", "-": true
                default: false
                }
            }
    }

    static func digits(ofBundle text: String) -> String {
        text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
    }

    private static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.unicodeScalars.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
    }

    // MARK: - For people

    /// What is accepted: "a whole number in 1...10".
    public var claim: String {
        switch self {
        case .bool: "true or false"
        case .integer(let range): "a whole number in \(range)"
        case .count: "a whole number, at least 0"
        case .number(let range) where range.upperBound == .greatestFiniteMagnitude:
            "a number, at least \(plain(range.lowerBound))"
        case .number(let range):
            "a number in \(plain(range.lowerBound))...\(plain(range.upperBound))"
        case .share(let most): "a number over 0 and up to \(plain(most))"
        case .anyNumber: "a number"
        case .text(let bytes) where bytes.upperBound == .max: "a string"
        case .text(let bytes) where bytes.lowerBound == 0:
            "a string of up to \(bytes.upperBound) bytes"
        case .text(let bytes):
            "a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
        case .fleetName:
            "1 to \(ControlRequest.nameBytesMax) of A-Z, a-z, 0-9, '.', '_' and '-', "
                + "not beginning with '.' or '-'"
        case .sha256: "a SHA-256 as 64 hexadecimal digits in lower case"
        case .bundle:
            "a SHA-256 as 64 hexadecimal digits in lower case, with or without \"sha256:\" before "
                + "them"
        case .base64: "base64, padded and without spaces"
        case .rate:
            "\"max\", or a ratio to wall time in \(plain(FleetRate.ratios.lowerBound))..."
                + "\(plain(FleetRate.ratios.upperBound)) such as \"60x\" or \"0.5x\""
        case .choice(let words): listed(words, "or")
        case .list(let form, let counts) where counts.upperBound == .max:
            "a list, each \(form.claim)"
        case .list(let form, let counts) where counts.lowerBound == 0:
            "a list of up to \(counts.upperBound), each \(form.claim)"
        case .list(let form, let counts):
            "a list of \(counts.lowerBound) to \(counts.upperBound), each \(form.claim)"
        case .choices(let words): "a list of \(listed(words, "and")), each at most once"
        case .scalar:
            "a string of up to \(ControlRequest.textBytesMax) bytes, a finite number, true, false "
                + "or null"
        case .scalarOrMap:
            "a string of up to \(ControlRequest.textBytesMax) bytes, a finite number, true, false, "
                + "null, or an object of such values"
        case .nullable(let form): form.claim
        case .object: "an object"
        case .map(let form): "an object whose members are each \(form.claim)"
        case .named(_, let form): form.claim
        }
    }
}

/// `number` without a fraction where it has none.
func plain(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// `"a", "b" or "c"`.
private func listed(_ words: [String], _ last: String) -> String {
    let words = words.map { quoted($0) }
    guard let end = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) \(end)"
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    /// As written.
    var number: String? { if case .number(let text) = self { text } else { nil } }
    var finite: Double? { number.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
    var array: [JSONNode]? { if case .array(let items) = self { items } else { nil } }
    var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }
}
