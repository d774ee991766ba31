import JSONText

/// Takes parameters out one by one and keeps what is wrong with them until the end, so that a
/// misspelt name is called that, and not a missing parameter.
///
/// Until `finish` a wrong value is stood in for.
struct ControlParameters {
    private var members: JSONMembers
    private var complaint: ControlError?

    init(_ members: [JSONMember]) { self.members = JSONMembers(members) }

    func finish() throws(ControlError) {
        if let (name, nearest, _) = members.stray {
            let message = unknown("parameter", name, nearest)
            throw ControlError(.unknownParameter, message, parameter: cut(name))
        }
        if let complaint { throw complaint }
    }

    // MARK: - Texts

    /// A fleet's name.
    mutating func name(_ parameter: String) -> String {
        let claim =
            "is 1 to \(ControlRequest.nameBytesMax) of A-Z, a-z, 0-9, '.', '_' and '-', "
            + "not beginning with '.' or '-'"
        return take(parameter, claim, standIn: "") { value in
            value.string.flatMap { Self.isName($0) ? $0 : nil }
        }
    }

    private static func isName(_ text: String) -> Bool {
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

    mutating func text(_ name: String) -> String {
        take(name, Self.textClaim, standIn: "", Self.text)
    }

    /// A text, or nil when it is absent or null.
    mutating func optionalText(_ name: String) -> String? {
        take(name, Self.textClaim, standIn: nil, isOptional: true) { value in
            if case .null = value { .some(nil) } else { Self.text(value).map { .some($0) } }
        }
    }

    private static let textClaim = "is a string of 1 to \(ControlRequest.textBytesMax) bytes"

    private static func text(_ value: JSONValue) -> String? {
        value.string.flatMap {
            1...ControlRequest.textBytesMax ~= $0.utf8.count ? $0 : nil
        }
    }

    mutating func types(_ name: String) -> [String] {
        let claim = "is a list of up to \(ControlRequest.typeCountMax) strings"
        return take(name, claim, standIn: [], isOptional: true) { value in
            value.list(of: Self.text).flatMap {
                $0.count <= ControlRequest.typeCountMax ? $0 : nil
            }
        }
    }

    // MARK: - Hashes and bytes

    mutating func hash(_ name: String) -> String {
        take(name, "is \(Self.hashClaim)", standIn: "", Self.hash)
    }

    mutating func hashes(_ name: String) -> [String] {
        let claim = "is a list of 1 to \(ControlRequest.hashCountMax) times \(Self.hashClaim)"
        return take(name, claim, standIn: []) { value in
            value.list(of: Self.hash).flatMap {
                1...ControlRequest.hashCountMax ~= $0.count ? $0 : nil
            }
        }
    }

    private static let hashClaim = "a SHA-256 as 64 hexadecimal digits in lower case"

    private static func hash(_ value: JSONValue) -> String? {
        guard let text = value.string, text.utf8.count == 64 else { return nil }
        let isHash = text.unicodeScalars.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
        return isHash ? text : nil
    }

    mutating func bytes(_ name: String) -> [UInt8] {
        take(name, "is base64, padded and without spaces", standIn: []) { value in
            value.string.flatMap(Base64.decode)
        }
    }

    // MARK: - Numbers

    mutating func integer(
        _ name: String, in range: ClosedRange<Int> = 0...ControlRequest.integerMax,
        default absent: Int? = nil
    ) -> Int {
        take(
            name, "is a whole number in \(range)", standIn: absent ?? range.lowerBound,
            isOptional: absent != nil
        ) { value in
            value.number.flatMap { Int($0) }.flatMap { range ~= $0 ? $0 : nil }
        }
    }

    mutating func device(_ name: String) -> UInt32 {
        take(name, Self.deviceClaim, standIn: 0, Self.device)
    }

    /// A device's number, or nil when it is absent or null.
    mutating func optionalDevice(_ name: String) -> UInt32? {
        take(name, Self.deviceClaim, standIn: nil, isOptional: true) { value in
            if case .null = value { .some(nil) } else { Self.device(value).map { .some($0) } }
        }
    }

    private static let deviceClaim = "is a whole number in 0...\(UInt32.max)"

    private static func device(_ value: JSONValue) -> UInt32? {
        value.number.flatMap { UInt32($0) }
    }

    mutating func number(
        _ name: String, _ claim: String, default absent: Double, isValid: (Double) -> Bool
    ) -> Double {
        take(name, claim, standIn: absent, isOptional: true) { value in
            value.number.flatMap { Double($0) }.flatMap { isValid($0) ? $0 : nil }
        }
    }

    // MARK: - Choices

    mutating func bool(_ name: String) -> Bool {
        take(name, "is true or false", standIn: false, isOptional: true) { value in
            if case .bool(let bool) = value { bool } else { nil }
        }
    }

    mutating func rate(_ name: String, default absent: FleetRate?) -> FleetRate {
        let claim =
            "is \"max\", or a ratio to wall time in 0.001...1000000 such as \"60x\" or \"0.5x\""
        return take(name, claim, standIn: absent ?? .max, isOptional: absent != nil) { value in
            value.string.flatMap { FleetRate($0) }
        }
    }

    mutating func groupings(_ name: String) -> [ControlRequest.Grouping] {
        let claim = "is a list of \"persona\" and \"ios\", each at most once"
        return take(name, claim, standIn: [], isOptional: true) { value in
            value.list { $0.string.flatMap { ControlRequest.Grouping(rawValue: $0) } }
                .flatMap { Set($0).count == $0.count ? $0 : nil }
        }
    }

    mutating func view() -> ControlRequest.View {
        ControlRequest.View(
            format: take("format", "is \"json\" or \"text\"", standIn: .json, isOptional: true) {
                $0.string.flatMap { ControlRequest.View.Format(rawValue: $0) }
            },
            width: integer("width", in: ControlRequest.widths, default: 80),
            color: bool("color"))
    }

    mutating func value(_ name: String) -> ControlRequest.Value? {
        let claim =
            "is a string of up to \(ControlRequest.textBytesMax) bytes, a finite number, true, "
            + "false or null"
        return take(name, claim, standIn: nil, isOptional: true) { value in
            switch value {
            case .null: .some(.some(.null))
            case .bool(let bool): .some(.some(.bool(bool)))
            case .number(let text):
                Double(text).flatMap { $0.isFinite ? .some(.some(.number($0))) : nil }
            case .string(let text):
                text.utf8.count <= ControlRequest.textBytesMax ? .some(.some(.string(text))) : nil
            case .array, .object: nil
            }
        }
    }

    // MARK: - Taking

    /// - Parameter standIn: the value when the parameter is absent, or wrong.
    private mutating func take<Value>(
        _ name: String, _ claim: String, standIn: Value, isOptional: Bool = false,
        _ read: (JSONValue) -> Value?
    ) -> Value {
        let node = members.take(name)
        if let value = node.flatMap({ read($0.value) }) { return value }
        if node == nil, isOptional { return standIn }
        let (code, claim): (ControlError.Code, String) =
            node == nil ? (.missingParameter, "is missing") : (.invalidParameter, claim)
        complaint = complaint ?? ControlError(code, "\"\(name)\" \(claim)", parameter: name)
        return standIn
    }
}

extension JSONValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate var number: String? { if case .number(let text) = self { text } else { nil } }

    /// All elements, or nil when this is no list or one of them is wrong.
    fileprivate func list<Element>(of read: (JSONValue) -> Element?) -> [Element]? {
        guard case .array(let nodes) = self else { return nil }
        let elements = nodes.compactMap { read($0.value) }
        return elements.count == nodes.count ? elements : nil
    }
}
