import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation

/// Writes records as lines of JSON: the log of a run.
///
/// The shapes are those of the contract's `records.ndjson`. Equal records give equal bytes. One
/// writer serves one thread; it keeps the day of the record before, since the next is mostly of
/// the same.
public struct RecordWriter: Sendable {
    private let zone: Zone
    private let scripts: [String]
    private let arm: String?
    private let choiceLists = ChoiceLists()
    private var clock: DayClock
    /// One line: filled without checks, then appended at once.
    private var line: [UInt8]

    /// Bytes of the longest line without the texts in it: a prompt with every choice takes 420.
    static let fixedBytesMax = 640

    /// - Parameters:
    ///   - scripts: the names of `Scenario.scripts`, in their order.
    ///   - arm: named in every line, where a run has several.
    public init(zone: Zone, scripts: [String], arm: String? = nil) {
        (self.zone, self.scripts, self.arm) = (zone, scripts, arm)
        clock = DayClock(.start, in: zone)
        line = [UInt8](repeating: 0, count: Self.fixedBytesMax)
    }

    /// Appends one line, with its newline.
    ///
    /// - Parameter names: those of the block from which `record` comes.
    public mutating func append(_ record: Record, names: NameTable, to buffer: inout [UInt8]) {
        if !clock.covers(record.time) { clock = DayClock(record.time, in: zone) }
        let room = room(for: record.content, names: names)
        if line.count < room { line = [UInt8](repeating: 0, count: room) }
        let (clock, scripts, arm, choiceLists) = (clock, scripts, arm, choiceLists)
        line.withUnsafeMutableBufferPointer { memory in
            var bytes = LineBytes(memory)
            bytes.put("{\"us\":")
            bytes.put(number: UInt64(record.time.microseconds))
            bytes.put(",\"t\":\"")
            clock.put(record.time, to: &bytes)
            bytes.put("\",\"device\":")
            bytes.put(number: UInt64(record.device.number))
            bytes.put(",\"n\":")
            bytes.put(number: UInt64(record.ordinal))
            if let arm {
                bytes.put(",\"arm\":")
                bytes.put(quoted: arm)
            }
            bytes.put(",\"type\":\"")
            bytes.put(
                record.content, names: names, scripts: scripts, choiceLists: choiceLists)
            bytes.put(record.note)
            bytes.put("}\n")
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: memory[..<bytes.count]))
        }
    }

    /// An upper bound of the line's bytes: a byte of a text becomes six at most.
    private func room(for content: RecordContent, names: NameTable) -> Int {
        let textBytes =
            switch content {
            case .tapped(let name), .milestone(let name), .primer(let name, _),
                .crossing(let name, _):
                names[name].utf8.count
            case .feature(let name, let outcome):
                names[name].utf8.count + names[outcome].utf8.count
            case .scriptFailure(let place): scripts[Int(place.script)].utf8.count
            case .recast(_, let script): scripts[Int(script)].utf8.count
            default: 0
            }
        return Self.fixedBytesMax + 6 * (textBytes + (arm?.utf8.count ?? 0))
    }
}

/// The date and the offset that hold for a stretch of simulated time: at most a local day.
private struct DayClock: Sendable {
    private let stretch: Zone.DayStretch
    /// `2026-01-05T`
    private let date: [UInt8]
    /// `+01:00`
    private let offset: [UInt8]

    init(_ time: SimTime, in zone: Zone) {
        let local = LocalTime(time, in: zone)
        stretch = zone.dayStretch(at: time)
        date = Array(
            "\(padded(local.year, 4))-\(padded(local.month, 2))-\(padded(local.dayOfMonth, 2))T"
                .utf8)
        let minutes = Int(local.secondsFromUTC.magnitude) / 60
        let sign = local.secondsFromUTC < 0 ? "-" : "+"
        offset = Array("\(sign)\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))".utf8)
    }

    @inline(__always)
    func covers(_ time: SimTime) -> Bool { stretch.covers(time) }

    @inline(__always)
    func put(_ time: SimTime, to bytes: inout LineBytes) {
        let micros = UInt64(stretch.timeOfDay(at: time))
        let (seconds, fraction) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        bytes.put(date)
        bytes.put(number: seconds / 3_600, digits: 2)
        bytes.put(UInt8(ascii: ":"))
        bytes.put(number: seconds / 60 % 60, digits: 2)
        bytes.put(UInt8(ascii: ":"))
        bytes.put(number: seconds % 60, digits: 2)
        bytes.put(UInt8(ascii: "."))
        bytes.put(number: fraction, digits: 6)
        bytes.put(offset)
    }
}

/// `number` in at least `digits` digits.
func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
