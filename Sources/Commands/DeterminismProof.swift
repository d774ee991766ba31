import JSONText
import Reports
import Simulation

/// Holds the outcomes of samples against the first, until one differs.
struct DeterminismProof {
    /// Runs of samples that differ, to catch the records in which they do.
    private static let triesMax = 8

    let player: SamplePlayer
    /// What was played, with what came of it.
    private(set) var runs: [(sample: DeterminismSample, digest: String)] = []
    private(set) var difference: RunDifference?
    private var first: (sample: DeterminismSample, outcome: SamplePlayer.Outcome)?

    init(player: SamplePlayer) { self.player = player }

    /// Plays one more sample.
    ///
    /// - Returns: whether it is the same run as the first.
    mutating func add(_ sample: DeterminismSample) throws(CommandError) -> Bool {
        let outcome = try player.play(sample)
        runs.append((sample, Self.digest(of: outcome)))
        guard let first else {
            self.first = (sample, outcome)
            return true
        }
        difference = try difference(of: sample, outcome, from: first.sample, first.outcome)
        return difference == nil
    }

    private static func digest(of outcome: SamplePlayer.Outcome) -> String {
        let line = outcome.report.first { $0.contains("\"digest\": \"") } ?? ""
        return line.components(separatedBy: "\"digest\": \"").last?.components(separatedBy: "\"")
            .first ?? ""
    }

    private func difference(
        of sample: DeterminismSample, _ outcome: SamplePlayer.Outcome,
        from first: DeterminismSample, _ firstOutcome: SamplePlayer.Outcome
    ) throws(CommandError) -> RunDifference? {
        var difference = RunDifference(runs: (first.name, sample.name))
        if let lines = Self.firstDifference(firstOutcome.digests, outcome.digests) {
            let words = (lines.0 ?? lines.1 ?? "").split(separator: " ").map(String.init)
            guard words.count == 3 else { return difference }
            (difference.arm, difference.device) = (words[0], words[1])
            difference.records = try records(arm: words[0], words[1], first, sample)
            return difference
        }
        guard let (one, other) = Self.firstDifference(firstOutcome.report, outcome.report) else {
            return nil
        }
        difference.lines = (one.map(String.init), other.map(String.init))
        return difference
    }

    /// The first record of that device which differs.
    private func records(
        arm: String, _ device: String, _ one: DeterminismSample, _ other: DeterminismSample
    ) throws(CommandError) -> RunDifference.Pair? {
        if arm == Arm.baseName {
            let pair = try differing([one]) { (sample) throws(CommandError) in
                try player.recordsAlone(sample, device: device)
            }
            if let pair { return pair }
        }
        return try differing([one, other]) { (sample) throws(CommandError) in
            try player.records(sample, arm: arm, device: device)
        }
    }

    /// Plays the samples in turn until the records differ from those of the first time.
    private func differing(
        _ samples: [DeterminismSample],
        _ records: (DeterminismSample) throws(CommandError) -> [String]
    ) throws(CommandError) -> RunDifference.Pair? {
        var first: [String]?
        for index in 0..<Self.triesMax {
            let lines = try records(samples[index % samples.count])
            guard let known = first else {
                first = lines
                continue
            }
            guard let (a, b) = Self.firstDifference(known, lines) else { continue }
            return (a, b)
        }
        return nil
    }

    /// The first place at which two lists differ, and what either has there.
    private static func firstDifference<Line: Equatable>(
        _ one: [Line], _ other: [Line]
    ) -> (Line?, Line?)? {
        for index in 0..<max(one.count, other.count) {
            let a = index < one.count ? one[index] : nil
            let b = index < other.count ? other[index] : nil
            if a != b { return (a, b) }
        }
        return nil
    }
}
