import Simulation

/// Why a script cannot be loaded.
public struct ScriptError: Error, Equatable, Sendable {
    /// A closed set, so that a client can switch over it.
    /// Raw values are public API: append, never rename.
    public enum Code: String, CaseIterable, Sendable {
        case syntax
        /// It failed while it was running.
        case runtime
        /// It loads, but declares what the API does not know.
        case invalid
        case budgetExhausted = "budget_exhausted"
        case sourceTooLong = "source_too_long"
        case stringTooLong = "string_too_long"
        case outOfMemory = "out_of_memory"
        case tooManyNames = "too_many_names"
    }

    public let code: Code
    /// The script's name as the scenario gives it, never an absolute path.
    public let script: String
    /// Nil where the error has no line.
    public let line: Int?
    /// What is wrong, in the script author's terms. Free text: not for labels.
    public let reason: String

    public init(_ code: Code, script: String, line: Int? = nil, reason: String) {
        (self.code, self.script, self.line, self.reason) = (code, script, line, reason)
    }
}

extension ScriptError: CustomStringConvertible {
    /// One line that says where, and what is wrong: `scripts/behaviors/x.lua:3: …`.
    public var description: String {
        line.map { "\(script):\($0): \(reason)" } ?? "\(script): \(reason)"
    }
}

/// What scripts may use up. All but the last can change results.
public struct ScriptLimits: Hashable, Sendable {
    /// Compiling is not counted in instructions.
    public var sourceBytesMax = 256 * 1024
    /// Of one call, all its coroutines together.
    public var instructionsMax: Int64 = 100_000
    public var stringBytesMax = 16 * 1024
    /// Of one Lua state, and of all that one call allocates, freed or not.
    public var stateBytesMax = 64 * 1024 * 1024

    public init() {}
}

/// Which port a script plays.
public enum ScriptKind: String, CaseIterable, Sendable {
    case behavior, strategy

    public var hooks: [HookName] {
        switch self {
        case .behavior: HookName.behavior
        case .strategy: HookName.strategy
        }
    }
}
