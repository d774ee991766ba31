import Simulation

/// What `locfleet top` knows and has been told to show.
public struct TopState: Sendable {
    public struct Daemon: Sendable {
        var version = ""
        var uptimeSeconds = 0.0
        var workers: UInt64 = 0
        var residentBytes: UInt64 = 0
        var connections: UInt64 = 0
    }

    public struct Fleet: Sendable {
        public var name = ""
        public var state = ""
        var atSeconds = 0.0
        var durationSeconds = 0.0
        /// What clocks in the scenario's zone say.
        var localTime = ""
        public var rate = ""
        var lagSeconds = 0.0
        var events: UInt64 = 0
        /// Of wall time, since the answer before; nil with the first answer.
        public var eventsPerSecond: Double?
        /// Of wall time, since more events were told.
        var stillSeconds = 0.0
        var devices: UInt64 = 0
        var arms: UInt64 = 0
        var error: String?
    }

    /// One fleet more closely.
    struct Detail: Sendable {
        var fleet = ""
        var arms: [Arm] = []
    }

    struct Arm: Sendable {
        var name = ""
        var devices: UInt64 = 0
        var steps: [Step] = []
        var visible: [(name: String, count: UInt64)] = []
        var trueStatus: [(name: String, count: UInt64)] = []
        var failures: UInt64 = 0
        var first: Failure?
        var kinds: [Failure] = []
    }

    struct Step: Sendable {
        var name = ""
        var reached: UInt64 = 0
        /// Devices at the step before; nil for the first.
        var previous: UInt64?
        /// Of the share of those, as JSON has it.
        var interval: (low: Double, high: Double)?
    }

    struct Failure: Sendable {
        var count: UInt64 = 0
        /// `script.lua:31`.
        var place = ""
        var hook = ""
        var message = ""
    }

    public enum View: String, CaseIterable, Sendable { case funnel, statuses, failures }

    /// Why there is no daemon; nil while there is one.
    public var away: String?
    var daemon: Daemon?
    public internal(set) var fleets: [Fleet] = []
    var detail: Detail?
    /// Names to show; empty: all.
    let wanted: [String]
    public internal(set) var view = View.funnel
    public internal(set) var isHelpShown = false
    /// By name, so that it stays when others come and go.
    public internal(set) var selected: String?
    /// Lines of the view that are left out above.
    var scroll = 0
    /// What came of the last key.
    public var message: String?

    public init(fleets wanted: [String] = []) { self.wanted = wanted }

    public var selectedFleet: Fleet? { fleets.first { $0.name == selected } }
}

/// Keys that `locfleet top` knows.
public enum TopKey: Equatable, Sendable {
    case quit, up, down, pageUp, pageDown, pause, faster, slower, nextView, previousView, help
    case escape
}

/// What a key asks of the daemon.
public enum TopCommand: Equatable, Sendable {
    case quit
    case start(String), pause(String), resume(String)
    case rate(String, String)
    /// Another fleet is looked at: ask for it.
    case look
}

extension TopState {
    /// Ratios that `+` and `-` go through; above them, flat out.
    static let ratios = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3_600, 86_400]

    /// - Returns: what there is to do; nil when it is only to be drawn anew.
    public mutating func press(_ key: TopKey) -> TopCommand? {
        message = nil
        if isHelpShown, key != .quit {
            isHelpShown = false
            return nil
        }
        switch key {
        case .quit: return .quit
        case .escape: return nil
        case .help: isHelpShown = true
        case .up: return select(by: -1)
        case .down: return select(by: 1)
        case .pageUp: scroll = max(0, scroll - 10)
        case .pageDown: scroll += 10
        case .nextView: turn(by: 1)
        case .previousView: turn(by: -1)
        case .pause: return pause()
        case .faster: return change(up: true)
        case .slower: return change(up: false)
        }
        return nil
    }

    private mutating func turn(by step: Int) {
        let all = View.allCases
        let place = all.firstIndex(of: view) ?? 0
        view = all[(place + step + all.count) % all.count]
        scroll = 0
    }

    private mutating func select(by step: Int) -> TopCommand? {
        guard !fleets.isEmpty else { return nil }
        let place = fleets.firstIndex { $0.name == selected } ?? 0
        selected = fleets[min(max(place + step, 0), fleets.count - 1)].name
        scroll = 0
        return .look
    }

    private mutating func pause() -> TopCommand? {
        guard let fleet = selectedFleet else { return nil }
        switch fleet.state {
        case "running": return .pause(fleet.name)
        case "paused": return .resume(fleet.name)
        case "ready": return .start(fleet.name)
        default:
            message = "\(fleet.name) is \(fleet.state): nothing to pause"
            return nil
        }
    }

    private func change(up: Bool) -> TopCommand? {
        guard let fleet = selectedFleet else { return nil }
        let ratio = Double(fleet.rate.dropLast())  // Nil for "max".
        guard let ratio else {
            return up ? nil : .rate(fleet.name, Self.word(Self.ratios.last ?? 1))
        }
        if up {
            return .rate(fleet.name, Self.ratios.first { $0 > ratio }.map(Self.word) ?? "max")
        }
        return Self.ratios.last { $0 < ratio }.map { .rate(fleet.name, Self.word($0)) }
    }

    private static func word(_ ratio: Double) -> String {
        ratio == ratio.rounded() ? "\(Int(ratio))x" : "\(ratio)x"
    }
}

/// Reads keys out of what a terminal sends, which may cut a key in two.
public struct TopKeyReader: Sendable {
    private var pending: [UInt8] = []

    public init() {}

    /// Whether a key has begun and may end here: then `flush` after a moment.
    public var isWaiting: Bool { !pending.isEmpty }

    public mutating func take(_ bytes: some Sequence<UInt8>) -> [TopKey] {
        pending += bytes
        var keys: [TopKey] = []
        while let (key, count) = next() {
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        if pending.count > 32 { pending = [] }  // No key is so long.
        return keys
    }

    /// What has begun is all there is.
    public mutating func flush() -> [TopKey] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// - Returns: nil where more has to come; a nil key for one that means nothing here.
    private func next() -> (key: TopKey?, count: Int)? {
        guard let first = pending.first else { return nil }
        guard first == 0x1B else { return (Self.plain(first), 1) }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            return (nil, 2)
        }
        // A control sequence ends with a byte in @ ... ~ (ECMA-48, 5.4).
        guard let end = pending.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
            return nil
        }
        let body = String(decoding: pending[2...end], as: UTF8.self)
        return (Self.sequences[body], end + 1)
    }

    private static let sequences: [String: TopKey] = [
        "A": .up, "B": .down, "C": .nextView, "D": .previousView, "Z": .previousView,
        "5~": .pageUp, "6~": .pageDown,
    ]

    private static func plain(_ byte: UInt8) -> TopKey? {
        switch byte {
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3: .quit
        case UInt8(ascii: "k"): .up
        case UInt8(ascii: "j"): .down
        case UInt8(ascii: "p"), UInt8(ascii: "P"): .pause
        case UInt8(ascii: "+"), UInt8(ascii: "="): .faster
        case UInt8(ascii: "-"), UInt8(ascii: "_"): .slower
        case 9, 10, 13: .nextView
        case UInt8(ascii: "?"), UInt8(ascii: "h"): .help
        case UInt8(ascii: " "): .pageDown
        case UInt8(ascii: "b"): .pageUp
        default: nil
        }
    }
}
