import AuthorizationCore
import Check
import JSONText
import Lint
import LuaScripting
import Simulation

/// Checked files for people: a verdict a file, its options, its findings, and a sum.
public struct CheckPage {
    let report: CheckReport
    let style: TextStyle
    let width: Int

    public init(_ report: CheckReport, isColored: Bool, width: Int) {
        self.report = report
        (style, self.width) = (TextStyle(isColored: isColored), min(max(width, 60), 100))
    }

    public var text: String {
        var lines: [String] = []
        for (place, file) in report.files.enumerated() {
            if place > 0 { lines.append("") }
            lines += self.lines(of: file)
        }
        if report.files.count > 1 {
            let counts = Self.counts { severity in report.count(of: severity) }
            lines += ["", style.bold("\(report.files.count) files: \(counts)")]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `2 errors, 1 warning`
    static func counts(_ count: (CheckFinding.Severity) -> Int) -> String {
        let parts = CheckFinding.Severity.allCases.compactMap { severity -> String? in
            let number = count(severity)
            guard number > 0 else { return nil }
            return "\(number) \(severity.rawValue)\(number == 1 ? "" : "s")"
        }
        return parts.isEmpty ? "nothing to mend" : parts.joined(separator: ", ")
    }

    // MARK: - A file

    private func lines(of file: FileReport) -> [String] {
        var lines = [
            style.bold(printable("\(file.path): \(Self.counts { file.count(of: $0) })"))
        ]
        lines += about(file).flatMap { wrapped(printable($0), width: width - 2) }
            .map { "  " + style.dim($0) }
        if file.kind != .scenario, let script = file.scripts.first,
            !script.outline.options.isEmpty
        {
            lines += [""] + options(of: script)
        }
        for finding in file.findings { lines += self.lines(of: finding, in: file) }
        return lines
    }

    private func about(_ file: FileReport) -> [String] {
        var parts: [String] = []
        switch file.kind {
        case .unknown: return []
        case .behavior, .strategy:
            let hooks = file.scripts.first?.outline.hooks.bits.nonzeroBitCount ?? 0
            parts.append("a \(file.kind.rawValue) with \(Self.number(hooks, "hook"))")
        case .scenario:
            let named = file.scripts.map { "\($0.name) (\($0.kind.rawValue))" }
            parts.append("a scenario" + (named.isEmpty ? "" : " with " + Self.list(named)))
        case .plist: parts.append("an Info.plist")
        }
        if !file.versions.isEmpty {
            let phrase = "iOS " + Self.phrase(file.versions)
            let calls = grouped(UInt64(file.callCount))
            parts.append(
                file.callCount > 0 ? "dry run of \(calls) calls on \(phrase)" : "on \(phrase)")
        }
        return [parts.joined(separator: "; ")]
    }

    /// All of them, or a range where no version between was left out.
    private static func phrase(_ versions: [IOSVersion]) -> String {
        let runs = VersionChoice.runs(of: versions)
        if runs.count <= 4 || versions.count > 24 { return VersionChoice.phrase(versions) }
        return versions.map(\.description).joined(separator: ", ")
    }

    /// Those among the versions that were tried: a range has all of them that lie in it.
    private static func phrase(_ versions: [IOSVersion], among tried: [IOSVersion]) -> String {
        guard VersionChoice.runs(of: tried).count > 1 else { return VersionChoice.phrase(versions) }
        var runs: [[IOSVersion]] = []
        for version in tried.sorted() {
            if versions.contains(version) {
                if runs.isEmpty { runs.append([]) }
                runs[runs.count - 1].append(version)
            } else if runs.last?.isEmpty == false {
                runs.append([])
            }
        }
        let words = runs.filter { !$0.isEmpty }.map { run in
            run.count == 1 ? "\(run[0])" : "\(run[0]) to \(run[run.count - 1])"
        }
        let count =
            versions.count == 1
            ? ""
            : versions.count == tried.count
                ? ": all that were tried" : ": \(versions.count) of \(tried.count) that were tried"
        return words.joined(separator: ", ") + count
    }

    private static func number(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    private static func calls(_ count: Int) -> String {
        "in \(grouped(UInt64(count))) call\(count == 1 ? "" : "s")"
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The options as a table, each with what it is below.
    private func options(of script: ScriptSummary) -> [String] {
        let isBehavior = script.kind == .behavior
        var table = TextTable(
            [.words("option"), .number("default"), .words("range"), .words("unit")]
                + (isBehavior ? [.words("source")] : []))
        for option in script.outline.options {
            table.rows.append(
                [
                    option.name, Self.word(option.defaultValue), Self.range(option),
                    option.unit ?? "",
                ] + (isBehavior ? [option.isAssumed ? "assumed" : option.source ?? ""] : []))
        }
        let abouts = script.outline.options.map { option in
            option.about.map { wrapped(printable($0), width: width - 6) } ?? []
        }
        return table.lines(width: width, style: style) { row in
            abouts[row].map { "      " + style.dim($0) }
        }
    }

    static func word(_ value: ScriptOption.Value) -> String {
        switch value {
        case .number(let number): JSONTree.number(number).inline
        case .boolean(let flag): String(flag)
        case .string(let text): quoted(text)
        }
    }

    private static func range(_ option: ScriptOutline.Option) -> String {
        let word = { (number: Double) in JSONTree.number(number).inline }
        return switch (option.min, option.max) {
        case (let min?, let max?): "\(word(min)) to \(word(max))"
        case (let min?, nil): "from \(word(min))"
        case (nil, let max?): "to \(word(max))"
        case (nil, nil): ""
        }
    }

    // MARK: - A finding

    private func lines(of finding: CheckFinding, in file: FileReport) -> [String] {
        let place = finding.line.map { "\(finding.file):\($0)" } ?? finding.file
        let lint = finding.lint.map { " \($0)" } ?? ""
        let head = "\(finding.severity.rawValue) \(finding.code.rawValue)\(lint)"
        var title = finding.severity == .error ? style.alarming(head) : style.bold(head)
        title += "  " + printable(place)
        let hooks = [finding.hook].compactMap(\.self) + finding.otherHooks
        if !hooks.isEmpty { title += "  " + hooks.map(\.rawValue).joined(separator: ", ") }
        if let key = finding.key { title += "  " + printable(key) }
        var lines = ["", "  " + title]
        lines += wrapped(printable(finding.reason), width: width - 4).map { "    " + $0 }
        var circumstances = finding.input.map { ["with " + $0] } ?? []
        if !finding.arms.isEmpty {
            let arms = Self.list(finding.arms)
            circumstances.append(
                finding.arms.count == 1 ? "in the arm \(arms)" : "in the arms \(arms)")
        }
        let often = finding.callCount > 0 ? [Self.calls(finding.callCount)] : []
        let versions =
            finding.versions.isEmpty
            ? [] : ["on iOS " + Self.phrase(finding.versions, among: file.versions)]
        if !(often + versions).isEmpty {
            circumstances.append((often + versions).joined(separator: " "))
        }
        for text in circumstances {
            lines += wrapped(printable(text), width: width - 4).map { "    " + style.dim($0) }
        }
        return lines
    }
}
