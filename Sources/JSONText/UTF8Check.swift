/// The first byte of `text` that is not UTF-8, or nil.
public func firstByteNotUTF8(in text: [UInt8]) -> Int? {
    guard String(validating: text, as: UTF8.self) == nil else { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var (bytes, place) = (text.makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { place += scalar.count }
    return place
}
