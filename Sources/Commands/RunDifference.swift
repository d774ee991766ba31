import JSONText
import Reports
import Simulation

/// How two runs of one scenario differ: the first device and the first of its records, or, where
/// all records are the same, the first lines of the reports.
struct RunDifference {
    typealias Pair = (one: String?, other: String?)

    /// The samples, by name.
    let runs: (one: String, other: String)
    var arm = Arm.baseName
    /// Nil where all devices have the same records.
    var device: String?
    /// Of that device. Nil: more runs had the same records of it.
    var records: Pair?
    /// Of the reports.
    var lines: Pair?

    private static let advice =
        "Often a script takes '#' of a list with holes, which may be any of several numbers and "
        + "differs from\nprocess to process. 'locfleet check' warns of what it can see. Where no "
        + "script does, please report it.\n"

    /// For people.
    var text: String {
        var text = "\"\(runs.one)\" and \"\(runs.other)\" are different runs.\n"
        if let lines {
            text += "All devices have the same records; the reports differ first in\n"
            return text + Self.sideBySide(lines)
        }
        guard let device else { return text }
        let whose = "device \(device)" + (arm == Arm.baseName ? "" : " in arm \(arm)")
        text += "First device that differs: \(whose).\n"
        guard let records else {
            return text + "More runs had the same records of it: the record is not known.\n"
        }
        return text + "First record that differs:\n" + Self.sideBySide(records) + Self.advice
    }

    private static func sideBySide(_ pair: Pair) -> String {
        "  \(printable(pair.one ?? "(nothing)"))\n  \(printable(pair.other ?? "(nothing)"))\n"
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("runs")
            writer.array { writer in
                writer.string(runs.one)
                writer.string(runs.other)
            }
            writer.key("arm")
            if device == nil { writer.null() } else { writer.string(arm) }
            writer.key("device")
            if let device { writer.json(device) } else { writer.null() }
            // Records are lines of JSON, and lines of a report are parts of it.
            Self.write(records, as: "records", to: &writer) { $0.json($1) }
            Self.write(lines, as: "report_lines", to: &writer) { $0.string($1) }
        }
    }

    private static func write(
        _ pair: Pair?, as name: String, to writer: inout JSONWriter,
        _ put: (inout JSONWriter, String) -> Void
    ) {
        writer.key(name)
        guard let pair else { return writer.null() }
        writer.array { writer in
            for line in [pair.one, pair.other] {
                if let line { put(&writer, line) } else { writer.null() }
            }
        }
    }
}
