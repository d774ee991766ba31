import Bundles
import Foundation
import SimPrimitives
import Testing

@Suite("The zone of a scenario")
struct ZoneTests {
    private func zone(_ name: String, _ start: String, _ duration: String) throws -> Zone {
        let workplace = try Workplace()
        defer { workplace.remove() }
        return try workplace.read(
            plain("zone: \"\(name)\", start: \"\(start)\", duration: \"\(duration)\",")
        ).scenario.zone
    }

    @Test("has one offset where clocks stay as they are")
    func still() throws {
        let zone = try zone("Asia/Kolkata", "2026-01-05T00:00:00", "365d")
        #expect(zone.offsets == [Zone.Offset(from: .start, secondsFromUTC: 19_800)])
        #expect(zone.startUnixSeconds == 1_767_571_200 - 19_800)
    }

    @Test("has the instants at which clocks change, to the second")
    func changes() throws {
        let zone = try zone("Europe/Berlin", "2026-03-01T12:00:00", "365d")
        #expect(zone.offsets.map(\.secondsFromUTC) == [3_600, 7_200, 3_600])
        // 2026-03-29 and 2026-10-25, each at 01:00 UTC.
        let instants = zone.offsets.dropFirst().map {
            zone.startUnixSeconds + $0.from.microseconds / 1_000_000
        }
        #expect(instants == [1_774_746_000, 1_792_890_000])
    }

    @Test("has no change that comes after the end")
    func end() throws {
        #expect(try zone("Europe/Berlin", "2026-03-01", "27d").offsets.count == 1)
        #expect(try zone("Europe/Berlin", "2026-03-01", "29d").offsets.count == 2)
    }

    @Test("takes the first of two instants that clocks show alike")
    func twice() throws {
        let zone = try zone("Europe/Berlin", "2026-10-25T02:30", "1d")
        #expect(zone.startUnixSeconds == 1_792_888_200)
        #expect(zone.offsets.map(\.secondsFromUTC) == [7_200, 3_600])
        #expect(zone.offsets[1].from == .start + .minutes(30))
    }

    @Test("covers ten years with two changes a year")
    func decade() throws {
        #expect(try zone("America/New_York", "2026-01-05", "3650d").offsets.count == 21)
    }

    @Test(
        "starts at that date and time of the calendar",
        arguments: [
            ("2000-02-29", 951_782_400), ("2024-12-31T23:59:59", 1_735_689_599),
            ("2100-03-01T00:00", 4_107_542_400),
        ])
    func calendar(start: String, unixSeconds: Int64) throws {
        #expect(try zone("UTC", start, "1d").startUnixSeconds == unixSeconds)
    }
}
