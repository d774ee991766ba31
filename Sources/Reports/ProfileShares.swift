import Simulation

/// Where the time of a run went: by part, and within scripts by hook.
public struct ProfileShares: Hashable, Sendable {
    /// How often a worker was looked at while it was at something.
    public private(set) var samples: UInt64 = 0
    /// In the order of `WorkPart.allCases`.
    public let parts: [Part]
    /// The busiest first.
    public let hooks: [Hook]

    public struct Part: Hashable, Sendable {
        public let part: WorkPart
        public let samples: UInt64
    }

    public struct Hook: Hashable, Sendable {
        public let script: String
        public let hook: HookName
        public let samples: UInt64
    }

    /// - Parameters:
    ///   - counts: by arm, how often a worker was found at each place.
    ///   - scripts: by arm, the names that `WorkPlace.script` stands for.
    public init(_ counts: [Int: [WorkPlace: UInt64]], scripts: [[String]]) {
        var byPart: [WorkPart: UInt64] = [:]
        var byHook: [String: [HookName: UInt64]] = [:]
        for (arm, places) in counts {
            for (place, count) in places {
                samples += count
                byPart[place.part, default: 0] += count
                guard let hook = place.hook else { continue }
                byHook[scripts[arm][Int(place.script)], default: [:]][hook, default: 0] += count
            }
        }
        parts = WorkPart.allCases.map { Part(part: $0, samples: byPart[$0] ?? 0) }
        hooks = byHook.flatMap { script, hooks in
            hooks.map { Hook(script: script, hook: $0, samples: $1) }
        }.sorted {
            ($1.samples, $0.script, $0.hook.rawValue) < ($0.samples, $1.script, $1.hook.rawValue)
        }
    }

    /// Of all samples, to four places; 0 where there are none.
    public func share(_ count: UInt64) -> Double {
        (Double(count) / Double(max(samples, 1)) * 1e4).rounded() / 1e4
    }

    var tree: JSONTree {
        func number(_ count: UInt64) -> JSONTree { samples == 0 ? .null : .number(share(count)) }
        return .object([
            ("samples", .count(samples)),
            (
                "parts",
                .list(
                    parts.map {
                        .object([("part", .text($0.part.rawValue)), ("share", number($0.samples))])
                    })
            ),
            (
                "hooks",
                .list(
                    hooks.map {
                        .object([
                            ("script", .text($0.script)), ("hook", .text($0.hook.rawValue)),
                            ("share", number($0.samples)),
                        ])
                    })
            ),
        ])
    }
}
