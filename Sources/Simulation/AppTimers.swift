import DeviceCore
import SimPrimitives

/// A timer that the app has set. It belongs to the process: it dies with it, and while the process
/// is suspended it waits.
public struct AppTimer: Hashable, Sendable {
    /// Timers of one device that are pending at a time. A script that sets one more fails.
    public static let countMax = 64
    /// The shortest period: a strategy that polls would otherwise be all that a run does.
    public static let periodMin = SimDuration.seconds(1)

    /// The strategy's name for it: larger than those of all timers that the device set before.
    public var number: UInt64
    public var wait: SimDuration
    /// Nil where it fires once.
    public var period: SimDuration?

    public init(number: UInt64, wait: SimDuration, period: SimDuration? = nil) {
        (self.number, self.wait, self.period) = (number, wait, period)
    }
}

/// The pending timers of a block's apps. Takes no memory until the first is set.
struct AppTimers {
    private struct Pending {
        var number: UInt64
        var due: SimTime
        var period: SimDuration?
    }

    /// By index within the block; empty until an app of the block sets a timer.
    private var lists: [[Pending]] = []

    /// Whether an app of the block has ever set one.
    var areUsed: Bool { !lists.isEmpty }

    func count(of index: Int) -> Int { areUsed ? lists[index].count : 0 }

    /// The instant of the timer that fires next.
    func earliest(of index: Int) -> SimTime? {
        areUsed ? lists[index].lazy.map(\.due).min() : nil
    }

    /// - Parameter deviceCount: of the block.
    mutating func set(
        _ timer: AppTimer, of index: Int, at time: SimTime, deviceCount: Int
    ) {
        if !areUsed { lists = [[Pending]](repeating: [], count: deviceCount) }
        lists[index].append(
            Pending(number: timer.number, due: time + timer.wait, period: timer.period))
    }

    /// Nothing happens where it has fired, or was cancelled before.
    mutating func cancel(_ number: UInt64, of index: Int) {
        guard areUsed else { return }
        lists[index].removeAll { $0.number == number }
        if lists[index].isEmpty { lists[index] = [] }
    }

    /// The timer that is due first, by instant and then in the order in which they were set. One
    /// with a period stays, for the first of its instants that is yet to come: what it missed while
    /// the process was suspended it does not make up for.
    ///
    /// - Returns: nil when none is due at `time`.
    mutating func takeDue(of index: Int, at time: SimTime) -> (number: UInt64, isLast: Bool)? {
        guard areUsed else { return nil }
        let first = lists[index].indices.min {
            (lists[index][$0].due, lists[index][$0].number)
                < (lists[index][$1].due, lists[index][$1].number)
        }
        guard let first, lists[index][first].due <= time else { return nil }
        let timer = lists[index][first]
        guard let period = timer.period else {
            cancel(timer.number, of: index)
            return (timer.number, true)
        }
        let missed = (time - timer.due).microseconds / period.microseconds
        lists[index][first].due =
            timer.due + SimDuration(microseconds: (missed + 1) * period.microseconds)
        return (timer.number, false)
    }

    mutating func removeAll(of index: Int) {
        if areUsed { lists[index] = [] }
    }

    /// Bytes that they take now.
    var bytes: Int {
        lists.isEmpty ? 0 : arrayBytes(lists) + lists.reduce(0) { $0 + arrayBytes($1) }
    }
}
