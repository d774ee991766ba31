import ControlProtocol
import Testing

@Suite("A line framer")
struct LineFramerTests {
    /// What `framer` gives for `pieces`, received one after the other.
    private func lines(
        _ pieces: [[UInt8]], _ framer: inout LineFramer
    ) throws(ControlError) -> [String] {
        var lines: [String] = []
        for piece in pieces {
            framer.receive(piece)
            while let line = try framer.next() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
        }
        return lines
    }

    @Test("gives the same lines however the bytes are cut")
    func cuts() throws {
        let bytes = Array("one\ntwo\r\n\n\r\nth\rree\nfour\r".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var framer = LineFramer()
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map(
                    Array.init)
                #expect(try lines(pieces, &framer) == ["one", "two", "th\rree"])
                #expect(framer.takeRest() == Array("four".utf8))
                #expect(framer.takeRest() == nil)
            }
        }
    }

    // swift-format-ignore
    @Test("takes a line of exactly the limit, whatever ends it", arguments: ["\n", "\r\n", "\r"])
    func limit(_ ending: String) throws {
        var framer = LineFramer()
        let line = [UInt8](repeating: 0x61, count: LineFramer.lineBytesMax)
        framer.receive(line + ending.utf8)
        #expect(try framer.next() ?? framer.takeRest() == line)
        framer.receive(line + "a".utf8 + ending.utf8)
        let error = #expect(throws: ControlError.self) { try framer.next() }
        #expect(error?.code == .lineTooLong)
        #expect(error?.message == "a line is at most 1048576 bytes")
    }

    @Test("gives the lines before one that is too long")
    func before() throws {
        var framer = LineFramer(bytesMax: 3)
        framer.receive(Array("one\ntwo\nthree".utf8))
        #expect(try framer.next() == Array("one".utf8))
        #expect(try framer.next() == Array("two".utf8))
        #expect(throws: ControlError.self) { try framer.next() }
    }
}
