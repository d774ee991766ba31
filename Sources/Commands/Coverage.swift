import Bundles
import DaemonRuntime
import Foundation
import LuaScripting
import Metrics
import Simulation

/// How often the 95 % intervals of reports hold what is true, over many small runs through the
/// whole engine of `config/bench/coverage.json5`, whose truth is known exactly.
public struct Coverage: Sendable {
    /// One kind of interval.
    public struct Row: Sendable {
        /// Which figure of which report.
        public let figure: String
        public let truth: Double
        public fileprivate(set) var runs: UInt64 = 0
        /// Runs whose interval holds the truth.
        public fileprivate(set) var held: UInt64 = 0

        public var coverage: Double { Double(held) / Double(max(1, runs)) }

        /// 94.3 to 95.7 % over 10,000 runs: 3.2 standard errors. As many for other numbers of runs.
        public var band: ClosedRange<Double> {
            let half = 0.007 * (10_000 / Double(max(1, runs))).squareRoot()
            return (0.95 - half)...(0.95 + half)
        }

        public var isKept: Bool { band.contains(coverage) }

        fileprivate mutating func count(_ interval: (low: Double, high: Double)?) {
            runs += 1
            if let interval, interval.low <= truth, truth <= interval.high { held += 1 }
        }
    }

    /// What is true of the scenario's people: the constants of its scripts.
    private static let (grantBase, grantArm, fresh) = (0.45, 0.6, 0.5)
    /// Waits are 2 s × 10⁸ᵘ, and the run lasts 365 days: u ends there for who opens at all.
    private static let longest = 365.0 * 86_400 / 2
    private static let opened = log(longest) / log(1e8)
    private static let both =
        (1 - fresh) * min(grantBase, grantArm) + fresh * grantBase * grantArm

    public private(set) var rows = [
        Row(figure: "of_previous_95, opened", truth: opened),
        Row(figure: "of_previous_95, granted", truth: grantBase),
        Row(figure: "of_previous_95, granted in the arm", truth: grantArm),
        Row(figure: "seconds_p50_95, opened", truth: 2 * pow(longest, 0.5)),
        Row(figure: "seconds_p90_95, opened", truth: 2 * pow(longest, 0.9)),
        Row(figure: "difference_95, granted", truth: opened * (grantArm - grantBase)),
    ]
    /// Of the shares of those who granted, by run: the base's and the arm's.
    private var shares: [(base: Double, arm: Double)] = []
    private var ratios: [Double] = []

    private let arms: [Arm]

    public init() throws {
        let reader = BundleReader.withLua(
            library: Library.roots(
                executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
                environment: ProcessInfo.processInfo.environment))
        arms = try reader.read(
            scenarioPath: "config/bench/coverage.json5", overrides: Overrides()
        ).arms
    }

    /// Runs the scenario once with `seed`, and holds every interval against the truth.
    public mutating func run(seed: UInt64) throws {
        let arms = arms.map { arm in
            var arm = arm
            arm.scenario.seed = seed
            return arm
        }
        let runner = try FleetRunner(arms, options: FleetRunner.Options(workers: 1))
        guard runner.run() == .duration else {
            throw CommandError("seed \(seed): the run did not end", status: .failed)
        }
        let figures = runner.figures()
        let (base, arm) = (
            figures.arms[0].groups[0].funnels[0], figures.arms[1].groups[0].funnels[0]
        )
        func share(_ counts: FunnelCounts, _ step: Int) -> (low: Double, high: Double)? {
            Intervals.wilson95(counts.reached[step], of: counts.reached[step - 1])
        }
        func seconds(_ quantile: Double) -> (low: Double, high: Double)? {
            base.waits[Self.openedStep].quantile95(quantile).map {
                (Double($0.low) / 1e6, Double($0.high) / 1e6)
            }
        }
        let pairs = figures.pairings[0][0].funnels[0][Self.grantedStep]
        let intervals = [
            share(base, Self.openedStep), share(base, Self.grantedStep),
            share(arm, Self.grantedStep), seconds(0.5), seconds(0.9), Intervals.newcombe95(pairs),
        ]
        for index in rows.indices { rows[index].count(intervals[index]) }
        shares.append((pairs.second, pairs.first))
        ratios.append(pairs.varianceRatio ?? .nan)
    }

    private static let openedStep = FunnelDefinition.builtIn.steps.firstIndex(of: .opened) ?? 0
    private static let grantedStep = FunnelDefinition.builtIn.steps.firstIndex(of: .granted) ?? 0
}

extension Coverage {
    /// By how much pairing narrows a comparison, three ways.
    public struct VarianceRatio: Sendable {
        /// The mean of what reports state.
        public let stated: Double
        /// By probability.
        public let truth: Double
        /// Between runs: of the differences between two separate groups over those of pairs.
        public let observed: Double
        public let runs: Int

        /// 3.2 standard errors of a ratio of two such variances.
        public var toleranceShare: Double { 3.2 * (4 / Double(max(1, runs))).squareRoot() }

        /// The mean of a ratio of estimates lies a little above the ratio: 1 % with 210 devices.
        public var isKept: Bool {
            abs(stated / truth - 1) < 0.02 + toleranceShare / 10
                && abs(observed / truth - 1) < toleranceShare
        }
    }

    /// Two separate groups are the arm of one seed and the base of the one before.
    public var varianceRatio: VarianceRatio {
        let (a, b) = (Self.opened * Self.grantArm, Self.opened * Self.grantBase)
        let unlike = a + b - 2 * Self.opened * Self.both
        let paired = shares.map { $0.arm - $0.base }
        let separate = zip(shares.dropFirst(), shares).map { $0.arm - $1.base }
        return VarianceRatio(
            stated: ratios.reduce(0, +) / Double(max(1, ratios.count)),
            truth: (a * (1 - a) + b * (1 - b)) / (unlike - (a - b) * (a - b)),
            observed: Self.variance(separate) / Self.variance(paired), runs: shares.count)
    }

    private static func variance(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            / Double(max(1, values.count - 1))
    }
}
