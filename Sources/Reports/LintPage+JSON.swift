import AuthorizationCore
import Lint

extension LintPage {
    /// The same as JSON: `config/README.md` has every key.
    public var json: String {
        let tree = JSONTree.object([
            ("locfleet", .text(Report.productVersion)),
            ("plist", .text(plist)),
            ("format", .text(report.format.rawValue)),
            ("strategy", report.strategy.map { .text($0.name) } ?? .null),
            ("ios", Self.ranges(report.versions)),
            ("verdict", .text(report.worst.map(\.rawValue) ?? "clean")),
            ("errors", .count(UInt64(report.count(of: .error)))),
            ("warnings", .count(UInt64(report.count(of: .warning)))),
            ("information", .count(UInt64(report.count(of: .information)))),
            ("services", .list(report.services.map { .text($0.rawValue) })),
            (
                "versions",
                .list(
                    report.groups { outlook in
                        var alike = outlook
                        alike.ios = .v9  // What is compared is all but the version.
                        return alike
                    }.map { Self.tree(of: $0.outlook, $0.versions) })
            ),
            ("findings", .list(report.findings.map(tree))),
        ])
        return tree.printed() + "\n"
    }

    /// Pairs of the first and the last version of each run.
    private static func ranges(_ versions: [IOSVersion]) -> JSONTree {
        .list(
            VersionChoice.runs(of: versions).map { run in
                .list([.text(run.first.description), .text(run.last.description)])
            })
    }

    private static func tree(of outlook: Outlook, _ versions: [IOSVersion]) -> JSONTree {
        .object([
            ("ios", ranges(versions)),
            (
                "requests",
                .object([
                    ("when_in_use", tree(of: outlook.whenInUse)),
                    ("always", tree(of: outlook.always)),
                    ("always_with_when_in_use", tree(of: outlook.upgrade)),
                    ("full_accuracy", tree(of: outlook.fullAccuracy)),
                ])
            ),
            ("settings", .list(outlook.rows.map { .text($0.rawValue) })),
            ("precise_switch", .literal(String(outlook.hasPreciseSwitch))),
            ("reduced_at_first", .literal(String(outlook.isReducedAtFirst))),
            (
                "services",
                .object(
                    outlook.services.map { service in
                        (
                            service.service.rawValue,
                            .object([
                                ("when_in_use", .text(service.whenInUse.rawValue)),
                                ("always", .text(service.always.rawValue)),
                                ("precise_when_in_use", .text(service.precise.whenInUse.rawValue)),
                                ("precise_always", .text(service.precise.always.rawValue)),
                            ])
                        )
                    })
            ),
        ])
    }

    private static func tree(of request: RequestOutlook) -> JSONTree {
        switch request {
        case .absent: .object([("outcome", .text("absent"))])
        case .ungranted: .object([("outcome", .text("ungranted"))])
        case .prompts(let kind, let choices, let best):
            .object([
                ("outcome", .text("prompt")), ("prompt", .text(kind.rawValue)),
                ("choices", .list(choices.map { .text($0.rawValue) })),
                ("at_most", .text(best.rawValue)),
            ])
        case .grants(let status):
            .object([("outcome", .text("granted")), ("at_most", .text(status.rawValue))])
        case .ignored(let reason, let rule):
            .object([
                ("outcome", .text("ignored")), ("reason", .text(reason.rawValue)),
                ("rule", .text(rule.rawValue)),
            ])
        }
    }

    private func tree(of finding: Finding) -> JSONTree {
        .object([
            ("number", .text(finding.code.number)),
            ("code", .text(finding.code.rawValue)),
            ("severity", .text(finding.severity.rawValue)),
            ("ios", Self.ranges(finding.versions)),
            ("file", .text(finding.place == .plist ? plist : report.strategy?.name ?? plist)),
            ("line", finding.line.map { .count(UInt64($0)) } ?? .null),
            ("key", finding.key.map { .text($0) } ?? .null),
            ("reason", .text(finding.reason)),
            ("mend", .text(finding.mend)),
        ])
    }
}
