import Foundation
import TestSupport
import Testing

/// `locfleet-bench` as a user runs it, with few devices. What it measures is no test's business;
/// what it counts, refuses and holds against what is due is.
@Suite("The bench", .serialized)
struct BenchTests {
    /// The smallest with exact counts, and one for the rest.
    private static let exact = ["--sizes", "1000x3", "--rounds", "1"]
    private static let small = ["--sizes", "200x3", "--rounds", "1"]

    private static func bench(_ words: [String], in folder: URL = projectRoot) throws -> Program {
        try Program.started(words, executable: Program.url("locfleet-bench"), folder: folder)
            .ended()
    }

    /// The project's `config` in a folder of its own, one file of it another, and the native
    /// programs as they are built.
    private static func project(with text: String, in name: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let files = FileManager.default
        try files.copyItem(
            at: projectRoot.appending(path: "config"), to: folder.url.appending(path: "config"))
        try files.createSymbolicLink(
            at: folder.url.appending(path: ".build"),
            withDestinationURL: projectRoot.appending(path: ".build"))
        try folder.write(text, to: "config/bench/\(name)")
        return folder
    }

    private static func original(_ name: String) throws -> String {
        try String(
            contentsOf: projectRoot.appending(path: "config/bench/\(name)"), encoding: .utf8)
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("plays people and app in Swift as the scripts do: every record is the same")
    func sameRun() throws {
        let size = ["--devices", "300", "--days", "30"]
        let digests = try ["scripts", "swift"].map { players -> String in
            let run = try Self.bench(["--one", players] + size)
            #expect(run.status == 0, "\(run.error)")
            return try #require(Self.object(run.out)["digest"] as? String)
        }
        let scenario = "config/scenarios/reference-workload.json5"
        let report = try Self.object(
            Program.locfleet(["run", scenario, "--json"] + size).out)
        #expect(digests == [report["digest"] as? String, report["digest"] as? String])
    }

    @Test("runs the native programs and ours, and prints a row of each, and the figures")
    func rows() throws {
        let run = try Self.bench(Self.exact + ["--json"])
        #expect(run.status == 0, "\(run.error)")
        let page = try Self.object(run.out)
        let size = try #require((page["sizes"] as? [[String: Any]])?.first)
        let programs = try #require(size["programs"] as? [[String: Any]])
        #expect(
            programs.compactMap { $0["program"] as? String } == [
                "heap", "bucket", "window", "window_without_scripts", "scripts",
                "scripts_2_workers", "without_scripts",
            ])
        #expect(programs.prefix(4).allSatisfy { $0["events"] as? Int == 106_037 })
        let figures = try #require(page["figures"] as? [[String: Any]])
        #expect(
            figures.compactMap { $0["figure"] as? String } == [
                "ratio_to_heap", "ratio_to_bucket", "ratio_to_window",
                "ratio_to_window_without_scripts",
            ])
        for figure in figures { #expect(figure["median"] as? Double ?? 0 > 0, "\(figure)") }
    }

    /// The file that is changed, what stands in it, what does instead, and what is told.
    static let wrongCounts = [
        ("exact-counts.json5", "opens: 12233", "opens: 12234", "exactly 12234 is due"),
        (
            "acceptance.json5", "closes: { mean: 11.893963", "closes: { mean: 12.893963",
            "Locfleet, Lua, 1 worker, 1000 devices, 3 days: closes is"
        ),
    ]

    @Test("fails where a count is not what is due, and says which", arguments: wrongCounts)
    func wrongCount(_ name: String, _ text: String, _ other: String, _ told: String) throws {
        let changed = try Self.original(name).replacing(text, with: other)
        let folder = try Self.project(with: changed, in: name)
        let run = try Self.bench(Self.exact, in: folder.url)
        #expect(run.status == 3)
        #expect(run.error.contains(told), "\(run.error)")
    }

    /// What is recorded of figures that no machine reaches, or none misses.
    static let recorded: [(figure: String, value: String, status: Int32)] = [
        ("ratio_to_heap", "1000", 3), ("ratio_to_heap", "0.000001", 0),
        ("ratio_to_window_without_scripts", "1000", 3),
    ]

    @Test("fails where a figure is worse than recorded, and names both", arguments: recorded)
    func regression(_ figure: String, _ value: String, _ status: Int32) throws {
        let text = "{ \"\(figure)@200x3\": { \"value\": \(value), \"noise\": 0.05 } }"
        let folder = try Self.project(with: text, in: "recorded.json")
        let run = try Self.bench(Self.small, in: folder.url)
        #expect(run.status == status, "\(run.error)")
        #expect(run.error.contains("\(figure) at 200x3 is") == (status == 3), "\(run.error)")
        #expect(run.out.contains("200 devices, 3 days"), "\(run.out)")
        #expect(run.out.contains("WORSE than recorded") == (status == 3), "\(run.out)")
        #expect(run.out.contains("missed"), "what is due and not reached is told: \(run.out)")
    }

    @Test("records its figures beside those of other sizes, and reads them again")
    func recording() throws {
        let other = "{ \"ratio_to_heap@5x3\": { \"value\": 1.5, \"noise\": 0.05 } }"
        let folder = try Self.project(with: other, in: "recorded.json")
        for _ in 1...2 {
            let run = try Self.bench(Self.small + ["--record"], in: folder.url)
            #expect(run.status == 0, "\(run.error)")
            let text = try String(
                contentsOfFile: folder.path("config/bench/recorded.json"), encoding: .utf8)
            let entries = try #require(Self.object(text) as? [String: [String: Double]])
            #expect(entries.count == 5)
            #expect(entries["ratio_to_heap@5x3"] == ["value": 1.5, "noise": 0.05])
            #expect(entries["ratio_to_window@200x3"]?["noise"] ?? 0 >= 0.15)
        }
    }

