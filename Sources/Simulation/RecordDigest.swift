/// The digest of a device's records: a chain of 128 bits, and the order-free sum over devices.
///
/// Each chain begins with the device's number. Every record adds whole 64-bit words in pairs, so
/// two runs have equal digests only if every device has the same records in the same order. The
/// mixing is that of MurmurHash3 x64 128 (Austin Appleby, public domain): no protection against a
/// forger, and none is needed.
public struct RecordDigest: Hashable, Sendable {
    /// Of the canonical form. A change of a record's fields, or of an order that the comments call
    /// the replay format, raises it.
    public static let version: UInt64 = 1

    public private(set) var low: UInt64
    public private(set) var high: UInt64

    /// The sum of no devices.
    public static let zero = RecordDigest(low: 0, high: 0)

    private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    /// The beginning of a device's chain.
    public init(device: UInt32) {
        self.init(low: 0, high: 0)
        add(Self.version, UInt64(device))
    }

    /// Adds a pair of words to the chain. One-to-one in the words: nothing is lost.
    @inline(__always)
    public mutating func add(_ first: UInt64, _ second: UInt64) {
        let (c1, c2): (UInt64, UInt64) = (0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f)
        low ^= Self.rotated(first &* c1, by: 31) &* c2
        low = Self.rotated(low, by: 27) &+ high
        low = low &* 5 &+ 0x52dc_e729
        high ^= Self.rotated(second &* c2, by: 33) &* c1
        high = Self.rotated(high, by: 31) &+ low
        high = high &* 5 &+ 0x3849_5ab5
    }

    /// The chain's value, mixed to the end, as one term of the sum.
    public var finished: RecordDigest {
        var (a, b) = (low &+ high, high)
        b = b &+ a
        a = Self.mixed(a)
        b = Self.mixed(b)
        a = a &+ b
        return RecordDigest(low: a, high: b &+ a)
    }

    /// Order-free: addition of 128-bit numbers.
    public static func + (left: RecordDigest, right: RecordDigest) -> RecordDigest {
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        return RecordDigest(low: low, high: left.high &+ right.high &+ (carries ? 1 : 0))
    }

    /// The digest of a run with several arms: of their digests, each chained with its place.
    public static func of(arms: [RecordDigest]) -> RecordDigest {
        guard arms.count != 1 else { return arms[0] }
        return arms.enumerated().reduce(.zero) { sum, arm in
            var chain = RecordDigest(device: UInt32(arm.offset))
            chain.add(arm.element.low, arm.element.high)
            return sum + chain.finished
        }
    }

    /// Reads what `description` says.
    public init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(low: low, high: high)
    }

    /// 32 hexadecimal digits.
    public var description: String { Self.hex(high) + Self.hex(low) }

    /// A digest of a text's UTF-8 bytes and their count.
    public static func hash(of text: String) -> UInt64 {
        var chain = RecordDigest(low: 0, high: 0)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 {
                chain.add(word, count)
                word = 0
            }
        }
        chain.add(word, count)
        return chain.finished.low
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word
        word ^= word >> 33
        word = word &* 0xff51_afd7_ed55_8ccd
        word ^= word >> 33
        word = word &* 0xc4ce_b9fe_1a85_ec53
        return word ^ word >> 33
    }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension RecordDigest: CustomStringConvertible {}
