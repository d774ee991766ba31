import AuthorizationCore
import Bundles
import Foundation
import JSONText
import Lint
import LuaScripting
import Reports

extension Verb {
    static let lint = Verb(
        name: "lint",
        usage: "Info.plist [options]",
        summary: "what an Info.plist allows on each iOS, and what to mend",
        options: [
            .value("--strategy", "FILE.lua", "judge it by the calls that this app makes"),
            .value("--ios", "VERSIONS", "such as 18, 13.4..26 or 15,16..18; default: all"),
            .list("--services", "LIST", "what the app starts, such as updates,regions"),
            .flag("--json", "print the result as JSON"),
        ],
        examples: [
            "locfleet lint config/apps/store-finder/Info.plist --strategy progressive.lua",
            "locfleet lint Info.plist --ios 15..26 --services regions,updates",
            "locfleet lint Info.plist --json | jq '.findings[] | {code, key, mend}'",
        ],
        run: { arguments, terminal throws(CommandError) in try lint(arguments, terminal) })

    private static func lint(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let path = try arguments.onlyOperand("Info.plist", verb: "lint")
        var versions: [IOSVersion]?
        if let text = arguments.value("--ios") {
            do throws(VersionChoice.Failure) {
                versions = try VersionChoice.read(text)
            } catch { throw CommandError("--ios: \(error.message)") }
        }
        let services = try services(arguments.all("--services"))
        let report: LintReport
        do throws(BundleError) {
            let list = try PropertyList(contentsOf: path)
            report = LintReport(
                list, strategy: try strategy(arguments.value("--strategy")), versions: versions,
                services: services)
        } catch { throw CommandError("\(error)") }
        let page = LintPage(
            report, plist: path, isColored: terminal.hasColor, width: terminal.outWidth)
        try terminal.print(arguments.has("--json") ? page.json : page.text)
        return report.worst == .error ? .verdictIsNo : .done
    }

    private static func services(_ lists: [String]) throws(CommandError) -> [LocationService] {
        var services: [LocationService] = []
        for word in lists.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let name = String(word)
            guard let service = LocationService(rawValue: name) else {
                let known = LocationService.allCases.map(\.rawValue)
                let hint =
                    nearest(to: name, among: known).map { "did you mean '\($0)'?" }
                    ?? "there are \(known.joined(separator: ", "))"
                throw CommandError("--services: no service is called '\(name)'; \(hint)")
            }
            services.append(service)
        }
        return services
    }

    /// Loads the script, so that its hooks are those that would be called.
    private static func strategy(_ name: String?) throws(BundleError) -> StrategyUse? {
        guard let name else { return nil }
        let library = Library.roots(
            executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
        let (path, text) = try StrategyFile.read(name, library: library)
        let outline: LuaScripting.ScriptOutline
        do throws(ScriptError) {
            outline = try LuaScripting.ScriptOutline.read(source: text, name: path, kind: .strategy)
        } catch { throw BundleError(.script, place: path, line: error.line, error.reason) }
        var options: [String: String] = [:]
        for option in outline.options {
            if case .string(let value) = option.defaultValue { options[option.name] = value }
        }
        return StrategyUse(source: text, name: path, hooks: outline.hooks, options: options)
    }
}
