/// A name that a record or a counter carries: a feature, an outcome, a milestone, a primer.
///
/// Stands for the same text only within one block; what leaves a block is text.
public struct NameID: Hashable, Comparable, Sendable {
    public let index: UInt16

    @inlinable public init(_ index: UInt16) { self.index = index }
    @inlinable public static func < (left: NameID, right: NameID) -> Bool {
        left.index < right.index
    }
}

/// A name as text: the same only where its bytes are, and in their order.
///
/// Swift takes "e" with a combining accent for "é". A script does not: what it has counted under
/// two spellings are two things.
public struct NameText: Hashable, Comparable, ExpressibleByStringInterpolation, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    public static func == (left: NameText, right: NameText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    public static func < (left: NameText, right: NameText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The names of one block: those of the scenario first, then what scripts bring, as they come.
///
/// A class, because the script bridge and the runner of a block share one.
public final class NameTable {
    /// Names of one block. Reaching it ends the run: whose name is the first too many depends on
    /// the neighbors.
    public static let countMax = 4_096
    /// Bytes of one name, in UTF-8. A longer one fails the script that uses it.
    public static let bytesMax = 64

    public private(set) var texts: [String] = []
    /// Digests of the texts: what the record digest takes, since numbers differ between blocks.
    @exclusivity(unchecked) private(set) var hashes: [UInt64] = []
    private var numbers: [NameText: NameID] = [:]

    public init(_ names: [String] = []) {
        for name in names { _ = id(of: name) }
    }

    /// The number of `text`, a new one if need be; nil when the table is full.
    public func id(of text: String) -> NameID? {
        if let known = numbers[NameText(text)] { return known }
        guard texts.count < Self.countMax else { return nil }
        let id = NameID(UInt16(texts.count))
        texts.append(text)
        hashes.append(RecordDigest.hash(of: text))
        numbers[NameText(text)] = id
        return id
    }

    public subscript(id: NameID) -> String { texts[Int(id.index)] }
    func hash(_ id: NameID) -> UInt64 { hashes[Int(id.index)] }
}
