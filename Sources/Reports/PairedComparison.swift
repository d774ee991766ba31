import Metrics
import Simulation

/// One line of the paired table: the same devices in an arm and in the base.
struct PairedComparison {
    enum Subject {
        /// A step of a funnel; the name is nil for the built-in one.
        case step(funnel: String?, String)
        /// A visible status at the end: `authorized` is either of two.
        case atEnd(String)
    }

    var arm: String
    var labels: [ReportGroup.Label]
    var subject: Subject
    /// First is the arm, second the base.
    var counts: PairedCounts

    var name: String {
        switch subject {
        case .step(let funnel, let step): funnel.map { "\($0): \(step)" } ?? step
        case .atEnd(let status): "\(status) at the end"
        }
    }
}

extension Report {
    /// Every arm against the base.
    var comparisons: [PairedComparison] {
        arms.flatMap { arm in
            arm.pairing.map { rows(of: $0, arm: arm.name, labels: []) } ?? []
        }
    }

    /// The same, split as the figures are.
    var groupComparisons: [PairedComparison] {
        arms.flatMap { arm in
            zip(arm.groups, arm.groupPairings).flatMap {
                rows(of: $1, arm: arm.name, labels: $0.labels)
            }
        }
    }

    private func rows(
        of pairing: Pairing, arm: String, labels: [ReportGroup.Label]
    ) -> [PairedComparison] {
        func row(_ subject: PairedComparison.Subject, _ counts: PairedCounts) -> PairedComparison {
            PairedComparison(arm: arm, labels: labels, subject: subject, counts: counts)
        }
        let funnels = zip(scenario.funnels, pairing.funnels).map { funnel, counts in
            zip(funnel.steps, counts).map { step, counts in
                row(.step(funnel: funnel == .builtIn ? nil : funnel.name, step.name), counts)
            }
        }
        let end = [
            row(.atEnd("authorized"), pairing.authorized),
            row(.atEnd("authorizedAlways"), pairing.authorizedAlways),
        ]
        return funnels[0] + end + funnels.dropFirst().joined()
    }
}

extension PairedComparison {
    var tree: JSONTree {
        let subject: [(String, JSONTree)] =
            switch subject {
            case .step(let funnel, let step):
                (funnel.map { [("funnel", .text($0))] } ?? []) + [("step", .text(step))]
            case .atEnd(let status): [("at_end", .text(status))]
            }
        func list(_ range: (low: Double, high: Double)?) -> JSONTree {
            range.map { .list([.signedShare($0.low), .signedShare($0.high)]) } ?? .null
        }
        let ratio = counts.varianceRatio.map { JSONTree.number(($0 * 100).rounded() / 100) }
        return .object(
            [("arm", .text(arm)), ("against", .text(Arm.baseName))]
                + labels.map { ($0.name, .text($0.value)) } + subject + [
                    ("both", .count(counts.both)), ("only_base", .count(counts.onlySecond)),
                    ("only_arm", .count(counts.onlyFirst)), ("neither", .count(counts.neither)),
                    ("difference", .signedShare(counts.difference)),
                    ("difference_95", list(Intervals.newcombe95(counts))),
                    ("difference_95_unpaired", list(Intervals.unpairedNewcombe95(counts))),
                    ("variance_ratio", ratio ?? .null),
                ])
    }
}
