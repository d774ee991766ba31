import ControlProtocol
import Simulation

/// One limit, as `locfleet limits` and `config/daemon.md` show it.
public struct NamedLimit: Sendable {
    /// Whose it is.
    public enum Part: String, CaseIterable, Sendable {
        case `protocol`, daemon, scenario, scripts, engine
    }

    /// Who counts how often it was reached.
    public enum Counter: Sendable {
        /// Nobody.
        case none
        case limit(LimitName)
        /// The fleets that there are, as script failures.
        case failures(ScriptFailureCode)
    }

    public let name: String
    public let part: Part
    public let value: UInt64
    /// In the plural.
    public let unit: String
    /// What happens when it is reached.
    public let then: String
    public let counter: Counter

    init(
        _ part: Part, _ name: String, _ value: some BinaryInteger, _ unit: String, then: String,
        counter: Counter = .none
    ) {
        (self.part, self.name, self.value) = (part, name, UInt64(value))
        (self.unit, self.then, self.counter) = (unit, then, counter)
    }

    init(
        _ part: Part, _ limit: LimitName, _ value: some BinaryInteger, _ unit: String, then: String
    ) {
        self.init(part, limit.rawValue, value, unit, then: then, counter: .limit(limit))
    }
}
