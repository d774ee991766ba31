import AuthorizationCore
import Bundles
import Conformance
import Foundation
import JSONText

extension Verb {
    static let conformance = Verb(
        name: "conformance",
        usage: "FILE.jsonl [options]",
        summary: "replay CoreLocation cases against the simulated device",
        options: [
            .list("--rule", "ID", "only cases that show this rule; may be repeated"),
            .list("--case", "ID", "only this case; may be repeated"),
            .list(
                "--set", "KEY=VALUE",
                "another value of a key of a scenario's `rules`; may be repeated"),
            .flag("--delays", "the system takes its time, as the settings say; else none"),
            .flag("--json", "print the result as JSON"),
        ],
        examples: [
            "locfleet conformance config/conformance/cases.jsonl",
            "locfleet conformance config/conformance/cases.jsonl --rule A8",
            "locfleet conformance mine.jsonl --json | jq '.failures[]'",
            "locfleet conformance mine.jsonl --delays --set region_latency_max_seconds=600",
        ],
        run: { arguments, terminal throws(CommandError) in
            try conformance(arguments, terminal)
        })

    /// A file of cases has at most this many bytes.
    private static let caseFileBytesMax = 64 << 20

    private static func conformance(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let path = try arguments.onlyOperand("file of cases", verb: "conformance")
        let rules: SystemRules
        let settings = try ScenarioArguments.sets(
            arguments, example: "region_dwell_seconds=60")
        do throws(BundleError) {
            rules = try SystemRules(settings: settings)
        } catch { throw CommandError("\(error)") }
        let remark = try remark(on: settings.map(\.key), arguments)
        let bytes = try contents(of: path)
        let cases: [ConformanceCase]
        do throws(ConformanceError) {
            cases = try ConformanceFile.read(bytes, name: path)
        } catch { throw CommandError("\(error)") }
        let summary = ConformanceSummary(
            running: try chosen(cases, arguments), under: rules,
            keepsDelays: arguments.has("--delays"))
        if let remark { terminal.complain(remark) }
        try terminal.print(arguments.has("--json") ? summary.json : summary.text)
        return summary.isPassed ? .done : .verdictIsNo
    }

    /// About keys that `--set` gives a value that waits for `--delays`; nil: all act.
    ///
    /// - Throws: for a key that no case can show.
    private static func remark(
        on keys: [String], _ arguments: Arguments
    ) throws(CommandError) -> String? {
        for key in keys {
            guard let why = ConformanceSetting.idle.first(where: { $0.key == key })?.value else {
                continue
            }
            throw CommandError("--set \(key) has no effect on cases: \(why)")
        }
        guard !arguments.has("--delays") else { return nil }
        let waiting = keys.filter { ConformanceSetting.delays.contains($0) }
        guard !waiting.isEmpty else { return nil }
        return "note: --set \(waiting.joined(separator: ", ")) has no effect without --delays"
    }

    /// The cases that `--rule` or `--case` names; all where neither stands there.
    private static func chosen(
        _ cases: [ConformanceCase], _ arguments: Arguments
    ) throws(CommandError) -> [ConformanceCase] {
        let rules = arguments.all("--rule").map { $0.uppercased() }
        let ids = arguments.all("--case")
        guard !rules.isEmpty || !ids.isEmpty else { return cases }
        for (option, names, known) in [
            ("--rule", rules, cases.flatMap(\.rules)), ("--case", ids, cases.map(\.id)),
        ] {
            for name in names where !known.contains(name) {
                let near = nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
                throw CommandError("\(option) \(name): no case of the file\(near)")
            }
        }
        return cases.filter { test in
            ids.contains(test.id) || test.rules.contains { rules.contains($0) }
        }
    }

    private static func contents(of path: String) throws(CommandError) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError("\(path): there is no such file")
        }
        guard !isFolder.boolValue else {
            throw CommandError("\(path): this is a folder; a file of cases is due")
        }
        // The size before the contents: a sparse file or a device would fill the memory.
        let facts = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false))
        guard facts?[.type] as? FileAttributeType == .typeRegular else {
            throw CommandError("\(path): this is a device or pipe; a file of cases is due")
        }
        let size = facts?[.size] as? Int ?? 0
        guard size <= caseFileBytesMax else {
            throw CommandError(
                "\(path): a file of cases has at most \(caseFileBytesMax) bytes; "
                    + "this one has \(size)")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path): this file cannot be read")
        }
        return Array(data)
    }
}
