import AuthorizationCore
import LuaScripting
import Simulation

/// What was found in one file, and in those that it names.
public struct FileReport: Sendable {
    public enum Kind: String, Sendable { case behavior, strategy, scenario, plist, unknown }

    /// As the person named it.
    public var path: String
    public var kind: Kind
    /// Worst first, then by file and line.
    public var findings: [CheckFinding] = []
    /// The script itself, or those of a scenario.
    public var scripts: [ScriptSummary] = []
    /// The versions of the dry run, or those that an Info.plist was judged for.
    public var versions: [IOSVersion] = []
    public var callCount = 0
    /// All files that were read: what `--watch` looks at.
    public var read: [String] = []
    /// Whether there was something to check: else nothing was done.
    public var isRead = true

    public init(path: String, kind: Kind) { (self.path, self.kind) = (path, kind) }

    public func count(of severity: CheckFinding.Severity) -> Int {
        findings.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    /// Puts findings in order, and joins those of one mistake.
    mutating func finish() {
        var places: [CheckFinding: Int] = [:]
        var joined: [CheckFinding] = []
        for finding in findings {
            if let place = places[finding.mistake] {
                joined[place].join(finding)
            } else {
                places[finding.mistake] = joined.count
                joined.append(finding)
            }
        }
        findings = joined
        let severities = CheckFinding.Severity.allCases
        let rank = { (finding: CheckFinding) in severities.firstIndex(of: finding.severity) ?? 0 }
        findings = findings.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            return (rank(one), one.file, one.line ?? 0, left.offset)
                < (rank(other), other.file, other.line ?? 0, right.offset)
        }.map(\.element)
        read = Array(Set(read)).sorted()
    }
}

/// A script and what it declares.
public struct ScriptSummary: Sendable {
    public var name: String
    public var kind: ScriptKind
    public var outline: ScriptOutline
}

/// What was found in several files.
public struct CheckReport: Sendable {
    public var files: [FileReport]

    public init(_ files: [FileReport]) { self.files = files }

    public func count(of severity: CheckFinding.Severity) -> Int {
        files.reduce(0) { $0 + $1.count(of: severity) }
    }

    /// Makes every warning an error.
    public mutating func beStrict() {
        for file in files.indices {
            for place in files[file].findings.indices
            where files[file].findings[place].severity == .warning {
                files[file].findings[place].severity = .error
            }
        }
    }
}
