import ControlProtocol
import ControlService
import Reports
import Simulation

/// Tables of the pages in `config/` that are made of what the code says.
enum ReferenceTables {
    /// By the name that the page has between its marks.
    static let parts: [(name: String, text: String)] = [
        ("methods", methods), ("refusals", refusals), ("limits", limits), ("verbs", verbs),
        ("records", records),
    ]

    /// `page` with each part that it has marks for as it is now.
    static func renewed(_ page: String) -> String {
        var page = page
        for (name, text) in parts {
            let (begin, end) = ("<!-- made: \(name) -->\n", "<!-- end of \(name) -->")
            guard let first = page.range(of: begin), let last = page.range(of: end),
                first.upperBound <= last.lowerBound
            else { continue }
            page.replaceSubrange(first.upperBound..<last.lowerBound, with: text)
        }
        return page
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }

    private static func table(_ titles: [String], _ rows: [[String]]) -> String {
        row(titles) + "|" + String(repeating: "---|", count: titles.count) + "\n"
            + rows.map(row).joined()
    }

    private static func listed(_ words: [String]) -> String {
        words.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static var methods: String {
        table(
            ["method", "does", "parameters", "result"],
            ControlMethod.allCases.map { method in
                let parameters = method.parameters.map { entry in
                    guard let text = entry.defaultText, text != "null" else {
                        return entry.isRequired ? "`\(entry.name)`" : "[`\(entry.name)`]"
                    }
                    return "`\(entry.name)` = \(text == "[]" ? "[]" : "`\(text)`")"
                }
                return [
                    "`\(method.name)`", method.verbSummary,
                    parameters.joined(separator: ", "), result(method),
                ]
            })
    }

    private static func result(_ method: ControlMethod) -> String {
        var text =
            switch method.result {
            case .list(.named(let name, _), _): "a list, each a \(name)"
            case .named(let name, let form) where method == .fleetShow:
                "a \(name): " + listed(MethodHelp.members(of: form).map(\.name))
            case .named(let name, _): "a \(name)"
            default: listed(MethodHelp.members(of: method.result).map(\.name))
            }
        if let notification = method.notification {
            let names = MethodHelp.members(of: notification.form).map(\.name)
            text += "; then notifications `\(notification.name)` with \(listed(names))"
        }
        return text
    }

    private static var refusals: String {
        table(
            ["code", "number", "status", "when"],
            ControlError.Code.allCases.map { code in
                ["`\(code.rawValue)`", "\(code.number)", "\(code.exitStatus)", code.about]
            })
    }

    private static var limits: String {
        table(
            ["of", "limit", "at most", "then", "counted"],
            NamedLimit.all().map { limit in
                let isCounted = if case .none = limit.counter { false } else { true }
                return [
                    limit.part.rawValue, "`\(limit.name)`",
                    "\(grouped(limit.value)) \(limit.unit)", limit.then, isCounted ? "yes" : "",
                ]
            })
    }

    private static var verbs: String {
        table(
            ["`locfleet …`", "does", "method"],
            Verb.all.map { verb in
                let method = ControlMethod.allCases.first { $0.verb == verb.name }
                return [
                    "`\(verb.name)`", verb.summary, method.map { "`\($0.name)`" } ?? "",
                ]
            })
    }

    private static var records: String { listed(RecordType.allCases.map(\.rawValue)) + "\n" }
}
