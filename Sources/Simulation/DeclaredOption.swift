/// An option that a script declares, as the script bridge reads it.
public struct DeclaredOption: Hashable, Sendable {
    public var name: String
    public var value: ScriptOption.Value
    /// Of a number; nil: no bound on that side.
    public var min: Double?
    public var max: Double?
    public var unit: String
    public var about: String
    /// Where the default comes from; empty where the script does not say.
    public var source: String
    /// No source is named, or the source is "assumed".
    public var isAssumed: Bool

    public init(
        name: String, value: ScriptOption.Value, min: Double? = nil, max: Double? = nil,
        unit: String = "", about: String = "", source: String = "", isAssumed: Bool = true
    ) {
        (self.name, self.value, self.min, self.max) = (name, value, min, max)
        (self.unit, self.about, self.source, self.isAssumed) = (unit, about, source, isAssumed)
    }

    /// Whether the option can have this value: its kind, and its range.
    public func takes(_ value: ScriptOption.Value) -> Bool {
        switch (self.value, value) {
        case (.boolean, .boolean), (.string, .string): true
        case (.number, .number(let number)):
            number.isFinite && number >= min ?? -.infinity && number <= max ?? .infinity
        default: false
        }
    }
}

/// A value that an intervention gives to an option.
public struct OptionSetting: Hashable, Sendable {
    public var name: String
    public var value: ScriptOption.Value

    public init(_ name: String, _ value: ScriptOption.Value) {
        (self.name, self.value) = (name, value)
    }
}
