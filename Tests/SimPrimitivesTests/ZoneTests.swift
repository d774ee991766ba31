import SimPrimitives
import Testing

@Suite("A time zone")
struct ZoneTests {
    /// Berlin from 2026-03-27 12:00 on its clock: summer time begins on the 29th at 01:00 UTC.
    let berlin = Zone(
        name: "Europe/Berlin", startUnixSeconds: 1_774_609_200,
        offsets: [
            Zone.Offset(from: .start, secondsFromUTC: 3600),
            Zone.Offset(from: .start + .hours(38), secondsFromUTC: 7200),
        ])

    @Test("knows the hour and the day on the local clock")
    func local() {
        #expect(berlin.hour(at: .start) == 12)
        #expect(berlin.day(at: .start) == 0)
        #expect(berlin.hour(at: .start + .minutes(30)) == 12.5)
        let midnight = SimTime.start + .hours(12)
        #expect(berlin.day(at: midnight) == 1)
        #expect(berlin.hour(at: midnight) == 0)
        #expect(berlin.day(at: SimTime(microseconds: midnight.microseconds - 1)) == 0)
    }

    @Test("knows the day of the week, from 1 on Monday to 7 on Sunday, also before 1970")
    func weekdays() {
        #expect(berlin.weekday(at: .start) == 5, "2026-03-27 was a Friday")
        let midnights = (1...9).map { berlin.weekday(at: berlin.start(ofDay: $0)) }
        #expect(midnights == [6, 7, 1, 2, 3, 4, 5, 6, 7])
        let late = Zone(
            name: "late", startUnixSeconds: -1,
            offsets: [Zone.Offset(from: .start, secondsFromUTC: 0)])
        #expect(late.weekday(at: .start) == 3 && late.weekday(at: .start + .seconds(1)) == 4)
        let west = Zone(
            name: "west", startUnixSeconds: 0,
            offsets: [Zone.Offset(from: .start, secondsFromUTC: -12 * 3_600)])
        #expect(west.weekday(at: .start) == 3)
    }

    @Test("skips an hour when summer time begins")
    func change() {
        let before = SimTime(microseconds: (SimTime.start + .hours(38)).microseconds - 1)
        #expect(berlin.secondsFromUTC(at: before) == 3600)
        #expect(berlin.secondsFromUTC(at: .start + .hours(38)) == 7200)
        #expect(berlin.hour(at: .start + .hours(38)) == 3)
    }

    @Test("says when a day begins, before and after the change")
    func midnights() {
        #expect(berlin.start(ofDay: 0) == .start)
        #expect(berlin.start(ofDay: 1) == .start + .hours(12))
        #expect(berlin.start(ofDay: 2) == .start + .hours(36))
        #expect(berlin.start(ofDay: 3) == .start + .hours(59))
        for day in 1...3 as ClosedRange<Int64> {
            #expect(berlin.day(at: berlin.start(ofDay: day)) == day)
            #expect(berlin.hour(at: berlin.start(ofDay: day)) == 0)
        }
    }
}

@Suite("A simulated duration")
struct SimDurationTests {
    @Test("is whole microseconds, rounded down, within a hundred years")
    func seconds() {
        #expect(SimDuration(seconds: 1.000_000_9) == SimDuration(microseconds: 1_000_000))
        #expect(SimDuration(seconds: 0) == .zero)
        #expect(SimDuration(seconds: 3_153_600_000) == .max)
        for bad in [-1, 3_153_600_001, .nan, .infinity] as [Double] {
            #expect(SimDuration(seconds: bad) == nil)
        }
    }
}
