import AuthorizationCore
import Bundles

/// What an Info.plist, and a strategy if there is one, amount to on each version of iOS.
public struct LintReport: Sendable {
    /// Why these versions.
    public enum Origin: Sendable { case given, minimumOSVersion, all }

    public let versions: [IOSVersion]
    public let origin: Origin
    public let format: PropertyList.Format
    public let strategy: StrategyUse?
    /// What the app starts, as far as somebody has said so or the strategy shows it.
    public let services: [LocationService]
    /// One a version.
    public let outlooks: [Outlook]
    /// Worst first, then in the order of the codes.
    public let findings: [Finding]

    /// - Parameters:
    ///   - versions: nil: from the list's MinimumOSVersion on, or else all.
    ///   - services: what the app starts, beside what the strategy shows.
    public init(
        _ list: PropertyList, strategy: StrategyUse? = nil, versions: [IOSVersion]? = nil,
        services: [LocationService] = []
    ) {
        let facts = PlistFacts(list)
        let chosen: [IOSVersion]
        if let versions {
            (origin, chosen) = (.given, versions)
        } else if case .version(let least) = facts.minimum {
            (origin, chosen) = (.minimumOSVersion, VersionChoice.all.filter { $0 >= least })
        } else {
            (origin, chosen) = (.all, VersionChoice.all)
        }
        let started = services + (strategy?.services.map(\.service) ?? [])
        let outlooks = chosen.map { ios in
            Outlook(
                facts, on: ios,
                setsProperty: strategy.map { $0.backgroundUpdatesLine != nil } ?? true)
        }
        self.versions = chosen
        self.strategy = strategy
        self.outlooks = outlooks
        self.services = LocationService.allCases.filter(started.contains)
        format = list.format
        var checks = Checks(
            list: list, facts: facts, outlooks: outlooks, strategy: strategy, given: services,
            services: self.services)
        checks.run()
        if origin == .all { checks.checkMinimum() }
        findings = checks.sorted
    }

    public var worst: Finding.Severity? { findings.first?.severity }

    public func count(of severity: Finding.Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// Neighbouring versions for which `aspect` is the same, oldest first.
    public func groups<Aspect: Equatable>(
        by aspect: (Outlook) -> Aspect
    ) -> [(versions: [IOSVersion], outlook: Outlook)] {
        var groups: [(versions: [IOSVersion], outlook: Outlook)] = []
        for outlook in outlooks {
            if let last = groups.indices.last, aspect(groups[last].outlook) == aspect(outlook) {
                groups[last].versions.append(outlook.ios)
            } else {
                groups.append(([outlook.ios], outlook))
            }
        }
        return groups
    }
}

/// The checks of one configuration, and what they have found so far.
struct Checks {
    let list: PropertyList
    let facts: PlistFacts
    let outlooks: [Outlook]
    let strategy: StrategyUse?
    /// Those that somebody has named.
    let given: [LocationService]
    /// Those, and what the strategy starts.
    let services: [LocationService]
    private var findings: [Finding] = []

    init(
        list: PropertyList, facts: PlistFacts, outlooks: [Outlook], strategy: StrategyUse?,
        given: [LocationService], services: [LocationService]
    ) {
        (self.list, self.facts, self.outlooks) = (list, facts, outlooks)
        (self.strategy, self.given, self.services) = (strategy, given, services)
    }

    mutating func run() {
        checkForm()
        checkTexts()
        checkRequests()
        checkStrategy()
        checkServices()
    }

    var sorted: [Finding] {
        let rank = { (finding: Finding) in
            let severity = Finding.Severity.allCases.firstIndex(of: finding.severity) ?? 0
            let code = Finding.Code.allCases.firstIndex(of: finding.code) ?? 0
            return (severity, code)
        }
        // The order in which they were found decides between equals.
        return findings.enumerated().sorted { left, right in
            (rank(left.element).0, rank(left.element).1, left.offset)
                < (rank(right.element).0, rank(right.element).1, right.offset)
        }.map(\.element)
    }

    func versions(where holds: (Outlook) -> Bool) -> [IOSVersion] {
        outlooks.filter(holds).map(\.ios)
    }

    /// Notes a finding about a key of the list, unless it holds for no version.
    mutating func note(
        _ code: Finding.Code, _ severity: Finding.Severity, _ versions: [IOSVersion],
        path: [String] = [], _ reason: String, mend: String
    ) {
        guard !versions.isEmpty else { return }
        findings.append(
            Finding(
                code: code, severity: severity, versions: versions, place: .plist,
                key: path.isEmpty ? nil : path.joined(separator: "."),
                line: list.keyLines.line(of: path), reason: reason, mend: mend))
    }

    /// Notes a finding about a line of the strategy.
    mutating func note(
        _ code: Finding.Code, _ severity: Finding.Severity, _ versions: [IOSVersion],
        key: LocationKey? = nil, inStrategyAt line: Int?, _ reason: String, mend: String
    ) {
        guard !versions.isEmpty else { return }
        findings.append(
            Finding(
                code: code, severity: severity, versions: versions, place: .strategy,
                key: key?.rawValue, line: line, reason: reason, mend: mend))
    }

    mutating func noteRepeat(_ key: PlistKeyLines.Repeat) {
        findings.append(
            Finding(
                code: .duplicateKey, severity: .warning, versions: outlooks.map(\.ios),
                place: .plist, key: key.path.joined(separator: "."), line: key.line,
                reason: "This key stands here for the second time, first in line "
                    + "\(key.firstLine). The last value is the one that was read here.",
                mend: "Keep one of the two."))
    }
}