    /// The file that is wrong, its text, and what is told of it.
    static let wrongFiles = [
        ("thresholds.json5", "[{ figure: \"ratio\" }]", "thresholds.json5:1:12: \"figure\" is one"),
        (
            "thresholds.json5", "[{ figure: \"ratio_to_heap\", most: 1 }]",
            "thresholds.json5:1:2: \"least\" is due here, a number"
        ),
        (
            "thresholds.json5", "[{ figure: \"ratio_to_heap\", leest: 1 }]",
            "no member is called \"leest\": did you mean \"least\"?"
        ),
        ("thresholds.json5", "{}", "thresholds.json5:1:1: a list is due here"),
        (
            "thresholds.json5", "[{ figure: \"ratio_to_heap\", size: 5, least: 1 }]",
            "\"size\" is a text"
        ),
        ("recorded.json", "{ \"a\": 5 }", "recorded.json:1:8: an object is due here"),
        ("recorded.json", "{", "recorded.json:1:2: "),
        (
            "recorded.json", "{ \"a\": { value: 5, noise: 0 } }",
            "recorded.json:1:"
        ),
        (
            "recorded.json", "{ \"ratio_to_heap@10x3\": { \"value\": 1e999, \"noise\": 0 } }",
            "\"value\" is a number from 0 on"
        ),
        (
            "recorded.json", "{ \"ratio_to_heap@10x3\": { \"value\": 1, \"noise\": -1 } }",
            "\"noise\" is a number from 0 on"
        ),
        ("exact-counts.json5", "[]", "exact-counts.json5: counts of some size are due here"),
        ("acceptance.json5", "{}", "acceptance.json5:1:1: rows for 3 days are due here"),
        (
            "acceptance.json5", "{ \"3\": { opens: { mean: \"x\", sd: 1 } } }",
            "acceptance.json5:1:25: \"mean\" is a number"
        ),
        ("exact-counts.json5", "[{ devices: 1 }]", "exact-counts.json5:1:2: \"days\" is due here"),
        (
            "exact-counts.json5", "[{ devices: -1, days: 3, counts: {} }]",
            "exact-counts.json5:1:13: \"devices\" is a whole number"
        ),
    ]

    @Test("names the place of what is wrong in its files", arguments: wrongFiles)
    func wrongFile(_ name: String, _ text: String, _ told: String) throws {
        let folder = try Self.project(with: text, in: name)
        let run = try Self.bench(Self.small, in: folder.url)
        #expect(run.status == 2)
        #expect(run.error.contains(told), "\(run.error)")
    }

    @Test("has every option that documents and scripts name, and says what each is")
    func help() throws {
        let help = try Self.bench(["--help"])
        #expect(help.status == 0)
        var named = Set<String>()
        for path in [
            "README.md", "CHANGELOG.md", "Sources/DECISIONS.md", "config/README.md", "scripts/test",
            "scripts/dev/bench", "scripts/dev/soak", "config/bench/thresholds.json5",
        ] {
            let text = try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /(?:locfleet-bench|scripts\/dev\/bench) (--[a-z]+)/) {
                named.insert(String(match.output.1))
            }
        }
        #expect(named.count >= 5)
        for option in named.subtracting(["--help"]) {
            #expect(help.out.contains("  \(option) "), "\(option)")
        }
    }

    static let wrongWords: [(words: [String], told: String)] = [
        (["--sizes", "0"], "--sizes takes numbers of devices in 1 ... 10000000"),
        (["--sizes", "1000x7"], "not '1000x7'"), (["--sizes", ""], "not ''"),
        (["--sizes", "1000,,2000"], "not ''"), (["--rounds", "0"], "--rounds is a whole number"),
        (["--size", "5"], "did you mean --sizes?"), (["1000"], "takes options only"),
        (["--devices", "5"], "the reference workload has no --devices; it takes --sizes"),
        (["--instructions", "--rounds", "2"], "--instructions does not take --rounds"),
        (["--one", "lua"], "--one takes scripts or swift"),
        (["--one", "swift", "--epoch", "0s"], "--epoch is a span"),
    ]

    @Test("refuses what it does not know, or would not look at", arguments: wrongWords)
    func wrongUsage(_ words: [String], _ told: String) throws {
        let run = try Self.bench(words)
        #expect(run.status == 2)
        #expect(run.error.contains(told), "\(run.error)")
    }

    @Test("says where to run it from, and what it lacks")
    func elsewhere() throws {
        let folder = try ScratchFolder()
        let run = try Self.bench([], in: folder.url)
        #expect(run.status == 2)
        #expect(run.error.contains("run locfleet-bench in the project's folder"), "\(run.error)")
        let bare = try Program.started(
            Self.small, environment: ["PATH": folder.path("")],
            executable: Program.url("locfleet-bench")
        ).ended()
        #expect(bare.status == 1)
        #expect(
            bare.error.contains("not installed: make, g++, pkg-config"), "\(bare.error)")
        #expect(bare.error.contains("scripts/dev/setup"), "\(bare.error)")
    }
}
