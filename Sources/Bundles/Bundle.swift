import Simulation

/// A scenario with every file that it names, under one hash: what is run, stored and shipped.
public struct Bundle: Sendable {
    /// The scenario itself, called "base", then the variants that are held against it.
    public var arms: [Arm]
    /// Of `manifest`, in 64 lower-case hexadecimal digits.
    public var sha256: String
    /// What is hashed: canonical JSON of all that decides a run.
    public var manifest: String
    /// The files of all arms, each once: scripts in the order of `Scenario.scripts`, then the
    /// Info.plist. Manifests of arms come last.
    public var blobs: [Blob]

    public var scenario: Scenario { arms[0].scenario }

    public struct Blob: Hashable, Sendable {
        public enum Kind: String, CaseIterable, Sendable {
            case behavior, strategy
            case infoPlist = "info_plist"
            /// The manifest of an arm.
            case arm
        }

        /// As the scenario gives it, never an absolute path.
        public var name: String
        public var kind: Kind
        public var sha256: String
        public var bytes: [UInt8]
    }

}

/// Whom a script plays.
public enum ScriptRole: String, CaseIterable, Sendable { case behavior, strategy }

/// What a command line lays over a scenario.
public struct Overrides: Sendable {
    public var devices: UInt64?
    /// May be a fraction.
    public var days: Double?
    public var seed: UInt64?
    /// `--set KEY=VALUE`, in order: a later one wins.
    public var sets: [(key: String, value: String)]
    /// `--arm FILE|NAME`: the arms to run; empty: all of the scenario's.
    public var arms: [String]

    public init(
        devices: UInt64? = nil, days: Double? = nil, seed: UInt64? = nil,
        sets: [(key: String, value: String)] = [], arms: [String] = []
    ) {
        (self.devices, self.days, self.seed, self.sets) = (devices, days, seed, sets)
        self.arms = arms
    }
}
