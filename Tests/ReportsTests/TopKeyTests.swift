import JSONText
import Testing

@testable import Reports

@Suite("The keys of top")
struct TopKeyTests {
    @Test(
        "are known, however the terminal writes and cuts them",
        arguments: [
            ("q", [.quit]), ("\u{3}", [.quit]), ("jk", [.down, .up]), ("+-", [.faster, .slower]),
            ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA\u{1B}OB", [.up, .down]),
            ("\t\r\n", [.nextView, .nextView, .nextView]), ("\u{1B}[Z", [.previousView]),
            ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("p?", [.pause, .help]),
            ("\u{1B}[1;5A", []), ("\u{1B}xj", [.down]), ("xyz\u{0}é", []),
            ("\u{1B}[200~j", [.down]),
        ] as [(String, [TopKey])])
    func sequences(_ text: String, _ keys: [TopKey]) {
        var whole = TopKeyReader()
        #expect(whole.take(text.utf8) == keys)
        var bytewise = TopKeyReader()
        #expect(text.utf8.flatMap { bytewise.take([$0]) } == keys)
        #expect(!whole.isWaiting && !bytewise.isWaiting)
    }

    @Test("an escape alone is one, when nothing follows it; a sequence without end is dropped")
    func escape() {
        var keys = TopKeyReader()
        #expect(keys.take([0x1B]).isEmpty && keys.isWaiting)
        #expect(keys.flush() == [.escape] && !keys.isWaiting)
        #expect(
            keys.take(Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 500))
                .isEmpty)
        #expect(!keys.isWaiting)
        #expect(keys.take(Array("j".utf8)) == [.down])
    }

    private static func state(_ word: String, rate: String) -> TopState {
        var state = TopState()
        let text = #"[{"fleet":"a","state":"\#(word)","rate":"\#(rate)"}]"#
        if let node = try? JSONReader.read(Array(text.utf8), as: .json) {
            state.take(fleets: node, after: nil)
        }
        return state
    }

    @Test(
        "+ and - go through rates, up to flat out",
        arguments: [
            ("max", nil, "86400x"), ("86400x", "max", "3600x"), ("1x", "10x", "0.1x"),
            ("0.5x", "1x", "0.1x"),
            ("0.001x", "0.01x", nil), ("1000000x", "max", "86400x"), ("7x", "10x", "1x"),
        ] as [(String, String?, String?)])
    func rates(_ rate: String, _ faster: String?, _ slower: String?) {
        var state = Self.state("running", rate: rate)
        #expect(state.press(.faster) == faster.map { .rate("a", $0) })
        #expect(state.press(.slower) == slower.map { .rate("a", $0) })
    }

    @Test(
        "p does what the fleet's state lets it",
        arguments: [
            ("running", .pause("a")), ("paused", .resume("a")), ("ready", .start("a")),
            ("finished", nil),
        ] as [(String, TopCommand?)])
    func pause(_ word: String, _ command: TopCommand?) {
        var state = Self.state(word, rate: "max")
        #expect(state.press(.pause) == command)
        #expect((state.message != nil) == (command == nil))
    }

    @Test("help goes away with any key, which does nothing else, but for the one that ends")
    func help() {
        var state = Self.state("running", rate: "max")
        #expect(state.press(.help) == nil && state.isHelpShown)
        #expect(state.press(.pause) == nil && !state.isHelpShown)
        _ = state.press(.help)
        #expect(state.press(.quit) == .quit)
    }
}
