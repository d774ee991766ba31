import ControlProtocol
import Testing

@Suite("Rates and base64")
struct TextFormTests {
    // swift-format-ignore
    @Test("rates read and print the same form", arguments: ["max", "60x", "0.5x", "0.001x", "1000000x", "1.25x", "999999.999x"])
    func rates(_ text: String) throws {
        #expect(try #require(FleetRate(text)).description == text)
    }

    // swift-format-ignore
    @Test("other rates are refused", arguments: ["", "x", "60", "Max", "-1x", "+1x", "0x", "0.0009x", "1000000.1x", "1e3x", "0x1p3x", "nanx", "infx", " 1x", "1 x", ".5x", "5.x", "1..2x", "1xx", String(repeating: "0", count: 40) + "1x"])
    func noRates(_ text: String) {
        #expect(FleetRate(text) == nil)
    }

    /// Source: RFC 4648, section 10.
    // swift-format-ignore
    @Test("base64 gives the vectors of its standard", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy")])
    func vectors(_ plain: String, _ text: String) {
        #expect(Base64.decode(text) == Array(plain.utf8))
        #expect(Base64.encode(plain.utf8) == text)
    }

    // swift-format-ignore
    @Test("base64 has one text for each value", arguments: ["Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=", "Zm 8=", "Zm8=\n", "Zm-_", "Zg==Zg==", "Zé8="])
    func noBase64(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("base64 gives all bytes back")
    func allBytes() {
        let bytes = (0...255).map { UInt8($0) }
        for count in 0...bytes.count {
            #expect(Base64.decode(Base64.encode(bytes.prefix(count))) == Array(bytes.prefix(count)))
        }
    }
}
