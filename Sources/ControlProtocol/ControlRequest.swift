import JSONText

/// A request that has passed every check that needs no fleet.
///
/// Labels are the wire names. A fleet's name has the form of `nameBytesMax`, a hash is 64
/// hexadecimal digits in lower case, and a text is at most `textBytesMax` bytes.
public enum ControlRequest: Equatable, Sendable {
    case discover
    case daemonStatus
    case daemonReload
    case daemonStop
    case limits
    /// 1 ... `hashCountMax` hashes.
    case blobHave(sha256: [String])
    /// Bytes of the blob from `offset` on; none are fine, for an empty file or to end one.
    case blobPut(sha256: String, offset: Int, bytes: [UInt8], last: Bool)
    case fleetCreate(name: String, bundle: String, paused: Bool, rate: FleetRate, by: [Grouping])
    case fleetList
    case fleetShow(fleet: String)
    case fleetStart(fleet: String)
    case fleetPause(fleet: String)
    case fleetResume(fleet: String)
    case fleetStop(fleet: String)
    case fleetDelete(fleet: String)
    case fleetRate(fleet: String, rate: FleetRate)
    case funnel(fleet: String, view: View)
    /// Without a fleet it is refused.
    case metrics(fleet: String?, view: View)
    /// OpenMetrics; without a fleet of the daemon and all fleets.
    case exposition(fleet: String?)
    /// Every so many seconds of wall time.
    case funnelSubscribe(fleet: String, everySeconds: Double, view: View)
    /// No types: all of them. Their names are not checked here.
    case watch(fleet: String, types: [String], where: String?)
    case unsubscribe(subscription: String)
    /// Devices with a number greater than `after`.
    case deviceList(fleet: String, where: String?, limit: Int, after: UInt32?)
    /// Without an arm: in the base.
    case why(fleet: String, device: UInt32, arm: String?, from: Int, view: View)
    case fleetStep(fleet: String, span: String)
    case fleetUntil(fleet: String, until: String)
    /// Without an instant: where the fleet is; without a rate: as it goes.
    case fleetFork(fleet: String, name: String, at: String?, paused: Bool, rate: FleetRate?)
    case fleetExport(fleet: String)
    case blobGet(fleet: String, sha256: String, offset: Int)
    case jobs
    /// For one of both.
    case wait(fleet: String?, job: String?, withinSeconds: Double)
    case deviceShow(fleet: String, device: UInt32, arm: String?)
    /// With the hash of the script that the value names, and options for it.
    case intervene(
        fleet: String, where: String?, share: Double, do: String, value: Value?,
        sha256: String? = nil, options: Value? = nil)

    /// How a result is to look.
    public struct View: Equatable, Sendable {
        public enum Format: String, CaseIterable, Sendable { case json, text }

        public let format: Format
        /// Columns of text, in `widths`.
        public let width: Int
        /// Whether text carries escape sequences for colors.
        public let color: Bool

        public init(format: Format = .json, width: Int = 80, color: Bool = false) {
            (self.format, self.width, self.color) = (format, width, color)
        }
    }

    /// What figures are kept apart by.
    public enum Grouping: String, CaseIterable, Sendable { case persona, ios }

    /// What an intervention sets.
    public indirect enum Value: Equatable, Sendable {
        case string(String)
        /// Finite.
        case number(Double)
        case bool(Bool)
        case null
        /// Options by their names: none of the values is an object.
        case object([Member])

        public struct Member: Equatable, Sendable {
            public let name: String
            public let value: Value

            public init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
        }
    }

    /// Bytes of a fleet's name: letters, digits, `.`, `_` and `-`, where the first two of those
    /// marks do not stand first. A name is also a file's.
    public static let nameBytesMax = 64
    /// Bytes of a condition, or of any other text that has no limit of its own.
    public static let textBytesMax = 4_096
    public static let hashCountMax = 1_024
    public static let typeCountMax = 64
    public static let widths = 20...1_000
    public static let everySeconds = 0.1...86_400.0
    public static let waitSeconds = 0...3_600.0
    public static let deviceLimits = 1...10_000
    /// The greatest whole number that every JSON reader takes exactly.
    public static let integerMax = 1 << 53 - 1

    /// Refuses unknown parameters: a misspelt option must not pass for its default.
    ///
    /// - Parameter value: an object of names, a list in the table's order, or nil for none.
    init(method name: String, _ value: JSONValue?) throws(ControlError) {
        guard let method = ControlMethod(name: name) else {
            let nearest = nearest(to: name, among: ControlMethod.allCases.map(\.name))
            throw ControlError(.unknownMethod, unknown("method", name, nearest))
        }
        var parameters = try ControlParameters(method, value)
        self = method.decode(&parameters)
    }
}
