import AuthorizationCore
import Check
import LuaScripting
import Simulation

extension CheckPage {
    /// The same as JSON: `config/README.md` has every key.
    public var json: String {
        let worst = CheckFinding.Severity.allCases.first { report.count(of: $0) > 0 }
        let tree = JSONTree.object([
            ("locfleet", .text(Report.productVersion)),
            ("verdict", .text(worst?.rawValue ?? "clean")),
            ("errors", .count(UInt64(report.count(of: .error)))),
            ("warnings", .count(UInt64(report.count(of: .warning)))),
            ("notes", .count(UInt64(report.count(of: .note)))),
            ("files", .list(report.files.map(Self.tree))),
            ("findings", .list(report.files.flatMap(\.findings).map(Self.tree))),
        ])
        return tree.printed() + "\n"
    }

    private static func tree(of file: FileReport) -> JSONTree {
        .object([
            ("file", .text(file.path)),
            ("kind", .text(file.kind.rawValue)),
            ("calls", .count(UInt64(file.callCount))),
            ("ios", .list(file.versions.map { .text($0.description) })),
            ("scripts", .list(file.scripts.map(tree))),
        ])
    }

    private static func tree(of script: ScriptSummary) -> JSONTree {
        let hooks = HookName.allCases.filter(script.outline.hooks.contains)
        return .object([
            ("script", .text(script.name)),
            ("kind", .text(script.kind.rawValue)),
            ("hooks", .list(hooks.map { .text($0.rawValue) })),
            ("options", .list(script.outline.options.map(tree))),
        ])
    }

    private static func tree(of option: ScriptOutline.Option) -> JSONTree {
        .object([
            ("name", .text(option.name)),
            ("default", .literal(word(option.defaultValue))),
            ("min", option.min.map { .number($0) } ?? .null),
            ("max", option.max.map { .number($0) } ?? .null),
            ("unit", option.unit.map { .text($0) } ?? .null),
            ("about", option.about.map { .text($0) } ?? .null),
            ("source", option.source.map { .text($0) } ?? .null),
            ("assumed", .literal(String(option.isAssumed))),
        ])
    }

    private static func tree(of finding: CheckFinding) -> JSONTree {
        .object([
            ("code", .text(finding.code.rawValue)),
            ("severity", .text(finding.severity.rawValue)),
            ("file", .text(finding.file)),
            ("line", finding.line.map { .count(UInt64($0)) } ?? .null),
            ("key", finding.key.map { .text($0) } ?? .null),
            ("hook", finding.hook.map { .text($0.rawValue) } ?? .null),
            ("other_hooks", .list(finding.otherHooks.map { .text($0.rawValue) })),
            ("arms", .list(finding.arms.map { .text($0) })),
            ("calls", finding.callCount > 0 ? .count(UInt64(finding.callCount)) : .null),
            ("lint", finding.lint.map { .text($0) } ?? .null),
            ("reason", .text(finding.reason)),
            ("count", .count(UInt64(finding.count))),
            ("input", finding.input.map { .text($0) } ?? .null),
            ("ios", .list(finding.versions.map { .text($0.description) })),
        ])
    }
}
