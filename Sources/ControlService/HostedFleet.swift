import Bundles
import ControlProtocol
import DaemonRuntime
import Reports
import SimPrimitives
import Simulation
import StateStore

/// What a fleet is to be.
struct FleetPlan: Sendable {
    let name: String
    let bundle: Bundles.Bundle
    let by: [ControlRequest.Grouping]
    let rate: FleetRate

    var groups: Groups {
        by.isEmpty
            ? Groups.one
            : Groups(
                of: bundle.scenario, byPersona: by.contains(.persona), byIOS: by.contains(.ios))
    }

    func hosted(_ fleet: Fleet, _ file: FleetFile?) -> HostedFleet {
        HostedFleet(
            bundle: bundle, fleet: fleet, by: by, file: file,
            groupLabels: ReportGroup.labels(
                of: groups, by: by.map(\.rawValue), in: bundle.scenario))
    }
}

/// A fleet of the daemon with the bundle it was made of.
struct HostedFleet: Sendable {
    let bundle: Bundles.Bundle
    let fleet: Fleet
    let by: [ControlRequest.Grouping]
    /// Nil: nothing of it outlives the daemon.
    let file: FleetFile?
    /// Of each group of its figures; empty without a split.
    let groupLabels: [[ReportGroup.Label]]

    var deviceCount: Int { Int(bundle.scenario.deviceCount) }

    func report(of status: FleetStatus, machine: MachineFacts? = nil) -> Report {
        var report = Report(
            bundle.arms, status.figures, bundle: bundle.sha256, endedBy: status.end?.endedBy,
            groupLabels: groupLabels, machine: machine)
        report.standing =
            switch status.state {
            case .ready: .notStarted
            case .running: .running
            case .paused: .paused
            case .finished, .stopped, .failed: .failed
            }
        (report.why, report.whyNamesArms) = ("locfleet why \(shellWord(fleet.name))", true)
        return report
    }
}

extension FleetRunner.End {
    /// The word of reports; nil where there is no result.
    var endedBy: EndedBy? {
        switch self {
        case .duration: .duration
        case .endWhen: .endWhen
        case .interrupted: .stopped
        case .scriptFailures: .scriptFailures
        case .failed, .logFailed: nil
        }
    }

    /// For people, where a fleet has failed.
    var complaint: String? {
        switch self {
        case .duration, .endWhen, .interrupted: nil
        case .scriptFailures: "more script failures than script_failures.end_run_after allows"
        case .failed(let failure):
            "device \(failure.device): \(failure.code.rawValue): \(failure.detail)"
        case .logFailed(let message): message
        }
    }
}
