import SimPrimitives
import Simulation

extension Report {
    /// - Parameter groupLabels: of each group of the figures; empty without a split.
    public init(
        _ arms: [Arm], _ figures: FleetFigures, bundle: String, endedBy: EndedBy?,
        groupLabels: [[ReportGroup.Label]], machine: MachineFacts? = nil
    ) {
        let parts = arms.indices.map { index -> ReportArm in
            var arm = arms[index]
            let figure = figures.arms[index]
            arm.scenario.take(figures.journal.lazy.map(\.intervention))
            var total = FleetMetrics(of: arm.scenario)
            for group in figure.groups { total.merge(group) }
            let pairings = index > 0 ? figures.pairings[index - 1] : []
            var pairing = pairings.first
            for other in pairings.dropFirst() { pairing?.merge(other) }
            return ReportArm(
                name: arm.name, scenario: arm.scenario, total: total,
                groups: zip(groupLabels, figure.groups).map {
                    ReportGroup(labels: $0, metrics: $1)
                },
                digest: figure.digest, judgements: figure.judgements,
                interventions: figure.interventions, pairing: pairing,
                groupPairings: groupLabels.isEmpty ? [] : pairings)
        }
        self.init(
            arms: parts, bundle: bundle, digest: figures.digest, endedBy: endedBy,
            simulated: figures.at - .start, machine: machine)
        journal = figures.journal
    }
}
