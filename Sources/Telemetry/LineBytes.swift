/// Writes one line of JSON into memory that is known to be large enough.
///
/// Unsafe on purpose: a record has about twenty pieces, and a checked append for each costs more
/// than all the rest. The caller reserves `RecordWriter.room(for:names:)` bytes first; debug builds
/// check every piece against that room.
struct LineBytes {
    private let base: UnsafeMutablePointer<UInt8>
    private let room: Int
    private(set) var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = memory.baseAddress else { preconditionFailure("a line has room") }
        (self.base, room) = (base, memory.count)
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        assert(count + length <= room, "a line is longer than its room")
        (base + count).update(from: text.utf8Start, count: length)
        count += length
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        assert(count < room, "a line is longer than its room")
        base[count] = byte
        count += 1
    }

    mutating func put(_ bytes: [UInt8]) {
        assert(count + bytes.count <= room, "a line is longer than its room")
        bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            (base + count).update(from: start, count: source.count)
        }
        count += bytes.count
    }

    /// A word of ours: a raw value, which has nothing to escape.
    mutating func put(word: String) {
        var word = word
        word.withUTF8 { source in
            assert(count + source.count <= room, "a line is longer than its room")
            guard let start = source.baseAddress else { return }
            (base + count).update(from: start, count: source.count)
            count += source.count
        }
    }

    mutating func put(quoted text: String) {
        var text = text
        put(UInt8(ascii: "\""))
        text.withUTF8 { source in
            for byte in source { put(escaped: byte) }
        }
        put(UInt8(ascii: "\""))
    }

    /// The same escapes as `JSONText.quoted`, so that a name looks the same everywhere.
    @inline(__always)
    private mutating func put(escaped byte: UInt8) {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            put(byte)
        } else if byte == UInt8(ascii: "\n") {
            put("\\n")
        } else if byte < 0x20 {
            put("\\u00")
            put(Self.hex(byte >> 4))
            put(Self.hex(byte & 15))
        } else {
            put(UInt8(ascii: "\\"))
            put(byte)
        }
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    @inline(__always)
    mutating func put(_ flag: Bool) {
        if flag { put("true") } else { put("false") }
    }

    @inline(__always)
    mutating func put(number: UInt64) {
        // Multiplies: a division by a variable takes as long as the rest of the number.
        var digits = 1
        var limit: UInt64 = 10
        while digits < 20, number >= limit {
            digits += 1
            limit &*= 10  // Wraps only once `digits` is 20, and then nobody looks.
        }
        put(number: number, digits: digits)
    }

    /// Exactly `digits` decimal digits, with zeros in front.
    @inline(__always)
    mutating func put(number: UInt64, digits: Int) {
        assert(count + digits <= room, "a line is longer than its room")
        var rest = number
        var place = count + digits
        while place > count {
            place -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            base[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        count += digits
    }

    /// A number of thousandths, with its three decimal digits.
    mutating func put(thousandths: Int32) {
        if thousandths < 0 { put(UInt8(ascii: "-")) }
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        put(number: UInt64(whole))
        put(UInt8(ascii: "."))
        put(number: UInt64(rest), digits: 3)
    }

    /// The shortest digits that read back as the same number. JSON has no infinities: they and
    /// NaN, which no record of a working script has, become `null`.
    mutating func put(number: Double) {
        if number.isFinite { put(word: number.description) } else { put("null") }
    }
}
