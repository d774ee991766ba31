import AuthorizationCore
import Lint

/// How far each service reaches: a row a service and a column a group of versions and a grant.
extension LintPage {
    private typealias Group = (versions: [IOSVersion], outlook: Outlook)

    var serviceLines: [String] {
        let all = report.groups(by: \.services)
        let reduced = all.filter { $0.outlook.isReducedAtFirst }
        let heading = reduced.isEmpty ? "Services" : "Services, as they are granted"
        var lines = ["", style.bold(heading)] + lines(of: all, isPrecise: false)
        if !reduced.isEmpty {
            lines += ["", style.bold("Services, once the person has turned Precise on")]
            lines += self.lines(of: reduced, isPrecise: true)
        }
        return lines + dimmed(legend)
    }

    private var shown: [LocationService] {
        LocationService.allCases.filter {
            report.strategy != nil || report.services.isEmpty || report.services.contains($0)
        }
    }

    /// As many columns side by side as fit.
    private func lines(of groups: [Group], isPrecise: Bool) -> [String] {
        var tables: [TextTable] = []
        for count in stride(from: groups.count, through: 1, by: -1) {
            tables = stride(from: 0, to: groups.count, by: count).map { start in
                table(groups[start..<min(start + count, groups.count)], isPrecise: isPrecise)
            }
            if tables.allSatisfy({ $0.width <= width }) { break }
        }
        return Array(tables.map { $0.lines(width: width, style: style) }.joined(separator: [""]))
    }

    private func table(_ groups: ArraySlice<Group>, isPrecise: Bool) -> TextTable {
        var table = TextTable(
            [.words("iOS\nwith")]
                + groups.flatMap { group -> [TextTable.Column] in
                    let versions = VersionChoice.phrase(group.versions)
                    return [.words("\(versions)\nIn Use"), .words("Always")]
                })
        for service in shown {
            let isUsed = report.services.contains(service)
            let cells = groups.flatMap { group -> [String] in
                guard let found = group.outlook[service] else { return ["", ""] }
                let reaches = isPrecise ? found.precise : found.atFirst
                let isCoarse =
                    !isPrecise && group.outlook.isReducedAtFirst && service.isCoarseWhenReduced
                return [reaches.whenInUse, reaches.always].map {
                    Self.word($0) + (isCoarse && $0.deliversLocation ? " ~" : "")
                }
            }
            table.rows.append([service.rawValue + (isUsed ? " *" : "")] + cells)
        }
        return table
    }

    private static func word(_ reach: ServiceReach) -> String {
        switch reach {
        case .absent: "absent"
        case .never: "nothing"
        case .noMode: "no mode"
        case .ungranted: "no grant"
        case .inUse: "in use"
        case .executing: "running"
        case .background: "goes on"
        case .wakes: "wakes"
        case .runTime: "run time"
        }
    }

    private func comes(_ service: LocationService, to reach: ServiceReach) -> Bool {
        shown.contains(service)
            && report.outlooks.contains {
                $0[service]?.whenInUse == reach || $0[service]?.always == reach
            }
    }

    private var legend: String {
        let reaches = report.outlooks.flatMap { outlook in
            shown.compactMap { outlook[$0] }.flatMap { found in
                [found.atFirst, found.precise].flatMap { [$0.whenInUse, $0.always] }
            }
        }
        let words: [(ServiceReach, String)] = [
            (.inUse, "in use: in the foreground, or under the indicator of updates"),
            (.executing, "running: also in the background while the app runs for another reason"),
            (.background, "goes on: keeps the app running in the background"),
            (.wakes, "wakes: starts the app if it has been ended"),
            (.runTime, "run time: no location"),
            (.never, "nothing: granted, and nothing comes"),
            (.noMode, "no mode: nothing comes without the background mode fetch"),
            (.ungranted, "no grant: neither a prompt nor Settings gives it"),
            (.absent, "absent: this iOS has no such service"),
        ]
        var parts = words.filter { reaches.contains($0.0) }.map(\.1)
        if report.outlooks.contains(where: \.isReducedAtFirst) {
            parts.append("~: for an area, not a place (AC8)")
        }
        let isSet = report.strategy.map { $0.backgroundUpdatesLine != nil } ?? true
        if !isSet, shown.contains(.updates) {
            parts.append("updates: without allowsBackgroundLocationUpdates, which is never set")
        } else if comes(.updates, to: .background) {
            parts.append("updates: with allowsBackgroundLocationUpdates")
        }
        if comes(.liveUpdates, to: .wakes) {
            parts.append("live_updates: with a CLBackgroundActivitySession")
        }
        if !report.services.isEmpty { parts.append("*: started") }
        return parts.joined(separator: "; ") + "."
    }
}
