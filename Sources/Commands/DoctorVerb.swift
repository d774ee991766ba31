import Bundles
import DaemonRuntime
import Foundation
import JSONText
import Reports

extension Verb {
    static let doctor = Verb(
        name: "doctor", usage: "[SCENARIO.json5|EXPORT] [options]",
        summary: "look whether this machine is fit for a run; status 3 when something would fail",
        options: [
            .flag("--json", "print the findings as JSON"), DaemonArguments.socket,
            ScenarioArguments.arm,
        ] + ScenarioArguments.options,
        examples: [
            "locfleet doctor",
            "locfleet doctor config/scenarios/progressive.json5 --devices 1000000",
            "locfleet doctor --json | jq '.findings[] | select(.verdict != \"ok\")'",
        ],
        run: { arguments, terminal throws(CommandError) in
            var bundle: Bundles.Bundle?
            if let path = arguments.operands.first {
                bundle =
                    FleetExport.isThere(path)
                    ? try FleetExport(path, arguments, verb: "doctor").bundle
                    : try ScenarioArguments(arguments, verb: "doctor").bundle
            }
            let facts = DoctorFacts.asked(
                socket: .chosen(arguments), environment: ProcessInfo.processInfo.environment,
                bundle: bundle)
            let findings = facts.findings
            try terminal.print(
                arguments.has("--json")
                    ? DoctorPage.json(findings) + "\n"
                    : DoctorPage.text(findings, isColored: terminal.hasColor))
            return findings.contains { $0.verdict == .fails } ? .verdictIsNo : .done
        })
}

/// What `locfleet doctor` prints.
enum DoctorPage {
    static func text(_ findings: [DoctorFinding], isColored: Bool) -> String {
        let width = findings.map(\.name.count).max() ?? 0
        return findings.map { finding in
            let name = finding.name + String(repeating: " ", count: width - finding.name.count)
            let word = finding.verdict.rawValue
            let verdict =
                (isColored ? finding.verdict.look + word + "\u{1B}[0m" : word)
                + String(repeating: " ", count: 7 - word.count)
            let margin = "\n" + String(repeating: " ", count: 7 + 2 + width + 2)
            return "\(verdict)  \(name)  \(printable(finding.found))"
                + (finding.needs.map { margin + "needs: " + printable($0) } ?? "")
                + (finding.advice.map { margin + "do: " + printable($0) } ?? "") + "\n"
        }.joined()
    }

    static func json(_ findings: [DoctorFinding]) -> String {
        let rows = findings.map { finding in
            JSONLine.object {
                $0.member("name", finding.name)
                $0.member("verdict", finding.verdict.rawValue)
                $0.member("is", finding.found)
                $0.member("needs", finding.needs)
                $0.member("do", finding.advice)
            }
        }
        let isFit = !findings.contains { $0.verdict == .fails }
        return "{\"fit\":\(isFit),\"findings\":[" + rows.joined(separator: ",") + "]}"
    }
}

extension DoctorFinding.Verdict {
    fileprivate var look: String {
        switch self {
        case .ok: "\u{1B}[32m"
        case .note: "\u{1B}[2m"
        case .warning: "\u{1B}[33m"
        case .fails: "\u{1B}[31m"
        }
    }
}
