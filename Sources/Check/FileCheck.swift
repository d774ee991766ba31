import AuthorizationCore
import Bundles
import Lint
import LuaScripting

/// Checks one file as what its name says that it is.
public struct FileCheck: Sendable {
    private let reader: ReaderMaker
    /// Nil: as each has it.
    private let versions: [IOSVersion]?
    private let scriptKind: ScriptKind?
    private let sourceIDs: [String]?

    /// - Parameters:
    ///   - reader: of scenarios.
    ///   - versions: nil: iOS 14 on for scripts by themselves, the mix of a scenario, and what
    ///     `LintReport` takes for lists.
    ///   - scriptKind: what scripts are; nil: what their folder or their hooks say.
    public init(
        reader: @escaping ReaderMaker, versions: [IOSVersion]? = nil,
        scriptKind: ScriptKind? = nil
    ) {
        (self.reader, self.versions, self.scriptKind) = (reader, versions, scriptKind)
        sourceIDs = reader { _, _, _ in [] }.sourceIDs
    }

    public static let endings = [".lua", ".json5", ".json", ".plist"]

    public func report(_ path: String) -> FileReport {
        if path.hasSuffix(".lua") { return script(path) }
        if path.hasSuffix(".json5") || path.hasSuffix(".json") {
            return ScenarioCheck(
                path: path, reader: reader, versions: versions, sourceIDs: sourceIDs
            ).report()
        }
        if path.hasSuffix(".plist") { return plist(path) }
        let isPlaces = path.hasSuffix(".geojson")
        return refused(
            path,
            CheckFinding(
                .unknownEnding, .error, path,
                (isPlaces ? "places are not read yet" : "this is no file that is checked")
                    + "; there are scripts (.lua), scenarios (.json5, .json) and property lists "
                    + "(.plist)"))
    }

    private func refused(_ path: String, _ finding: CheckFinding) -> FileReport {
        var report = FileReport(path: path, kind: .unknown)
        (report.findings, report.read, report.isRead) = ([finding], [path], false)
        return report
    }

    private func script(_ path: String) -> FileReport {
        do throws(BundleError) {
            let check = ScriptCheck(
                path: path, text: try NamedFile.script(path), sourceIDs: sourceIDs)
            return check.report(
                scriptKind ?? check.kind, versions: versions ?? ScriptCheck.versionsDefault)
        } catch { return refused(path, CheckFinding(error)) }
    }

    private func plist(_ path: String) -> FileReport {
        let list: PropertyList
        do throws(BundleError) { list = try PropertyList(contentsOf: path) } catch {
            return refused(path, CheckFinding(error))
        }
        let result = LintReport(list, versions: versions)
        var report = FileReport(path: path, kind: .plist)
        report.read = [path]
        report.versions = result.versions
        report.findings = result.findings.map { CheckFinding($0, plist: path, strategy: "") }
        report.finish()
        return report
    }
}

extension CheckFinding {
    init(_ error: BundleError) {
        // Never nil: `ScenarioFindingTests` hold the words to be the same.
        let code = Code(rawValue: error.code.rawValue) ?? .script
        self.init(code, .error, error.place, line: error.line, error.message)
        key = error.key.isEmpty ? nil : error.key
        count = error.count
    }

    init(_ finding: Finding, plist: String, strategy: String) {
        let severity: Severity =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .information: .note
            }
        self.init(
            .plist, severity, finding.place == .plist ? plist : strategy, line: finding.line,
            "\(finding.reason) \(finding.mend)")
        key = finding.key
        versions = finding.versions
        lint = finding.code.rawValue
    }
}
