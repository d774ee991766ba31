/// Bytes as pairs of hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Nil where the text is nothing that `hex` writes.
func bytes(hex text: String) -> [UInt8]? {
    func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
    let digits = text.utf8.map(digit)
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let known = digits.compactMap { $0 }
    return stride(from: 0, to: known.count, by: 2).map { known[$0] << 4 | known[$0 + 1] }
}
