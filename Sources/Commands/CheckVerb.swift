import AuthorizationCore
import Bundles
import Check
import DaemonRuntime
import Foundation
import Lint
import LuaScripting
import Reports

extension Verb {
    static let check = Verb(
        name: "check",
        usage: "FILE… [options]",
        summary: "everything wrong with scripts, scenarios and Info.plists, at once",
        options: [
            .value("--as", "KIND", "what scripts are: behavior or strategy; default: by folder"),
            .value(
                "--ios", "VERSIONS",
                "in place of a scenario's mix or 14..26, such as 13.4..26 or 17.6"),
            .flag("--strict", "take warnings for errors"),
            .flag("--watch", "again after every change, until Ctrl-C"),
            .flag("--json", "print the result as JSON"),
        ],
        examples: [
            "locfleet check my.json5",
            "locfleet check scripts/strategies/*.lua --ios 13.4..26",
            "locfleet check mine.lua --watch",
            "locfleet check my.json5 --json | jq '.findings[] | {code, file, line, reason}'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try CheckCommand(arguments).run(on: terminal)
        })
}

/// `locfleet check`: from the words of the command line to the report.
struct CheckCommand {
    /// Between two looks of `--watch` at the files, in seconds of wall time.
    static let watchIntervalSeconds = 0.4

    private let paths: [String]
    private let check: FileCheck
    private let isStrict: Bool
    private let isJSON: Bool
    private let watches: Bool

    init(_ arguments: Arguments) throws(CommandError) {
        paths = arguments.operands
        guard !paths.isEmpty else {
            throw CommandError("FILE is missing; see 'locfleet help check'")
        }
        var versions: [IOSVersion]?
        if let text = arguments.value("--ios") {
            do throws(VersionChoice.Failure) { versions = try VersionChoice.read(text) } catch {
                throw CommandError("--ios: \(error.message)")
            }
        }
        var kind: ScriptKind?
        if let word = arguments.value("--as") {
            kind = ScriptKind(rawValue: word)
            guard kind != nil else {
                throw CommandError("--as is behavior or strategy, not '\(word)'")
            }
        }
        (isStrict, isJSON) = (arguments.has("--strict"), arguments.has("--json"))
        watches = arguments.has("--watch")
        check = FileCheck(
            reader: { outline in
                BundleReader(
                    library: Library.roots(
                        executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()),
                    outline: outline)
            }, versions: versions, scriptKind: kind)
    }

    func run(on terminal: Terminal) throws(CommandError) -> ExitStatus {
        guard watches else { return Self.status(of: try once(on: terminal)) }
        return try watch(on: terminal)
    }

    static func status(of report: CheckReport) -> ExitStatus {
        if report.files.contains(where: { !$0.isRead }) { return .usage }
        return report.count(of: .error) > 0 ? .verdictIsNo : .done
    }

    private func once(on terminal: Terminal) throws(CommandError) -> CheckReport {
        var report = CheckReport(paths.map(check.report))
        if isStrict { report.beStrict() }
        let page = CheckPage(report, isColored: terminal.hasColor, width: terminal.outWidth)
        try terminal.print(isJSON ? page.json : page.text)
        return report
    }

    // MARK: - Watching

    /// Checks again after every change of a file that was read, until somebody ends it.
    private func watch(on terminal: Terminal) throws(CommandError) -> ExitStatus {
        let interrupt = Interrupt()
        var report = try once(on: terminal)
        var seen = Self.stamps(of: report)
        while !interrupt.isRequested {
            Thread.sleep(forTimeInterval: Self.watchIntervalSeconds)
            let now = Self.stamps(of: report)
            guard now != seen, !interrupt.isRequested else { continue }
            if !isJSON { try terminal.print("\n──── \(Self.clock) ────\n\n") }
            report = try once(on: terminal)
            seen = Self.stamps(of: report)
        }
        return .interrupted
    }

    /// The time of day, for people.
    private static var clock: String {
        let format = DateFormatter()
        format.dateFormat = "HH:mm:ss"
        return format.string(from: Date())
    }

    /// When each file was changed last, and how long it is; nil where it is not there.
    private static func stamps(of report: CheckReport) -> [String: [Double]] {
        var stamps: [String: [Double]] = [:]
        for path in report.files.flatMap(\.read) {
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else {
                continue
            }
            let date = facts[.modificationDate] as? Date
            let size = facts[.size] as? NSNumber
            stamps[path] = [date?.timeIntervalSince1970 ?? 0, size?.doubleValue ?? 0]
        }
        return stamps
    }
}
