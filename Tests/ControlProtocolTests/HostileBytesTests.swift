import ControlProtocol
import JSONText
import Testing

@Suite("Hostile bytes")
struct HostileBytesTests {
    /// SplitMix64: a seeded generator is due here, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return bits ^ bits >> 31
        }
    }

    private static let seeds: [[UInt8]] =
        ControlRequestTests.rows.map {
            Array(#"{"id":1,"method":"\#($0.method)","params":\#($0.parameters)}"#.utf8)
        }
        + (ControlMessageTests.specification + ControlMessageTests.ours).map { Array($0.line.utf8) }

    private static func mangle(_ line: [UInt8], _ random: inout Generator) -> [UInt8] {
        var line = line
        for _ in 0...Int.random(in: 0...4, using: &random) where !line.isEmpty {
            let place = Int.random(in: line.indices, using: &random)
            let end = min(place + Int.random(in: 1...24, using: &random), line.count)
            switch UInt8.random(in: 0...4, using: &random) {
            case 0: line[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: line.removeSubrange(place...)
            case 2: line.removeSubrange(place..<end)
            case 3:
                let piece = Array(line[place..<end])
                let count = Int.random(in: 1...80, using: &random)
                line.insert(contentsOf: Array(repeating: piece, count: count).joined(), at: place)
            default: line[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return line
    }

    @Test("get one line of JSON at most, and crash nothing", arguments: 0..<8 as Range<UInt64>)
    func lines(_ seed: UInt64) throws {
        var random = Generator(state: seed)
        for round in 0..<1_000 {
            let line = Self.mangle(Self.seeds.randomElement(using: &random) ?? [], &random)
            guard let reply = ControlMessageTests.reply(to: line) else { continue }
            let isLine = !reply.utf8.contains(UInt8(ascii: "\n"))
            #expect(isLine, "seed \(seed), round \(round): \(line)")
            #expect(throws: Never.self, "seed \(seed), round \(round): \(line)") {
                try JSONReader.read(Array(reply.utf8), as: .json)
            }
        }
    }

    @Test("from a daemon crash no client", arguments: 0..<4 as Range<UInt64>)
    func replies(_ seed: UInt64) {
        var random = Generator(state: seed)
        let replies = Self.seeds.compactMap { ControlMessageTests.reply(to: $0) }.map {
            Array($0.utf8)
        }
        for _ in 0..<1_000 {
            _ = try? ControlReply(
                line: Self.mangle(replies.randomElement(using: &random) ?? [], &random))
        }
    }

    @Test("come as the lines they hold, however they are cut", arguments: 0..<4 as Range<UInt64>)
    func streams(_ seed: UInt64) throws {
        var random = Generator(state: seed)
        for _ in 0..<100 {
            let stream = Self.mangle(Array("a\r\nbb\nccc\n\r\n\rd\n".utf8), &random)
            var whole = LineFramer()
            whole.receive(stream)
            var cut = LineFramer()
            var lines: [[[UInt8]]] = [[], []]
            while let line = try whole.next() { lines[0].append(line) }
            for byte in stream {
                cut.receive(CollectionOfOne(byte))
                while let line = try cut.next() { lines[1].append(line) }
            }
            #expect(lines[0] == lines[1], "seed \(seed): \(stream)")
            #expect(whole.takeRest() == cut.takeRest(), "seed \(seed): \(stream)")
        }
    }
}
