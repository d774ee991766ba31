import Metrics
import Simulation
import Testing

@Suite("A name of a record or a counter")
struct NameTableTests {
    /// Swift takes each for the same text as the first.
    private static let spellings = ["\u{E9}\u{212B}", "e\u{301}\u{C5}", "e\u{301}A\u{30A}"]

    @Test("is its bytes: another spelling is another name")
    func spellings() throws {
        let names = NameTable(Self.spellings + Self.spellings)
        #expect(names.texts.count == 3)
        for (place, text) in Self.spellings.enumerated() {
            #expect(names.id(of: text) == NameID(UInt16(place)))
            let kept = names[NameID(UInt16(place))]
            #expect(kept.utf8.elementsEqual(text.utf8))
        }
    }

    @Test("stays its own where the figures of blocks are merged, and has its place by its bytes")
    func merging() {
        var sum = FleetMetrics(funnels: [])
        for (count, text) in Self.spellings.enumerated() {
            var block = FleetMetrics(funnels: [])
            let name = NameText(text)
            block.milestones[name] = UInt64(count + 1)
            block.counters[name] = UInt64(count + 1)
            block.features[FeatureOutcome("map", name)] = UInt64(count + 1)
            block.histograms[name] = ValueHistogram()
            sum.merge(block)
        }
        let inOrder: [UInt64] = [3, 2, 1]  // 65 CC 81 41 … before 65 CC 81 C3 … before C3 A9 ….
        #expect(sum.milestones.sorted { $0.key < $1.key }.map(\.value) == inOrder)
        #expect(sum.counters.sorted { $0.key < $1.key }.map(\.value) == inOrder)
        #expect(sum.features.sorted { $0.key < $1.key }.map(\.value) == inOrder)
        #expect(sum.histograms.count == 3)
    }
}
