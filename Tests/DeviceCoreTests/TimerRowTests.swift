import DeviceCore
import SimPrimitives
import Testing

@Suite("A timer row")
struct TimerRowTests {
    /// Fires until nothing is left before `limit`.
    func fire(_ row: inout TimerRow, until limit: Int64) -> [(SimTime, TimerRow.Slot)] {
        var fired: [(SimTime, TimerRow.Slot)] = []
        while let (time, slot) = row.next(before: SimTime(microseconds: limit)) {
            row[slot] = .never
            fired.append((time, slot))
        }
        return fired
    }

    @Test("fires by time, then by slot", arguments: 0..<200 as Range<UInt32>)
    func order(_ occasion: UInt32) {
        var random = RandomStream(
            seed: 7, device: DeviceID(0), purpose: .move, occasion: occasion)
        var row = TimerRow()
        var expected: [(SimTime, TimerRow.Slot)] = []
        for slot in TimerRow.Slot.allCases {
            row[slot] = SimTime(microseconds: Int64(random.next(below: 3)))
            expected.append((row[slot], slot))
        }
        expected.sort { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
        let fired = fire(&row, until: 3)
        #expect(fired.elementsEqual(expected, by: ==), "occasion \(occasion)")
    }

    @Test("has a lane for every slot")
    func lanes() {
        #expect(TimerRow.Slot.allCases.count == TimerRow.slotCount)
        #expect(TimerRow.Slot.allCases.map(\.rawValue) == Array(0..<TimerRow.slotCount))
    }

    @Test("is a map from slot to instant, however many are set", arguments: 0..<50 as Range<UInt32>)
    func model(_ occasion: UInt32) {
        var random = RandomStream(
            seed: 8, device: DeviceID(0), purpose: .move, occasion: occasion)
        var row = TimerRow()
        var model: [TimerRow.Slot: SimTime] = [:]
        for step in 0..<400 {
            let slot = TimerRow.Slot.allCases[Int(random.next(below: 16))]
            let isSet = random.next(below: 3) > 0
            let instant =
                isSet ? SimTime(microseconds: Int64(random.next(below: 1_000))) : SimTime.never
            row[slot] = instant
            model[slot] = isSet ? instant : nil
            for slot in TimerRow.Slot.allCases {
                #expect(row[slot] == model[slot] ?? .never, "occasion \(occasion), step \(step)")
            }
            #expect(row.earliest == model.values.min() ?? .never)
            #expect(model.count > 7 || row.boxBytes == 0, "occasion \(occasion), step \(step)")
        }
    }

    @Test("takes each slot out as itself: its raw value is how it is stored")
    func storage() {
        for slot in TimerRow.Slot.allCases {
            var row = TimerRow()
            row[slot] = SimTime(microseconds: 7)
            let next = row.popNext(before: .never)
            #expect(next?.slot == slot && next?.time.microseconds == 7)
            #expect(row[slot] == .never)
        }
    }

    @Test("leaves what lies at the limit or beyond")
    func limit() {
        var row = TimerRow()
        row[.answer] = SimTime(microseconds: 2)
        #expect(fire(&row, until: 2).isEmpty)
        #expect(fire(&row, until: 3).count == 1)
    }

    @Test("forgets a timer that is set to never, and replaces one that is set again")
    func cancelling() {
        var row = TimerRow()
        row[.answer] = SimTime(microseconds: 1)
        row[.confirm] = SimTime(microseconds: 1)
        row[.answer] = .never
        row[.confirm] = SimTime(microseconds: 5)
        #expect(fire(&row, until: 9).map(\.0.microseconds) == [5])
        row[.tap] = .start
        row.removeAll()
        #expect(fire(&row, until: .max - 1).isEmpty)
    }
}
