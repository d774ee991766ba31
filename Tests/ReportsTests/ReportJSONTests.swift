import AuthorizationCore
import Foundation
import JSONText
import Metrics
import Reports
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// Reads a report again, so that a test can ask for `arms.0.funnel.1.reached`.
struct ReadReport {
    let root: JSONNode

    init(_ text: String) throws { root = try JSONReader.read(Array(text.utf8), as: .json) }

    subscript(_ path: String) -> JSONValue? {
        var value: JSONValue? = root.value
        for key in path.split(separator: ".") {
            switch value {
            case .object(let members)?:
                value = members.first { $0.name == key }?.node.value
            case .array(let nodes)?:
                value = Int(key).flatMap { nodes.indices.contains($0) ? nodes[$0].value : nil }
            default: value = nil
            }
        }
        return value
    }

    func keys(_ path: String) -> [String] {
        guard case .object(let members)? = self[path] else { return [] }
        return members.map(\.name)
    }

    func number(_ path: String) -> String? {
        if case .number(let text)? = self[path] { text } else { nil }
    }

    func isNull(_ path: String) -> Bool { if case .null? = self[path] { true } else { false } }
}

@Suite("A report as JSON")
struct ReportJSONTests {
    @Test("is this text")
    func whole() throws {
        let text = storeFinderReport(isSplit: true).json
        #expect(text == (try golden("report.json", rewrittenFrom: text)))
    }

    @Test("has the members of the contract in its order, and what errors quantiles have")
    func shape() throws {
        let report = try ReadReport(storeFinderReport().json)
        #expect(
            report.keys("") == [
                "locfleet", "bundle", "seed", "devices", "simulated_seconds", "digest", "ended_by",
                "quantile_relative_error", "arms", "paired", "assumptions", "machine",
            ])
        #expect(
            report.keys("arms.0.funnel.0") == [
                "step", "reached", "of_previous", "of_all", "not_yet", "of_previous_95",
                "seconds_p50", "seconds_p90", "seconds_p50_95", "seconds_p90_95",
            ])
        #expect(
            report.keys("arms.0.funnel.1") == [
                "step", "reached", "of_previous", "of_all", "not_yet", "lost", "of_previous_95",
                "seconds_p50", "seconds_p90", "seconds_p50_95", "seconds_p90_95",
            ])
        #expect(
            report.keys("arms.0.prompts.0") == [
                "kind", "shown", "answered", "granted", "grant_rate", "choices",
            ])
        #expect(report.keys("arms.0.status") == ["visible", "true"])
        #expect(report.keys("arms.0.opt_in") == ["population", "population_always"])
        #expect(
            report.keys("machine") == [
                "workers", "wall_seconds", "events", "events_per_second", "resident_bytes",
                "bytes_per_device",
            ])
    }

    @Test("keeps every digit of the seed")
    func seed() throws {
        #expect(try ReadReport(storeFinderReport().json).number("seed") == "18446744073709551615")
    }

    @Test("differs in nothing but the machine when only the machine differs")
    func machine() throws {
        let (with, without) = (
            storeFinderReport().json, storeFinderReport(hasMachine: false).json
        )
        let cut = try #require(with.range(of: ",\n  \"machine\""))
        #expect(without == with[..<cut.lowerBound] + "\n}\n")
    }

    @Test("says null where there is nothing to take a share of")
    func nothing() throws {
        var report = storeFinderReport()
        report.total = FleetMetrics(funnels: report.scenario.funnels)
        let read = try ReadReport(report.json)
        #expect(read.isNull("arms.0.opt_in.population"))
        #expect(read.isNull("arms.0.funnel.1.of_previous_95"))
        #expect(read.isNull("arms.0.funnel.1.seconds_p50"))
        #expect(read.isNull("arms.0.script_failures.first"))
        #expect(
            read.keys("arms.0.requests_ignored") == ["allow_once", "missing_usage_description"])
        _ = report.text()
        _ = report.csv
    }

    @Test("stays JSON whatever the names are")
    func strangeNames() throws {
        var report = storeFinderReport()
        let name = "a\"b\\c\nd\u{1}é😀, " + String(repeating: "long ", count: 60)
        report.total.milestones = [NameText(name): 1, "": 2]
        report.total.features = [FeatureOutcome(NameText(name), NameText(name)): 3]
        report.scenario.scripts[0].name = name
        let read = try ReadReport(report.json)
        #expect(read.keys("arms.0.milestones") == ["", name])
        #expect(read.keys("arms.0.features") == [name])
    }

    @Test("is the same whatever the order in which counts came")
    func order() {
        var (one, other) = (storeFinderReport(), storeFinderReport())
        (one.total.milestones, other.total.milestones) = ([:], [:])
        for number in 0..<100 {
            one.total.milestones["m\(number)"] = 1
            other.total.milestones["m\(99 - number)"] = 1
        }
        #expect(one.json == other.json)
        #expect(one.text() == other.text())
    }

    @Test("lists an assumption once, and no delay that the scenario sets")
    func assumptions() throws {
        var report = storeFinderReport()
        report.scenario.delays.answer = .seconds(4)
        let text = report.json
        #expect(text.components(separatedBy: "once_share").count == 2)
        #expect(!text.contains("delays.answer"))
        #expect(text.contains(#"{ "setting": "delays.termination_mean", "value": "6h" }"#))
        #expect(!text.contains("grant_share"))
    }

    @Test("lists a default whose source nobody knows, with what the script says")
    func statedSources() {
        var report = storeFinderReport()
        report.scenario.personas[0].options[0].statedSource = "my blog"
        #expect(report.json.contains(#""stated_source": "my blog""#))
        #expect(report.text().contains("0.85 (source stated by the script: my blog)"))
    }
}
