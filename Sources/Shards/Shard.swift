import JSONText

/// Why a shard or a part of a run is refused.
public struct ShardError: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}

/// The `index`-th of `count` shares of a fleet's devices, counted from 1.
///
/// Devices are cut into stretches of consecutive numbers whose sizes differ by one at most. A
/// device keeps its number, so it is the same person whatever the cut; and where a stretch
/// begins decides nothing, since devices do not interact and no result tells which of them share
/// a Lua state.
public struct Shard: Hashable, Sendable {
    public static let countMax: UInt32 = 10_000

    public let index: UInt32
    public let count: UInt32

    init(index: UInt32, of count: UInt32) { (self.index, self.count) = (index, count) }

    public var text: String { "\(index)/\(count)" }

    /// Its devices, of so many.
    ///
    /// - Precondition: there are at least `count`.
    public func devices(of total: UInt32) -> Range<UInt32> {
        func bound(_ index: UInt32) -> UInt32 {
            UInt32(UInt64(total) * UInt64(index) / UInt64(count))
        }
        return bound(index - 1)..<bound(index)
    }
}

extension Shard {
    /// Reads `i/N`; or takes index and count from the environment where the text asks for it:
    /// `auto` for both, `/N` for the index.
    ///
    /// - Throws: what is due instead. Nothing is guessed.
    public init(_ text: String, environment: [String: String]) throws(ShardError) {
        if text == "auto" {
            self = try Self.found(environment, count: nil)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = UInt32(parts[1]), (1...Self.countMax).contains(count)
        else {
            throw ShardError(
                "--shard is i/N, with N in 1 ... \(Self.countMax), such as 2/8; or auto, or /N, to "
                    + "take it from the environment; not '\(text)'")
        }
        if parts[0].isEmpty {
            self = try Self.found(environment, count: count)
            return
        }
        guard let index = UInt32(parts[0]), (1...count).contains(index) else {
            throw ShardError(
                "--shard \(text): shards of \(count) are 1/\(count) ... \(count)/\(count)")
        }
        self.init(index: index, of: count)
    }

    private static let variables = [
        "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "OMPI_COMM_WORLD_RANK",
    ]

    private static func found(
        _ environment: [String: String], count: UInt32?
    ) throws(ShardError) -> Shard {
        let asked = count.map { "--shard /\($0)" } ?? "--shard auto"
        let set = variables.filter { environment[$0] != nil }
        guard let variable = set.first else {
            throw ShardError(
                "\(asked): none of \(listed(variables)) is set; --shard i/N says it outright")
        }
        guard set.count == 1 else {
            throw ShardError("\(asked): \(listed(set)) are set; --shard i/N says which is meant")
        }
        func number(_ name: String) throws(ShardError) -> UInt32? {
            guard let text = environment[name] else { return nil }
            guard let number = UInt32(text) else {
                throw ShardError("\(asked): \(name) is a whole number, not '\(text)'")
            }
            return number
        }
        /// - Parameter first: the index of the first shard there, counted with `step`.
        func shard(
            _ named: String?, first: UInt32 = 0, step: UInt32 = 1
        ) throws(ShardError) -> Shard {
            let known = try named.flatMap { (name) throws(ShardError) in try number(name) }
            guard let total = known ?? count else {
                throw ShardError(
                    "\(asked): \(variable) has no count beside it"
                        + (named.map { " in \($0)" } ?? "") + "; --shard /N gives it")
            }
            if let count, count != total {
                throw ShardError(
                    "\(asked): \(named ?? "the environment") says \(total) shards; "
                        + "--shard i/N says which is meant")
            }
            let given = try number(variable) ?? 0
            guard (1...countMax).contains(total), step > 0, given >= first,
                (given - first).isMultiple(of: step), (given - first) / step < total
            else {
                throw ShardError(
                    "\(asked): \(variable) is \(given), which is none of \(total) shards from "
                        + "\(first)" + (step == 1 ? "" : " in steps of \(step)"))
            }
            return Shard(index: (given - first) / step + 1, of: total)
        }
        switch variable {
        case "SLURM_ARRAY_TASK_ID":
            // An array may begin anywhere, and its tasks need not follow each other: 1,5,9-10.
            guard let first = try number("SLURM_ARRAY_TASK_MIN"),
                let last = try number("SLURM_ARRAY_TASK_MAX"),
                let tasks = try number("SLURM_ARRAY_TASK_COUNT")
            else {
                throw ShardError(
                    "\(asked): SLURM_ARRAY_TASK_MIN, _MAX and _COUNT belong to "
                        + "SLURM_ARRAY_TASK_ID; --shard i/N says it outright")
            }
            let step = try number("SLURM_ARRAY_TASK_STEP") ?? 1
            let span = UInt64(tasks == 0 ? 0 : tasks - 1) * UInt64(step)
            guard first <= last, UInt64(last - first) == span else {
                throw ShardError(
                    "\(asked): the array's \(tasks) tasks do not go from \(first) to \(last) in "
                        + "steps of \(step); --shard i/N says which shard this is")
            }
            return try shard("SLURM_ARRAY_TASK_COUNT", first: first, step: step)
        case "JOB_COMPLETION_INDEX": return try shard(nil)
        default: return try shard("OMPI_COMM_WORLD_SIZE")
        }
    }
}

/// "1, 2 and 3"
func listed(_ names: [String]) -> String {
    names.count < 2
        ? names.joined()
        : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
}
