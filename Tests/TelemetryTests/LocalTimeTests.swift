import SimPrimitives
import Simulation
import Telemetry
import Testing

/// `t` of a record at an instant.
private func stamp(_ time: SimTime, in zone: Zone, using writer: inout RecordWriter) -> String {
    var bytes: [UInt8] = []
    let record = Record(time: time, device: DeviceID(0), ordinal: 0, content: .installed)
    writer.append(record, names: NameTable(), to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return String(text.split(separator: "\"")[5])
}

private func stamp(_ time: SimTime, in zone: Zone) -> String {
    var writer = RecordWriter(zone: zone, scripts: [])
    return stamp(time, in: zone, using: &writer)
}

@Suite("Local time in records")
struct LocalTimeTests {
    /// Europe/Berlin in 2026 from the evening of 28 March: summer from the 29th at 01:00 UTC to
    /// 25 October at 01:00 UTC.
    let berlin = Zone(
        name: "Europe/Berlin", startUnixSeconds: 1_774_735_200,  // 2026-03-28T22:00:00Z
        offsets: [
            Zone.Offset(from: .start, secondsFromUTC: 3_600),
            Zone.Offset(from: .start + .hours(3), secondsFromUTC: 7_200),
            Zone.Offset(from: .start + .hours(3 + 210 * 24), secondsFromUTC: 3_600),
        ])

    @Test("skips the hour that spring skips")
    func spring() {
        let change = SimTime.start + .hours(3)
        #expect(stamp(.start, in: berlin) == "2026-03-28T23:00:00.000000+01:00")
        let before = SimTime(microseconds: change.microseconds - 1)
        #expect(stamp(before, in: berlin) == "2026-03-29T01:59:59.999999+01:00")
        #expect(stamp(change, in: berlin) == "2026-03-29T03:00:00.000000+02:00")
    }

    @Test("repeats the hour that autumn repeats")
    func autumn() {
        let change = SimTime.start + .hours(3 + 210 * 24)
        let before = SimTime(microseconds: change.microseconds - 1)
        #expect(stamp(before, in: berlin) == "2026-10-25T02:59:59.999999+02:00")
        #expect(stamp(change, in: berlin) == "2026-10-25T02:00:00.000000+01:00")
    }

    @Test("is the same whether a writer comes from the day before or from anywhere else")
    func caching() {
        var writer = RecordWriter(zone: berlin, scripts: [])
        var instants = stride(from: Int64(0), to: 8_000, by: 7).map { SimTime.start + .hours($0) }
        instants += instants.reversed()
        instants += [210 * 24 + 2, 210 * 24 + 3, 2, 3, 210 * 24 + 2].map { .start + .hours($0) }
        for time in instants {
            #expect(stamp(time, in: berlin, using: &writer) == stamp(time, in: berlin))
        }
    }

    @Test("has offsets west of Greenwich and of half an hour")
    func offsets() {
        func zone(_ seconds: Int32) -> Zone {
            Zone(
                name: "x", startUnixSeconds: 951_782_400,  // 2000-02-29T00:00:00Z
                offsets: [Zone.Offset(from: .start, secondsFromUTC: seconds)])
        }
        #expect(stamp(.start, in: zone(-12_600)) == "2000-02-28T20:30:00.000000-03:30")
        #expect(stamp(.start, in: zone(20_700)) == "2000-02-29T05:45:00.000000+05:45")
        #expect(stamp(.start + .days(1), in: zone(0)) == "2000-03-01T00:00:00.000000+00:00")
    }

    @Test("knows every date from 1900 to 2100 and its weekday")
    func calendar() {
        var (year, month, dayOfMonth, weekday) = (1900, 1, 1, 0)  // A Monday.
        let start: Int64 = -2_208_988_800
        let zone = Zone(
            name: "x", startUnixSeconds: start,
            offsets: [Zone.Offset(from: .start, secondsFromUTC: 0)])
        for day in Int64(0)..<73_414 {
            let local = LocalTime(.start + .days(day), in: zone)
            guard
                (local.year, local.month, local.dayOfMonth) == (year, month, dayOfMonth),
                local.weekday == weekday, local.day == Int(day)
            else {
                Issue.record("day \(day) is \(local), not \(year)-\(month)-\(dayOfMonth)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            dayOfMonth += 1
            weekday = (weekday + 1) % 7
            if dayOfMonth > lengths[month - 1] { (month, dayOfMonth) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(year == 2101)
    }
}
