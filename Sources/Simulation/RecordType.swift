/// The type of a record. Raw values are the words of logs: append, never rename.
public enum RecordType: String, CaseIterable, Sendable {
    case installed, opened, closed, tapped, feature, primer, prompt, answer, status, callback
    case settings, world, milestone, fix, crossing
    case settingsAlert = "settings_alert"
    case requestIgnored = "request_ignored"
    case scriptFailure = "script_failure"
}

extension RecordType {
    /// Its place in `allCases`.
    var index: Int {
        switch self {
        case .installed: 0
        case .opened: 1
        case .closed: 2
        case .tapped: 3
        case .feature: 4
        case .primer: 5
        case .prompt: 6
        case .answer: 7
        case .status: 8
        case .callback: 9
        case .settings: 10
        case .world: 11
        case .milestone: 12
        case .fix: 13
        case .crossing: 14
        case .settingsAlert: 15
        case .requestIgnored: 16
        case .scriptFailure: 17
        }
    }
}

/// Some of the types of records.
public struct RecordTypes: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ type: RecordType) { rawValue = 1 << UInt32(type.index) }

    public static let all = RecordTypes(RecordType.allCases.map { RecordTypes($0) })

    public func contains(_ type: RecordType) -> Bool { contains(RecordTypes(type)) }
}

/// Which records a block keeps until they are taken.
public struct RecordKeeping: Equatable, Sendable {
    public var types = RecordTypes.all
    /// Beyond, they are only counted.
    public var countMax = Int.max

    public init(types: RecordTypes = .all, countMax: Int = .max) {
        (self.types, self.countMax) = (types, countMax)
    }
}

/// How many records there are of each type.
public struct RecordCounts: Sendable {
    private var counts = [UInt64](repeating: 0, count: RecordType.allCases.count)

    public init() {}

    public mutating func count(_ type: RecordType) { counts[type.index] += 1 }

    public mutating func add(_ others: RecordCounts) {
        for index in counts.indices { counts[index] += others.counts[index] }
    }

    public func total(of types: RecordTypes = .all) -> UInt64 {
        RecordType.allCases.reduce(0) { $0 + (types.contains($1) ? counts[$1.index] : 0) }
    }
}

extension RecordContent {
    public var type: RecordType {
        switch self {
        case .installed: .installed
        case .opened: .opened
        case .closed: .closed
        case .tapped: .tapped
        case .feature: .feature
        case .primer: .primer
        case .settingsAlert: .settingsAlert
        case .prompt: .prompt
        case .answer, .unanswered: .answer
        case .status: .status
        case .callback: .callback
        case .requestIgnored: .requestIgnored
        case .settings: .settings
        case .world, .upgraded, .recast: .world
        case .milestone: .milestone
        case .scriptFailure: .scriptFailure
        case .fix: .fix
        case .crossing: .crossing
        }
    }
}
