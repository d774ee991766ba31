/// Something that a script declares and the API does not know.
public struct ScriptProblem: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// A hook that there is not.
        case hook
        /// A hook that is no function.
        case noFunction
        /// A hook that the other kind of script has.
        case otherKind
        case missingHook
        case option
        /// So many more, which are not told.
        case more(Int)
    }

    /// Problems of one script that are told.
    public static let countMax = 100

    public let reason: Reason
    public let error: ScriptError
}

/// Looks on while scripts are loaded and run, for those who check them: a fleet has none.
///
/// A class, because the Lua state tells it what it sees. One thread at a time uses it.
public final class ScriptWatch {
    /// The weights of one `rng.pick`.
    public struct Weights: Hashable, Sendable {
        public var sum: Double
        public var largest: Double
        public var line: Int
    }

    /// All that is wrong with the declarations of the scripts that were loaded, in order.
    public internal(set) var problems: [ScriptProblem] = []
    private let onWeights: (Weights) -> Void

    /// - Parameter onWeights: called at each `rng.pick`, while its hook runs.
    public init(onWeights: @escaping (Weights) -> Void = { _ in }) { self.onWeights = onWeights }

    func weighed(_ sum: Double, _ largest: Double, line: Int) {
        onWeights(Weights(sum: sum, largest: largest, line: line))
    }
}
