import Reports

/// How `--json` and `--csv` want a report.
enum ReportFormat {
    case text, json, csv

    static let options: [OptionSpec] = [
        .flag("--json", "print the report as JSON"),
        .flag("--csv", "print the funnels as CSV"),
    ]

    init(_ arguments: Arguments) throws(CommandError) {
        self = arguments.has("--json") ? .json : arguments.has("--csv") ? .csv : .text
        if arguments.has("--json"), arguments.has("--csv") {
            throw CommandError("--json and --csv exclude each other")
        }
    }

    func rendered(_ report: Report, on terminal: Terminal, isColored: Bool = true) -> String {
        switch self {
        case .json: report.json
        case .csv: report.csv
        case .text:
            report.text(isColored: terminal.hasColor && isColored, width: terminal.outWidth)
        }
    }
}

extension Report {
    /// What a command that printed it ends with.
    var status: ExitStatus {
        switch endedBy {
        case .interrupted: .interrupted
        case .scriptFailures: .failed
        case .duration, .endWhen, .stopped: isVerdictYes ? .done : .verdictIsNo
        // A fleet that lived on when it was exported: thresholds are for its end.
        case nil: .done
        }
    }
}
