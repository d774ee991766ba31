import JSONText
import Reports
import Simulation

/// How `--by` splits the figures.
struct Split {
    private static let labels = ["persona", "ios"]

    /// In the order in which they were asked for.
    let names: [String]

    /// - Parameter text: "persona", "ios" or both with a comma between; nil: no split.
    init(_ text: String?) throws(CommandError) {
        let parts = text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        try self.init(names: parts.map { String($0) })
    }

    init(names given: [String]) throws(CommandError) {
        var names: [String] = []
        for name in given {
            guard Self.labels.contains(name) else {
                let near = nearest(to: name, among: Self.labels).map { "; did you mean \($0)?" }
                throw CommandError(
                    "--by splits by persona, ios or persona,ios, not by '\(name)'\(near ?? "")")
            }
            guard !names.contains(name) else { throw CommandError("--by names \(name) twice") }
            names.append(name)
        }
        self.names = names
    }

    func groups(of scenario: Scenario) -> Groups {
        names.isEmpty
            ? .one
            : Groups(
                of: scenario, byPersona: names.contains("persona"), byIOS: names.contains("ios"))
    }

    /// The labels of each group: personas and versions in the scenario's order. Empty without a
    /// split.
    func labels(of scenario: Scenario) -> [[ReportGroup.Label]] {
        ReportGroup.labels(of: groups(of: scenario), by: names, in: scenario)
    }
}
