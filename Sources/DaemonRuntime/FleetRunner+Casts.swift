import ControlProtocol
import JSONText
import Simulation

/// What has to be right before a client's intervention changes scripts or options.
extension FleetRunner {
    /// Scripts that clients bring to one fleet.
    public static let scriptsBroughtMax = 64

    /// Makes sure that `intervention` can be taken now: what it brings is loaded in every block.
    /// Changes no device.
    func prepare(for intervention: Intervention) throws(ControlError) {
        guard intervention.action.recasts else { return }
        actScenario()  // As in `intervene`: it comes before.
        var tables: [CastTable] = []
        var scenarios: [Scenario] = []
        for (index, arm) in arms.enumerated() {
            var scenario = arm.scenario
            scenario.take([intervention])
            if let misfit = casts[index].misfit(
                of: intervention, arm: firstArm + index, in: scenario)
            {
                let place = arms.count > 1 ? " in arm \(quoted(arm.name))" : ""
                throw ControlError(
                    .invalidParameter,
                    misfit.message(place: place, nearest: { nearest(to: $0, among: $1) }),
                    parameter: "value")
            }
            var table = casts[index]
            guard table.apply(intervention, arm: firstArm + index, in: scenario) != nil else {
                throw ControlError(
                    .limitReached,
                    "a fleet has at most \(CastTable.countMax) different combinations of script "
                        + "and options, and this could make more; say with where whom it means",
                    limit: .casts)
            }
            tables.append(table)
            scenarios.append(scenario)
        }
        let brought = scenarios[0].scripts.count - ownScriptCount
        guard brought <= Self.scriptsBroughtMax else {
            throw ControlError(
                .limitReached,
                "clients bring at most \(Self.scriptsBroughtMax) different scripts to a fleet",
                limit: .fleetScripts)
        }
        try learn(tables, scenarios)
    }

    private func learn(
        _ tables: [CastTable], _ scenarios: [Scenario]
    ) throws(ControlError) {
        for index in arms.indices {
            let scripts = scenarios[index].scripts
            let failures = inParallel(blocks[index]) { block -> CastFailure? in
                do throws(CastFailure) {
                    try block.learn(tables[index], scripts: scripts)
                    return nil
                } catch { return error }
            }
            if let failure = failures.lazy.compactMap(\.self).first {
                throw ControlError(.scriptError, failure.detail)
            }
        }
    }
}
