import JSONText
import Reports
import Simulation

/// Holds the outcomes of samples against the first.
struct DeterminismProof {
    /// Runs of samples that differ, to catch the records in which they do.
    private static let triesMax = 8

    let player: SamplePlayer
    private var first: (sample: DeterminismSample, outcome: SamplePlayer.Outcome)?

    init(player: SamplePlayer) { self.player = player }

    /// Of the first outcome.
    var digest: String {
        let line = first?.outcome.report.first { $0.contains("\"digest\": \"") } ?? ""
        return line.components(separatedBy: "\"digest\": \"").last?.components(separatedBy: "\"")
            .first ?? ""
    }

    /// Plays one more sample.
    ///
    /// - Returns: how it differs from the first, for people; nil where it does not.
    mutating func add(_ sample: DeterminismSample) throws(CommandError) -> String? {
        let outcome = try player.play(sample)
        guard let first else {
            self.first = (sample, outcome)
            return nil
        }
        let head = "\"\(first.sample.name)\" and \"\(sample.name)\" are different runs.\n"
        let lines = Self.firstDifference(first.outcome.digests, outcome.digests)
        if let lines {
            let words = (lines.0 ?? lines.1 ?? "").split(separator: " ").map(String.init)
            guard words.count == 3 else { return head }
            return try head + device(arm: words[0], words[1], first.sample, sample)
        }
        guard let (one, other) = Self.firstDifference(first.outcome.report, outcome.report) else {
            return nil
        }
        return head + "All devices have the same records; the reports differ first in\n"
            + Self.sideBySide(one.map(String.init), other.map(String.init))
    }

    private func device(
        arm: String, _ device: String, _ one: DeterminismSample, _ other: DeterminismSample
    ) throws(CommandError) -> String {
        let whose = "device \(device)" + (arm == "base" ? "" : " in arm \(arm)")
        let head = "First device that differs: \(whose).\n"
        if arm == Arm.baseName {
            let difference = try differing([one]) { (sample) throws(CommandError) in
                try player.recordsAlone(sample, device: device)
            }
            if let difference { return head + difference }
        }
        let difference = try differing([one, other]) { (sample) throws(CommandError) in
            try player.records(sample, arm: arm, device: device)
        }
        return head
            + (difference ?? "More runs had the same records of it: the record is not known.\n")
    }

    /// Plays the samples in turn until the records differ from those of the first time.
    private func differing(
        _ samples: [DeterminismSample],
        _ records: (DeterminismSample) throws(CommandError) -> [String]
    ) throws(CommandError) -> String? {
        var first: [String]?
        for index in 0..<Self.triesMax {
            let lines = try records(samples[index % samples.count])
            guard let known = first else {
                first = lines
                continue
            }
            guard let (a, b) = Self.firstDifference(known, lines) else { continue }
            return "First record that differs:\n" + Self.sideBySide(a, b) + Self.advice
        }
        return nil
    }

    private static let advice =
        "Mostly a script takes '#' of a list with holes, which may be any of several numbers and "
        + "differs from\nprocess to process. 'locfleet check' warns of what it can see.\n"

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

    private static func sideBySide(_ one: String?, _ other: String?) -> String {
        "  \(printable(one ?? "(nothing)"))\n  \(printable(other ?? "(nothing)"))\n"
    }
}
