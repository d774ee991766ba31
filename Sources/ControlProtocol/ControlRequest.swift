import JSONText

/// A request that has passed every check that needs no fleet.
///
/// Labels are the wire names. A fleet's name has the form of `nameBytesMax`, a hash is 64
/// hexadecimal digits in lower case, and a text is at most `textBytesMax` bytes.
public enum ControlRequest: Equatable, Sendable {
    case daemonStatus
    case daemonStop
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
    case metrics(fleet: String, view: View)
    /// Every so many seconds of wall time.
    case funnelSubscribe(fleet: String, everySeconds: Double, view: View)
    /// No types: all of them. Their names are not checked here.
    case watch(fleet: String, types: [String], where: String?)
    case unsubscribe(subscription: String)
    /// Devices with a number greater than `after`.
    case deviceList(fleet: String, where: String?, limit: Int, after: UInt32?)
    /// Without an arm: in the base.
    case why(fleet: String, device: UInt32, arm: String?, from: Int, view: View)
    case intervene(fleet: String, where: String?, share: Double, do: String, value: Value?)

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
    public enum Value: Equatable, Sendable {
        case string(String)
        /// Finite.
        case number(Double)
        case bool(Bool)
        case null
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
    public static let deviceLimits = 1...10_000
    /// The greatest whole number that every JSON reader takes exactly.
    public static let integerMax = 1 << 53 - 1

    /// Refuses unknown parameters: a misspelt option must not pass for its default.
    init(method name: String, _ value: JSONValue?) throws(ControlError) {
        guard let method = ControlMethod(rawValue: name) else {
            let nearest = nearest(to: name, among: ControlMethod.allCases.map(\.rawValue))
            throw ControlError(.unknownMethod, unknown("method", name, nearest))
        }
        guard case .object(let members) = value ?? .object([]) else {
            throw ControlError(.invalidParameter, "\"params\" is an object: names, not places")
        }
        var parameters = ControlParameters(members)
        self.init(method, &parameters)
        try parameters.finish()
    }

    /// What is wrong with the parameters is kept in them.
    private init(_ method: ControlMethod, _ parameters: inout ControlParameters) {
        switch method {
        case .daemonStatus: self = .daemonStatus
        case .daemonStop: self = .daemonStop
        case .blobHave: self = .blobHave(sha256: parameters.hashes("sha256"))
        case .blobPut:
            self = .blobPut(
                sha256: parameters.hash("sha256"), offset: parameters.integer("offset"),
                bytes: parameters.bytes("base64"), last: parameters.bool("last"))
        case .fleetCreate:
            self = .fleetCreate(
                name: parameters.name("name"), bundle: parameters.hash("bundle"),
                paused: parameters.bool("paused"), rate: parameters.rate("rate", default: .max),
                by: parameters.groupings("by"))
        case .fleetList: self = .fleetList
        case .fleetShow: self = .fleetShow(fleet: parameters.name("fleet"))
        case .fleetStart: self = .fleetStart(fleet: parameters.name("fleet"))
        case .fleetPause: self = .fleetPause(fleet: parameters.name("fleet"))
        case .fleetResume: self = .fleetResume(fleet: parameters.name("fleet"))
        case .fleetStop: self = .fleetStop(fleet: parameters.name("fleet"))
        case .fleetDelete: self = .fleetDelete(fleet: parameters.name("fleet"))
        case .fleetRate:
            self = .fleetRate(
                fleet: parameters.name("fleet"), rate: parameters.rate("rate", default: nil))
        case .funnel: self = .funnel(fleet: parameters.name("fleet"), view: parameters.view())
        case .metrics: self = .metrics(fleet: parameters.name("fleet"), view: parameters.view())
        case .funnelSubscribe:
            self = .funnelSubscribe(
                fleet: parameters.name("fleet"),
                everySeconds: parameters.number(
                    "every_seconds", "is a number in 0.1...86400", default: 1,
                    isValid: Self.everySeconds.contains),
                view: parameters.view())
        case .watch:
            self = .watch(
                fleet: parameters.name("fleet"), types: parameters.types("types"),
                where: parameters.optionalText("where"))
        case .unsubscribe: self = .unsubscribe(subscription: parameters.text("subscription"))
        case .deviceList:
            self = .deviceList(
                fleet: parameters.name("fleet"), where: parameters.optionalText("where"),
                limit: parameters.integer("limit", in: Self.deviceLimits, default: 20),
                after: parameters.optionalDevice("after"))
        case .why:
            self = .why(
                fleet: parameters.name("fleet"), device: parameters.device("device"),
                arm: parameters.optionalText("arm"), from: parameters.integer("from", default: 0),
                view: parameters.view())
        case .intervene:
            self = .intervene(
                fleet: parameters.name("fleet"), where: parameters.optionalText("where"),
                share: parameters.number(
                    "share", "is a number over 0 and up to 1", default: 1,
                    isValid: { $0 > 0 && $0 <= 1 }),
                do: parameters.text("do"), value: parameters.value("value"))
        }
    }
}
