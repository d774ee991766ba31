import AuthorizationCore
import SimPrimitives

/// Which devices are meant: what `where` says, with every name resolved.
///
/// Options are those that the device's person has at that instant: interventions change them.
public indirect enum DeviceCondition: Hashable, Sendable {
    /// Holds for every device, or for none.
    case constant(Bool)
    case all([DeviceCondition])
    case any([DeviceCondition])
    case not(DeviceCondition)
    /// Bit *i* stands for the status at place *i* of `allCases`.
    case visible(UInt8)
    case trueStatus(UInt8)
    /// By the index of the persona.
    case persona([Bool])
    /// By the index of the arm.
    case arm([Bool])
    /// The version that the device runs now.
    case ios(Comparison, IOSVersion)
    /// The device's number.
    case device(Comparison, UInt32)
    /// The local day of the scenario, from 0.
    case day(Comparison, Double)
    /// An option of the person's behavior; false where the behavior has none of that name.
    case option(OptionTest)
}

/// A comparison of an option's value.
public struct OptionTest: Hashable, Sendable {
    public var name: String
    public var comparison: Comparison
    public var bound: ScriptOption.Value

    public init(_ name: String, _ comparison: Comparison, _ bound: ScriptOption.Value) {
        (self.name, self.comparison, self.bound) = (name, comparison, bound)
    }

    func holds(_ options: [ScriptOption]) -> Bool {
        guard let value = options.first(where: { $0.name == name })?.value else { return false }
        switch (value, bound) {
        case (.number(let left), .number(let right)): return comparison.holds(left, right)
        default: return comparison == .notEqual ? value != bound : value == bound
        }
    }
}

/// How two values are compared. Raw values are the signs of conditions.
public enum Comparison: String, CaseIterable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case equal = "=="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case greater = ">"

    @inlinable
    public func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .equal: left == right
        case .notEqual: left != right
        case .greaterOrEqual: left >= right
        case .greater: left > right
        }
    }
}

extension DeviceCondition {
    /// Whether the persona matters: it takes a draw to know it.
    public var asksForPersona: Bool {
        switch self {
        case .persona: true
        case .all(let parts), .any(let parts): parts.contains(where: \.asksForPersona)
        case .not(let part): part.asksForPersona
        case .constant, .visible, .trueStatus, .arm, .ios, .device, .day, .option: false
        }
    }

    /// What is sure for every device of a persona in an arm with these options; nil: it depends.
    func verdict(persona: Int, arm: Int, options: [ScriptOption]) -> Bool? {
        func verdicts(_ parts: [DeviceCondition]) -> [Bool?] {
            parts.map { $0.verdict(persona: persona, arm: arm, options: options) }
        }
        switch self {
        case .constant(let value): return value
        case .all(let parts):
            let verdicts = verdicts(parts)
            return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
        case .any(let parts):
            let verdicts = verdicts(parts)
            return verdicts.contains(true) ? true : verdicts.contains(nil) ? nil : false
        case .not(let part):
            return part.verdict(persona: persona, arm: arm, options: options).map { !$0 }
        case .persona(let isMeant): return isMeant[persona]
        case .arm(let isMeant): return isMeant[arm]
        case .option(let test): return test.holds(options)
        case .visible, .trueStatus, .ios, .device, .day: return nil
        }
    }
}

/// What a condition may know of a device at an instant.
struct DeviceFacts {
    var number: UInt32
    var visible: VisibleStatus
    var trueStatus: TrueStatus
    var persona: Int
    var arm: Int
    var ios: IOSVersion
    var day: Int64
    /// Of the person's behavior now.
    var options: [ScriptOption]
}

extension DeviceCondition {
    func holds(_ facts: DeviceFacts) -> Bool {
        switch self {
        case .constant(let value): value
        case .all(let parts): parts.allSatisfy { $0.holds(facts) }
        case .any(let parts): parts.contains { $0.holds(facts) }
        case .not(let part): !part.holds(facts)
        case .visible(let mask): mask >> UInt8(facts.visible.place) & 1 == 1
        case .trueStatus(let mask): mask >> UInt8(facts.trueStatus.place) & 1 == 1
        case .persona(let isMeant): isMeant[facts.persona]
        case .arm(let isMeant): isMeant[facts.arm]
        case .ios(let comparison, let version): comparison.holds(facts.ios, version)
        case .device(let comparison, let number): comparison.holds(facts.number, number)
        case .day(let comparison, let day): comparison.holds(Double(facts.day), day)
        case .option(let test): test.holds(facts.options)
        }
    }
}
