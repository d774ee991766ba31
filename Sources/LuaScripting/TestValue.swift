import Simulation

/// A value that goes between a test in Lua and the host. See `CLuaTests.h` for the bytes.
public indirect enum TestValue: Hashable, Sendable {
    case none
    case flag(Bool)
    case number(Double)
    case text(String)
    /// Lists first in the order of their places, then by name.
    case table([Entry])

    public struct Entry: Hashable, Sendable {
        public var key: TestValue
        public var value: TestValue

        public init(_ key: TestValue, _ value: TestValue) { (self.key, self.value) = (key, value) }
    }

    public static func list(_ items: [TestValue]) -> TestValue {
        .table(items.enumerated().map { Entry(.number(Double($0 + 1)), $1) })
    }

    /// Members that are `none` are left out.
    public static func named(_ members: KeyValuePairs<String, TestValue>) -> TestValue {
        .table(members.filter { $0.value != .none }.map { Entry(.text($0.key), $0.value) })
    }

    public static func optional(_ text: String?) -> TestValue { text.map { .text($0) } ?? .none }

    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

    /// The items of a table without names.
    public var list: [TestValue] { entries.filter { $0.key.number != nil }.map(\.value) }
    public var entries: [Entry] { if case .table(let entries) = self { entries } else { [] } }
    public subscript(_ name: String) -> TestValue {
        entries.first { $0.key == .text(name) }?.value ?? .none
    }
}

extension TestValue: CustomStringConvertible {
    /// As a message shows it.
    public var description: String {
        switch self {
        case .none: "nil"
        case .flag(let flag): "\(flag)"
        case .number(let number) where number.isNaN: "nan"  // Without the sign.
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): "\"\(text.prefix(64))\""
        case .table: "a table"
        }
    }
}

// MARK: - Bytes

extension TestValue {
    /// - Precondition: C has written the bytes.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [TestValue] {
        var at = 0
        var values: [TestValue] = []
        while at < bytes.count { values.append(next(bytes, &at)) }
        return values
    }

    private static func next(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> TestValue {
        let mark = bytes[at]
        at += 1
        switch mark {
        case UInt8(ascii: "t"): return .flag(true)
        case UInt8(ascii: "f"): return .flag(false)
        case UInt8(ascii: "d"):
            defer { at += 8 }
            return .number(bytes.loadUnaligned(fromByteOffset: at, as: Double.self))
        case UInt8(ascii: "s"):
            let count = Int(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            defer { at += 4 + count }
            return .text(String(decoding: bytes[(at + 4)..<(at + 4 + count)], as: UTF8.self))
        case UInt8(ascii: "{"):
            var entries: [Entry] = []
            while bytes[at] != UInt8(ascii: "}") {
                let key = next(bytes, &at)
                entries.append(Entry(key, next(bytes, &at)))
            }
            at += 1
            return .table(entries.sorted { isBefore($0.key, $1.key) })
        default: return .none
        }
    }

    private static func isBefore(_ left: TestValue, _ right: TestValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): NameText(left) < NameText(right)
        default: left.number != nil && right.number == nil
        }
    }

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .none: bytes.append(UInt8(ascii: "n"))
        case .flag(let flag): bytes.append(UInt8(ascii: flag ? "t" : "f"))
        case .number(let number):
            bytes.append(UInt8(ascii: "d"))
            withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
        case .text(let text):
            bytes.append(UInt8(ascii: "s"))
            withUnsafeBytes(of: UInt32(text.utf8.count)) { bytes.append(contentsOf: $0) }
            bytes += text.utf8
        case .table(let entries):
            bytes.append(UInt8(ascii: "{"))
            for entry in entries {
                entry.key.append(to: &bytes)
                entry.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
