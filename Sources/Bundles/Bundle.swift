import Simulation

/// A scenario with every file that it names, under one hash: what is run, stored and shipped.
public struct Bundle: Sendable {
    public var scenario: Scenario
    /// Of `manifest`, in 64 lower-case hexadecimal digits.
    public var sha256: String
    /// What is hashed: canonical JSON of all that decides a run.
    public var manifest: String
    /// The files, scripts in the order of `Scenario.scripts`, then the Info.plist.
    public var blobs: [Blob]
    /// What the scenario asks for and this version cannot do: `run` refuses it.
    public var notYet: [NotYet]

    public struct Blob: Sendable {
        public enum Kind: String, CaseIterable, Sendable {
            case behavior, strategy
            case infoPlist = "info_plist"
        }

        /// As the scenario gives it, never an absolute path.
        public var name: String
        public var kind: Kind
        public var sha256: String
        public var bytes: [UInt8]
    }

    /// A part of a scenario that is checked and cannot be run yet.
    public struct NotYet: Equatable, Sendable, CustomStringConvertible {
        public var key: String
        /// The file, or the option of the command line.
        public var place: String
        public var line: Int?
        public var column: Int?

        public var description: String {
            BundleError(.notYet, place: place, line: line, column: column, key: key, message)
                .description
        }

        private var message: String {
            "this version reads and checks it and cannot run it yet; leave it out or empty to run"
        }
    }
}

/// Whom a script plays.
public enum ScriptRole: String, CaseIterable, Sendable { case behavior, strategy }

/// An option that a script declares, as the script bridge reads it.
public struct DeclaredOption: Equatable, Sendable {
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
}

/// What a command line lays over a scenario.
public struct Overrides: Sendable {
    public var devices: UInt64?
    /// May be a fraction.
    public var days: Double?
    public var seed: UInt64?
    /// `--set KEY=VALUE`, in order: a later one wins.
    public var sets: [(key: String, value: String)]

    public init(
        devices: UInt64? = nil, days: Double? = nil, seed: UInt64? = nil,
        sets: [(key: String, value: String)] = []
    ) {
        (self.devices, self.days, self.seed, self.sets) = (devices, days, seed, sets)
    }
}
