import AuthorizationCore
import JSONText
import Lint

/// A checked configuration for people: the verdict, what each version makes of it, the findings.
public struct LintPage {
    public let report: LintReport
    /// As the person named them.
    public let plist: String
    let style: TextStyle
    let width: Int

    public init(_ report: LintReport, plist: String, isColored: Bool, width: Int) {
        (self.report, self.plist) = (report, plist)
        (style, self.width) = (TextStyle(isColored: isColored), min(max(width, 60), 100))
    }

    public var text: String {
        var lines = [style.bold(printableVerdict)]
        for remark in remarks { lines += wrapped(remark, width: width - 2).map { "  " + $0 } }
        lines += ["", style.bold("Requests and their prompts")]
        lines += requests.lines(width: width, style: style) + dimmed(requestLegend)
        lines += ["", style.bold("Settings")] + settings.lines(width: width, style: style)
        lines += dimmed(settingsLegend) + serviceLines
        if !report.findings.isEmpty { lines += ["", style.bold("Findings, worst first")] }
        for finding in report.findings { lines += self.lines(of: finding) }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: - The verdict

    private var printableVerdict: String {
        let with = report.strategy.map { " with \($0.name)" } ?? ""
        return printable("\(plist)\(with): \(Self.verdict(report))")
    }

    /// `2 errors, 1 warning`
    static func verdict(_ report: LintReport) -> String {
        let words: [(Finding.Severity, String, String)] = [
            (.error, "error", "errors"), (.warning, "warning", "warnings"),
            (.information, "remark", "remarks"),
        ]
        let parts = words.compactMap { severity, one, many -> String? in
            let count = report.count(of: severity)
            return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        return parts.isEmpty ? "nothing to mend" : parts.joined(separator: ", ")
    }

    private var remarks: [String] {
        let reason =
            switch report.origin {
            case .given: ""
            case .minimumOSVersion: " (MinimumOSVersion)"
            case .all: ", all that the rules know"
            }
        var remarks = ["iOS \(VersionChoice.phrase(report.versions))\(reason)"]
        if report.strategy == nil {
            remarks.append("Without --strategy: what would happen if the app asked.")
        }
        return remarks
    }

    // MARK: - Tables

    private var requests: TextTable {
        var table = TextTable([
            .words("\niOS"), .words("\nWhen In Use"), .words("Always,\nundecided"),
            .words("Always, with\nWhen In Use"), .words("full, with\nPrecise off"),
        ])
        let groups = report.groups {
            [Self.cell($0.whenInUse), Self.cell($0.always), Self.cell($0.upgrade)]
                + [Self.cell($0.fullAccuracy)]
        }
        for group in groups {
            let outlook = group.outlook
            table.rows.append([
                VersionChoice.phrase(group.versions), Self.cell(outlook.whenInUse),
                Self.cell(outlook.always), Self.cell(outlook.upgrade),
                Self.cell(outlook.fullAccuracy),
            ])
        }
        return table
    }

    private static func cell(_ outlook: RequestOutlook) -> String {
        switch outlook {
        case .prompts(let kind, let choices, let best):
            if kind == .temporaryFullAccuracy { return "prompt" }
            let once = choices.contains(.allowOnce) ? " + Once" : ""
            switch best {
            case .provisionalAlways: return "provisional"
            case .whenInUse where kind == .always: return "prompt, In Use"
            default: return choices.count > 2 && once.isEmpty ? "prompt of 3" : "prompt\(once)"
            }
        case .grants: return "provisional, silent"
        case .ignored(_, let rule): return "ignored (\(rule.rawValue))"
        case .absent: return "absent"
        case .ungranted: return "no grant"
        }
    }

    func dimmed(_ text: String) -> [String] {
        wrapped(text, width: width - 2).map { "  " + style.dim($0) }
    }

    private var requestLegend: String {
        let all = report.outlooks.flatMap {
            [$0.whenInUse, $0.always, $0.upgrade, $0.fullAccuracy]
        }
        let cells = Set(all.map(Self.cell))
        var parts: [String] = []
        if cells.contains("prompt + Once") { parts.append("Once: Allow Once is on it too") }
        if cells.contains("prompt of 3") {
            parts.append("of 3: Only While Using, Always Allow, Don’t Allow")
        }
        if cells.contains("provisional") {
            parts.append("provisional: the When In Use prompt, and iOS asks for Always later")
        }
        if cells.contains("provisional, silent") { parts.append("silent: without a prompt") }
        if cells.contains(where: { $0.hasPrefix("ignored") }) {
            parts.append("ignored: no prompt, by that rule")
        }
        if cells.contains("absent") { parts.append("absent: this iOS has no such call") }
        if cells.contains("no grant") {
            parts.append("no grant: there is no When In Use to start from")
        }
        parts.append("full: the request for temporary full accuracy")
        return parts.joined(separator: "; ") + "."
    }

    private var settings: TextTable {
        var table = TextTable([.words("iOS"), .words("rows"), .words("Precise")])
        for group in report.groups(by: { [Self.rows($0), Self.precise($0)] }) {
            table.rows.append([
                VersionChoice.phrase(group.versions), Self.rows(group.outlook),
                Self.precise(group.outlook),
            ])
        }
        return table
    }

    private static func rows(_ outlook: Outlook) -> String {
        outlook.rows.map { row in
            switch row {
            case .never: "Never"
            case .askNextTime: "Ask Next Time"
            case .whileUsing: "While Using"
            case .always: "Always"
            case .whileUsingOrWidgets: "While Using or Widgets"
            }
        }.joined(separator: " · ")
    }

    /// S7
    private var settingsLegend: String {
        let isDeaf = report.outlooks.allSatisfy { outlook in
            [outlook.whenInUse, outlook.always].allSatisfy {
                if case .ignored = $0 { true } else { false }
            }
        }
        return isDeaf
            ? "No request is heard, so the app has no row until it first starts a service (S7)."
            : "The app has no row before it first asks or starts a service (S7)."
    }

    private static func precise(_ outlook: Outlook) -> String {
        guard outlook.hasPreciseSwitch else { return "no switch" }
        return outlook.isReducedAtFirst ? "switch, off at first" : "switch"
    }

    // MARK: - Findings

    private func lines(of finding: Finding) -> [String] {
        let file = finding.place == .plist ? plist : report.strategy?.name ?? plist
        let place = finding.line.map { "\(file):\($0)" } ?? file
        let head =
            "\(finding.severity.rawValue) \(finding.code.number) \(finding.code.rawValue)"
        let strong = finding.severity == .error ? style.alarming(head) : style.bold(head)
        let versions = "iOS " + VersionChoice.phrase(finding.versions)
        var lines = ["", "  \(strong)  \(versions)"]
        lines.append("    " + style.dim(printable(place)))
        if let key = finding.key, finding.place == .plist || !finding.reason.contains(key) {
            lines.append("    " + printable(key))
        }
        for text in [finding.reason, "→ " + finding.mend] {
            lines += wrapped(printable(text), width: width - 4).map { "    " + $0 }
        }
        return lines
    }
}
