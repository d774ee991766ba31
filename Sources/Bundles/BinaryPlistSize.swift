/// What a binary property list unfolds to, before Foundation reads it.
///
/// Its objects refer to each other by number, so one may stand in many places: thirty arrays of
/// twice the next are 150 bytes, and a thousand million values to whoever copies them, as
/// Foundation does. This counts without copying. It also lets through only the kinds of values that
/// an Info.plist can have: on Linux, sets and keys that are no texts end the process in Foundation.
struct BinaryPlistSize {
    /// Far more than any Info.plist has.
    static let valuesMax = 100_000
    private static let depthMax = 64

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableStart: Int
    /// By object, once it is known; -1 before.
    private var counts: [Int]

    /// Whether `bytes`, a binary list, unfold to at most `valuesMax` values. False too where they
    /// are damaged.
    static func isModest(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 40, let top = number(in: bytes, at: bytes.count - 16, size: 8),
            var size = BinaryPlistSize(bytes)
        else { return false }
        return (size.count(of: top, depth: 0) ?? .max) <= valuesMax
    }

    private init?(_ bytes: [UInt8]) {
        let trailer = bytes.count - 32
        guard let objects = Self.number(in: bytes, at: trailer + 8, size: 8),
            let table = Self.number(in: bytes, at: trailer + 24, size: 8),
            objects <= bytes.count, table < trailer
        else { return nil }
        (self.bytes, tableStart) = (bytes, table)
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else { return nil }
        counts = Array(repeating: -1, count: objects)
    }

    /// Of an object with all that it holds; nil where it is damaged, too deep or holds too much.
    private mutating func count(of object: Int, depth: Int) -> Int? {
        guard counts.indices.contains(object), depth <= Self.depthMax else { return nil }
        if counts[object] >= 0 { return counts[object] }
        guard
            let start = Self.number(
                in: bytes, at: tableStart + object * offsetSize, size: offsetSize),
            bytes.indices.contains(start)
        else { return nil }
        var total = 1
        let isDictionary = bytes[start] >> 4 == 0xD
        if isDictionary || bytes[start] >> 4 == 0xA {
            guard let (length, first) = length(at: start) else { return nil }
            for index in 0..<(isDictionary ? length * 2 : length) {
                let place = first + index * referenceSize
                guard let other = Self.number(in: bytes, at: place, size: referenceSize),
                    !isDictionary || index >= length || isText(other),
                    let count = count(of: other, depth: depth + 1)
                else { return nil }
                total += count
                if total > Self.valuesMax { return nil }
            }
        }
        guard total > 1 || Self.isKnown(bytes[start]) else { return nil }
        counts[object] = total
        return total
    }

    /// Of an empty collection too.
    private static func isKnown(_ marker: UInt8) -> Bool {
        switch marker {
        case 0x08, 0x09: true  // Booleans
        case 0x10...0x13, 0x22, 0x23, 0x33: true  // numbers of up to 8 bytes, a date
        case 0x40...0x6F: true  // data and texts
        case 0xA0...0xAF, 0xD0...0xDF: true
        default: false
        }
    }

    private func isText(_ object: Int) -> Bool {
        guard counts.indices.contains(object),
            let start = Self.number(
                in: bytes, at: tableStart + object * offsetSize, size: offsetSize),
            bytes.indices.contains(start)
        else { return false }
        return bytes[start] >> 4 == 5 || bytes[start] >> 4 == 6
    }

    /// How many a collection holds, and where its references begin.
    private func length(at start: Int) -> (length: Int, first: Int)? {
        let short = Int(bytes[start] & 0xF)
        guard short == 0xF else { return (short, start + 1) }
        guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3
        else { return nil }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        guard let length = Self.number(in: bytes, at: start + 2, size: size),
            length <= bytes.count
        else { return nil }
        return (length, start + 2 + size)
    }

    /// An unsigned number, the highest byte first; nil past the end, or where it is too large.
    private static func number(in bytes: [UInt8], at start: Int, size: Int) -> Int? {
        guard start >= 0, start <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for byte in bytes[start..<start + size] { number = number << 8 | UInt64(byte) }
        return number <= UInt64(Int32.max) ? Int(number) : nil
    }
}
