import AuthorizationCore
import JSONText
import Lint

/// A checked configuration for people: the verdict, what each version makes of it, the findings.
public struct LintPage {
    public let report: LintReport
    /// As the person named them.
    public let plist: String
    private let style: TextStyle
    private let width: Int

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
        lines += ["", style.bold("Services")] + serviceLines
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
            .words("Always, with\nWhen In Use"), .words("full\naccuracy"),
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
        case .none: return "–"
        }
    }

    private func dimmed(_ text: String) -> [String] {
        text.isEmpty ? [] : wrapped(text, width: width - 2).map { "  " + style.dim($0) }
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
        return parts.isEmpty ? "" : parts.joined(separator: "; ") + "."
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

    private static func precise(_ outlook: Outlook) -> String {
        guard outlook.hasPreciseSwitch else { return "–" }
        return outlook.isReducedAtFirst ? "switch, off at first" : "switch"
    }

    /// A row a service and a column a group of versions: with When In Use, and with Always.
    private var serviceLines: [String] {
        let groups = report.groups(by: \.services)
        let shown = LocationService.allCases.filter {
            report.strategy != nil || report.services.isEmpty || report.services.contains($0)
        }
        // As many columns side by side as fit.
        var tables: [TextTable] = []
        for count in stride(from: groups.count, through: 1, by: -1) {
            tables = stride(from: 0, to: groups.count, by: count).map { start in
                services(shown, groups[start..<min(start + count, groups.count)])
            }
            if tables.allSatisfy({ $0.width <= width }) { break }
        }
        let lines = Array(
            tables.map { $0.lines(width: width, style: style) }.joined(separator: [""]))
        return lines + dimmed(legend)
    }

    private func services(
        _ services: [LocationService],
        _ groups: ArraySlice<(versions: [IOSVersion], outlook: Outlook)>
    ) -> TextTable {
        var table = TextTable(
            [.words("iOS\nwith")]
                + groups.flatMap { group -> [TextTable.Column] in
                    [
                        .words("\(VersionChoice.phrase(group.versions))\nIn Use"),
                        .words("Always"),
                    ]
                })
        for service in services {
            let isUsed = report.services.contains(service)
            let cells = groups.flatMap { group -> [String] in
                guard let reach = group.outlook[service] else { return ["", ""] }
                return [Self.word(reach.whenInUse), Self.word(reach.always)]
            }
            table.rows.append([service.rawValue + (isUsed ? " *" : "")] + cells)
        }
        return table
    }

    private static func word(_ reach: ServiceReach) -> String {
        switch reach {
        case .absent, .never: "–"
        case .ungranted: "no grant"
        case .inUse: "in use"
        case .executing: "running"
        case .background: "goes on"
        case .wakes: "wakes"
        case .runTime: "run time"
        }
    }

    private var legend: String {
        let reaches = report.outlooks.flatMap { $0.services.flatMap { [$0.whenInUse, $0.always] } }
        let words: [(ServiceReach, String)] = [
            (.inUse, "in use: in the foreground, or under the indicator of updates"),
            (.executing, "running: also in the background while the app runs for another reason"),
            (.background, "goes on: keeps the app running in the background"),
            (.wakes, "wakes: starts the app if it has been ended"),
            (.runTime, "run time: no location"),
            (.ungranted, "no grant: neither a prompt nor Settings gives it"),
        ]
        var parts = words.filter { reaches.contains($0.0) }.map(\.1)
        let isSet = report.strategy.map { $0.backgroundUpdatesLine != nil } ?? true
        if !isSet {
            parts.append("updates: without allowsBackgroundLocationUpdates, which is never set")
        } else if report.outlooks.contains(where: { $0[.updates]?.always == .background }) {
            parts.append("updates: with allowsBackgroundLocationUpdates")
        }
        if report.outlooks.contains(where: { $0[.liveUpdates]?.whenInUse == .wakes }) {
            parts.append("live_updates: with a CLBackgroundActivitySession")
        }
        if !report.services.isEmpty { parts.append("*: started") }
        return parts.joined(separator: "; ") + "."
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
