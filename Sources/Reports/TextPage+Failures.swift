import JSONText
import SimPrimitives
import Simulation
import Telemetry

/// What scripts did wrong: how often, where, and how to look at it.
extension TextPage {
    /// Kinds that are told one by one.
    private static let kindsMax = 10

    var scriptFailures: [String] {
        guard total.scriptFailures > 0 else { return section("Script failures", ["  none"]) }
        let kinds = report.failureKinds(of: total)
        var lines = ["  " + style.alarming(grouped(total.scriptFailures))]
        if kinds.count == 1 {
            lines += told(kinds[0].first, as: "the first")
        } else {
            lines[0] += " of \(kinds.count) kinds"
            lines += kinds.prefix(Self.kindsMax).flatMap { kind in
                told(
                    kind.first, as: grouped(kind.count),
                    code: " (\(kind.first.place.code.rawValue))")
            }
        }
        let left = kinds.count - Self.kindsMax
        if left > 0 { lines.append("  and \(left) more \(left == 1 ? "kind" : "kinds")") }
        if let first = total.firstScriptFailure {
            let option = report.whyNamesArms ? report.arms[0].optionByName : report.arms[0].option
            let arm = option.map { " --arm \(shellWord(printable($0)))" } ?? ""
            let why = report.why ?? "locfleet why SCENARIO"
            let what = kinds.count == 1 ? "see it" : "see the first"
            lines.append(
                style.dim("    \(what): \(why)\(arm) --device \(first.key.device.number)"))
        }
        return section("Script failures", lines)
    }

    private func told(
        _ failure: FirstScriptFailure, as title: String, code: String = ""
    ) -> [String] {
        let time = LocalTime(failure.key.time, in: report.scenario.zone)
        let place = printable(failure.place.text(in: report.scenario))
        let reason = failure.place.reason(of: failure.message, in: report.scenario)
        let first = code.isEmpty ? "device" : "first on device"
        let head =
            "  \(title): \(place) in \(failure.place.hook.rawValue)\(code), "
            + "\(first) \(failure.key.device.number), day \(time.day) at \(clockText(time))"
        return [head] + wrapped(printable(reason), width: width - 4).map { "    " + $0 }
    }

    /// Why the run ended early: the limit that was passed, and when it is looked at.
    var tooManyFailures: String {
        let arm = report.arms.first { arm in
            arm.scenario.scriptFailuresMax.map { arm.total.scriptFailures > $0 } ?? false
        }
        guard let scenario = arm?.scenario, let limit = scenario.scriptFailuresMax else {
            return "Ended early: too many script failures."
        }
        return "Ended early: more than \(grouped(limit)) script failures "
            + "(script_failures.end_run_after), judged every \(scenarioText(scenario.checkEvery)) "
            + "(check_every)."
    }
}

extension Report {
    /// The largest first; of equals the one that came first.
    func failureKinds(of metrics: FleetMetrics) -> [ScriptFailureKind] {
        metrics.scriptFailureKinds.values.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.first.key < $1.first.key
        }
    }
}

/// A word as a shell takes it.
package func shellWord(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "_-./:=,@%+".utf8.contains(byte)
        }
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
}
