import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("A block that is halted")
struct HaltTests {
    @Test("goes on where it stopped, with the same records")
    func halting() {
        let scenario = scenario(devices: 50)
        func run(haltingEvery count: Int?) -> (RecordDigest, [RecordKey]) {
            let names = Block.startingNames(of: scenario)
            let block = Block(
                devices: 0..<50, of: scenario, names: names,
                behaviors: [StoryBehavior(openings: Array(repeating: 60, count: 500))],
                strategy: StoryStrategy(), keepsRecords: true)
            var asked = 0
            for limit in stride(from: Int64(1_000), through: 20_000, by: 1_000) {
                while !block.run(
                    until: .start + .seconds(limit),
                    isHalted: {
                        asked += 1
                        return count.map { asked % $0 == 0 } ?? false
                    })
                {
                    #expect(block.now < .start + .seconds(limit))
                }
                #expect(block.now == .start + .seconds(limit))
            }
            return (block.digest, block.takeRecords().map(\.key))
        }
        let whole = run(haltingEvery: nil)
        for count in [1, 3, 7] {
            let halted = run(haltingEvery: count)
            #expect(halted.0 == whole.0, "halted after every \(count) devices")
            #expect(halted.1 == whole.1, "halted after every \(count) devices")
        }
    }

    private static func block(_ count: UInt32) -> Block {
        let world = scenario(days: 30)
        let openings = (0..<UInt64(count)).map { _ in 600 as Int64 }
        return Block(
            devices: 0..<count, of: world, names: Block.startingNames(of: world),
            behaviors: [
                StoryBehavior(openings: openings + Array(repeating: 600, count: 4_000))
            ], strategy: StoryStrategy(), keepsRecords: true)
    }

    @Test("stops within a device that is busy, and goes on as if nothing had been")
    func within() {
        let limit = SimTime.start + .days(30)
        let whole = Self.block(1)
        whole.run(until: limit)
        let halted = Self.block(1)
        var halts = 0
        while !halted.run(until: limit, isHalted: { true }) { halts += 1 }
        #expect(halts > 50)
        #expect(halted.digest == whole.digest)
        #expect(halted.takeRecords().map(\.key) == whole.takeRecords().map(\.key))
        #expect(halted.eventCount == whole.eventCount)
    }

    @Test("stops before all its devices have begun, and goes on as if nothing had been")
    func beginning() {
        let limit = SimTime.start + .days(1)
        let whole = Self.block(40)
        whole.run(until: limit)
        let halted = Self.block(40)
        #expect(!halted.begin(isHalted: { true }))
        while !halted.run(until: limit, isHalted: { true }) {}
        #expect(halted.digest == whole.digest)
        #expect(halted.metrics(isFinal: true) == whole.metrics(isFinal: true))
    }
}
