import Foundation
import JSONText
import TestSupport
import Testing

/// `config/scenarios/reference-workload.json5` against the expected results of
/// `config/reference-workload/reference-workload.md`, section 8.
@Suite("The reference workload")
struct ReferenceWorkloadTests {
    private struct Expected: Equatable {
        var mean: Double
        var deviation: Double
    }

    private static func dataFile(_ path: String) throws -> JSONNode {
        let text = try Data(contentsOf: projectRoot.appending(path: path))
        return try JSONReader.read(Array(text), as: .json5)
    }

    private static func members(_ node: JSONNode) throws -> [JSONMember] {
        guard case .object(let members) = node.value else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return members
    }

    /// The rows of the acceptance test over 30 days, by counter.
    private static func expected() throws -> [String: Expected] {
        let table = try #require(try dataFile("config/bench/acceptance.json5")["30"])
        var rows: [String: Expected] = [:]
        for row in try members(table) {
            rows[row.name] = Expected(
                mean: try #require(row.node["mean"]?.number.flatMap(Double.init)),
                deviation: try #require(row.node["sd"]?.number.flatMap(Double.init)))
        }
        return rows
    }

    /// The tables of the yardstick's page whose rows have so many cells: name first.
    private static func page(_ cellCount: Int) throws -> [[String]] {
        let page = try String(
            contentsOf: projectRoot.appending(
                path: "config/reference-workload/reference-workload.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                    .replacing(",", with: "")
            }
        }.filter { $0.count == cellCount }
    }

    @Test("is judged by the rows of its page")
    func rows() throws {
        let rows = try Self.page(5).map { cells in
            let mean = try #require(Double(cells[1]))
            return (cells[0], Expected(mean: mean, deviation: try #require(Double(cells[3]))))
        }
        #expect(rows.count == 26)
        #expect(try Self.expected() == Dictionary(uniqueKeysWithValues: rows))
    }

    @Test("has the exact counts of its page")
    func exactCounts() throws {
        let rows = try Self.page(4)
        #expect(rows.count == 27)
        let tables = try #require(try Self.dataFile("config/bench/exact-counts.json5").array)
        #expect(tables.count == 3)
        for (column, table) in tables.enumerated() {
            let counts = try Self.members(try #require(table["counts"]))
            #expect(
                counts.map { [$0.name, $0.node.number ?? ""] }
                    == rows.map { [$0[0], $0[column + 1]] })
        }
    }

    /// The counters of the workload, out of a report.
    private static func counters(_ report: [String: Any]) throws -> [String: Double] {
        let activity = try #require(report["activity"] as? [String: Any])
        let status = try #require(report["status"] as? [String: Any])
        let final = try #require(status["true"] as? [String: Double])
        let prompts = try #require(report["prompts"] as? [[String: Any]])
        func prompt(_ kind: String) throws -> (shown: Double, choices: [String: Double]) {
            let prompt = try #require(prompts.first { $0["kind"] as? String == kind })
            return (
                try #require(prompt["shown"] as? Double),
                try #require(prompt["choices"] as? [String: Double])
            )
        }
        func count(_ name: String) throws -> Double { try #require(activity[name] as? Double) }
        let (use, always) = (try prompt("when_in_use"), try prompt("always_upgrade"))
        let reminder = try prompt("background_reminder")
        let hazards = try #require(activity["hazards"] as? [[String: Double]])
        let (useAnswered, alwaysAnswered) = (
            use.choices.values.reduce(0, +), always.choices.values.reduce(0, +)
        )
        let yes = always.choices["change_to_always_allow"] ?? 0
        var counters = [
            "opens": try count("openings") + count("openings_ignored"),
            "opens_ignored": try count("openings_ignored"), "closes": try count("closings"),
            "asked_when_in_use": use.shown, "asked_always": always.shown,
            "abandoned": use.shown + always.shown - useAnswered - alwaysAnswered,
            "answer_while_using": use.choices["allow_while_using"] ?? 0,
            "answer_once": use.choices["allow_once"] ?? 0,
            "answer_never": use.choices["dont_allow"] ?? 0,
            "always_yes": yes, "always_no": alwaysAnswered - yes,
            "once_expired": try count("allow_once_lapsed"),
            "once_kept": try count("allow_once_kept"),
            "reminders": reminder.choices.values.reduce(0, +),
            "downgrades": reminder.choices["change_to_only_while_using"] ?? 0,
            "settings_fired": hazards[0]["came"] ?? 0, "settings_never": hazards[0]["acted"] ?? 0,
            "fixes_foreground": try count("fixes_foreground"),
            "fixes_background": try count("fixes_background"),
            "fence_enter": try count("region_entries"), "fence_exit": try count("region_exits"),
            "final_denied": final["denied"] ?? 0, "final_while_using": final["when_in_use"] ?? 0,
            "final_once": final["allow_once"] ?? 0, "final_always": final["always"] ?? 0,
        ]
        let events = [
            "opens", "closes", "answer_while_using", "answer_once", "answer_never", "always_yes",
            "always_no", "once_expired", "fixes_foreground", "fixes_background", "reminders",
            "settings_fired",
        ]
        counters["events"] = events.reduce(0) { $0 + (counters[$1] ?? .nan) }
        return counters
    }

    @Test("passes its acceptance test: each count within four standard errors", arguments: 1...3)
    func acceptance(seed: Int) throws {
        let devices = 2_000.0
        let program = try Program.locfleet([
            "run", "config/scenarios/reference-workload.json5", "--devices", "2000", "--seed",
            "\(seed)", "--json",
        ])
        #expect(program.status == 0, "\(program.error)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(program.out.utf8)) as? [String: Any])
        let arms = try #require(report["arms"] as? [[String: Any]])
        let counters = try Self.counters(arms[0])
        let expected = try Self.expected()
        #expect(Set(expected.keys) == Set(counters.keys))
        for (name, row) in expected where row.mean * devices >= 10 {
            let error = row.deviation / devices.squareRoot()
            let found = (counters[name] ?? .nan) / devices
            #expect(
                abs(found - row.mean) <= 4 * error,
                "seed \(seed), \(name): \(found) a device where \(row.mean) is due, +- \(4 * error)"
            )
        }
    }
}
