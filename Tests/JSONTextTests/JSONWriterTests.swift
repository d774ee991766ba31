import JSONText
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
    private func sample(_ layout: JSONWriter.Layout) -> String {
        var writer = JSONWriter(layout)
        writer.object { writer in
            writer.member("seed", UInt64.max)
            writer.member("share", 0.1)
            writer.member("name", "a\"\\\n\t\u{1}é😀")
            writer.key("empty")
            writer.object { _ in }
            writer.key("list")
            writer.array { writer in
                writer.integer(-1)
                writer.bool(true)
                writer.null()
                writer.array { _ in }
                writer.json(#"{"a":1}"#)
            }
        }
        return writer.text
    }

    @Test("writes on one line without a space")
    func compact() {
        #expect(
            sample(.compact)
                == #"{"seed":18446744073709551615,"share":0.1,"name":"a\"\\\n\t\u0001é😀","#
                + #""empty":{},"list":[-1,true,null,[],{"a":1}]}"#)
    }

    @Test("writes one element a line for people")
    func pretty() {
        #expect(
            sample(.pretty) == #"""
                {
                  "seed": 18446744073709551615,
                  "share": 0.1,
                  "name": "a\"\\\n\t\u0001é😀",
                  "empty": {},
                  "list": [
                    -1,
                    true,
                    null,
                    [],
                    {"a":1}
                  ]
                }
                """#)
    }

    @Test(
        "writes doubles so that they read as themselves again",
        arguments: [
            (0.0, "0"), (-0.0, "-0"), (1.0, "1"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
            (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
            (123456789.5, "123456789.5"), (.infinity, "null"), (.nan, "null"),
        ])
    func doubles(value: Double, text: String) throws {
        var writer = JSONWriter()
        writer.double(value)
        #expect(writer.text == text)
        let node = try JSONReader.read(writer.bytes, as: .json)
        if case .number(let digits) = node.value {
            #expect(Double(digits)?.bitPattern == value.bitPattern)
        }
    }

    @Test("writes what the reader reads back, for every scalar of the first planes")
    func strings() throws {
        for value in stride(from: UInt32(0), to: 0x11000, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var writer = JSONWriter()
            writer.string("x\(scalar)y")
            let node = try JSONReader.read(writer.bytes, as: .json)
            guard case .string(let text) = node.value else {
                Issue.record("U+\(String(value, radix: 16)) is no string again")
                continue
            }
            #expect(text.unicodeScalars.elementsEqual("x\(scalar)y".unicodeScalars))
        }
    }

    @Test("starts anew after what it held was taken")
    func reuse() {
        var writer = JSONWriter()
        writer.array { $0.integer(1) }
        writer.removeAll()
        writer.array { $0.integer(2) }
        #expect(writer.text == "[2]")
    }
}
