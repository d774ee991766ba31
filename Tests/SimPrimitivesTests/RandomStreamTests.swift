import SimPrimitives
import Testing

@Suite("Philox 4x32-10")
struct PhiloxTests {
    /// Source: Random123, `tests/kat_vectors`, the lines "philox4x32 10".
    @Test("gives its authors' known answers")
    func knownAnswers() {
        let ones = UInt32.max
        #expect(
            Philox.bits([0, 0, 0, 0], key: [0, 0])
                == [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8])
        #expect(
            Philox.bits([ones, ones, ones, ones], key: [ones, ones])
                == [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd])
        #expect(
            Philox.bits(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                key: [0xa409_3822, 0x299f_31d0])
                == [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1])
    }
}

@Suite("A random stream")
struct RandomStreamTests {
    func draws(
        seed: UInt64 = 9, device: UInt32 = 3, purpose: RandomPurpose = .move,
        occasion: UInt32 = 0
    ) -> [UInt64] {
        var stream = RandomStream(
            seed: seed, device: DeviceID(device), purpose: purpose, occasion: occasion)
        return (0..<4).map { _ in stream.next() }
    }

    @Test("depends on seed, device, purpose and occasion, and on nothing else")
    func keys() {
        let streams = [
            draws(), draws(seed: 10), draws(seed: 9 + 1 << 32), draws(device: 4),
            draws(purpose: .promptWhenInUse), draws(occasion: 1),
        ]
        #expect(draws() == streams[0])
        #expect(Set(streams.joined()).count == 4 * streams.count)
    }

    @Test("draws every number below a bound equally often")
    func bounds() {
        var stream = RandomStream(seed: 1, device: DeviceID(0), purpose: .move, occasion: 0)
        var counts = [0, 0, 0]
        for _ in 0..<30_000 { counts[Int(stream.next(below: 3))] += 1 }
        #expect(counts.allSatisfy { abs($0 - 10_000) < 300 }, "\(counts)")  // Over 3 deviations.
    }

    @Test("has purposes that are told apart")
    func purposes() {
        #expect(Set(RandomPurpose.allCases.map(\.rawValue)).count == RandomPurpose.allCases.count)
    }
}
