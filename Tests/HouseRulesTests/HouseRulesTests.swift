import Foundation
import TestSupport
import Testing

/// Rules about the code itself. A rule that a test can hold is worth ten in a document.
@Suite("House rules")
struct HouseRulesTests {
    /// Modules whose results must depend on their arguments alone.
    static let pureModules = [
        "SimPrimitives", "AuthorizationCore", "DeviceCore", "Metrics", "Simulation", "DryRun",
    ]

    /// What would let a clock, chance, the outside world, libm or hash order in. A blunt net: it
    /// catches the honest slip, and review catches the rest.
    static let impureWords = [
        "import Foundation", "import Dispatch", "import Glibc", "import Synchronization", "Date(",
        "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", ".random(in:",
        ".shuffled(", ".randomElement(", ".hashValue", "Hasher(", "Dictionary<", "Set<",
        "Dictionary(", "Set(", "print(", "ObjectIdentifier(", ".squareRoot(of", "Foundation.",
    ]

    @Test("pure modules stay pure", arguments: pureModules)
    func purity(_ module: String) throws {
        for (imported, place) in try SourceFiles.imports(under: "Sources/\(module)")
        where imported != "CSleef" && !Self.pureModules.contains(imported) {
            Issue.record("\(place): \(imported) is not pure")
        }
        for line in try SourceFiles.lines(under: "Sources/\(module)") {
            for word in Self.impureWords where containsWord(word, in: line.code) {
                Issue.record("\(line.place): '\(word)' has no place in a pure module")
            }
        }
    }

    /// Look-up tables that nothing iterates over where its order can be seen: names of a block, and
    /// counts under names, which are sorted before they are shown.
    static let tables = [
        "Sources/Simulation/FleetMetrics.swift": [
            "features", "milestones", "counters", "histograms",
        ],
        "Sources/Simulation/NameTable.swift": ["numbers"],
        "Sources/Simulation/CastTable.swift": [
            "numbers", "strategyNumbers", "nextBehaviors", "nextStrategies",
        ],
    ]

    @Test("hash order stays out of pure modules", arguments: pureModules)
    func hashOrder(_ module: String) throws {
        let dictionary = /\[[A-Za-z.]+\s?:\s?[A-Za-z.\[\]?]+\](\(\))?(\s|$|\?|,|\))/
        for path in try SourceFiles.paths(under: "Sources/\(module)", endings: ["swift"]) {
            for line in try SourceFiles.lines(of: path) {
                if Self.tables[path] == nil {
                    #expect(
                        !line.code.contains(dictionary),
                        "\(line.place): a dictionary has no place in a pure module")
                }
                for name in Self.tables[path] ?? [] {
                    for use in ["in \(name) ", "in \(name).", "\(name).keys", "\(name).values"]
                    where line.code.contains(use) {
                        Issue.record("\(line.place): '\(use)' would go by hash order")
                    }
                }
            }
        }
    }

    /// The map of the modules, from the bottom up. A module imports from lower layers alone.
    static let layers = [
        ["CLua", "CSleef", "CCrypto", "CGlibc", "CSQLite", "CMicrohttpd"],
        ["CLuaShim", "SimPrimitives", "JSONText"],
        ["AuthorizationCore", "Metrics", "ControlProtocol"],
        ["DeviceCore"],
        ["Simulation"],
        ["Telemetry", "Bundles", "LuaScripting", "Conformance", "ScriptAPI", "DryRun"],
        ["Lint"],
        ["Check"],
        ["Reports", "DaemonRuntime", "ScriptTests", "Shards", "StateStore"],
        ["ControlService"],
        ["Commands"],
        ["locfleet", "locfleetd", "locfleet-bench"],
    ]

    @Test("arrows of the module map point down")
    func layering() throws {
        let sources = projectRoot.appending(path: "Sources").path(percentEncoded: false)
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources).filter {
            SourceFiles.isFolder(projectRoot.appending(path: "Sources/\($0)"))
        }
        #expect(folders.sorted() == Self.layers.joined().sorted(), "the map and Sources differ")
        for (level, modules) in Self.layers.enumerated() {
            for module in modules where folders.contains(module) {
                for (imported, place) in try SourceFiles.imports(under: "Sources/\(module)") {
                    let other = Self.layers.firstIndex { $0.contains(imported) }
                    #expect(
                        other.map { $0 < level } ?? true,
                        "\(place): \(module) stands no higher than \(imported)")
                }
            }
        }
    }

    /// Who may import what touches the outside, or what needs care.
    static let owners = [
        "Dispatch": ["DaemonRuntime"],
        "Synchronization": ["DaemonRuntime", "ControlService", "StateStore"],
        "Foundation": [
            "Bundles", "DaemonRuntime", "ControlService", "Commands", "locfleet", "locfleetd",
            "locfleet-bench",
        ],
        // A Lua error is a longjmp: whatever may raise one is C.
        "CLua": [],
        "CLuaShim": ["LuaScripting", "locfleet-bench"],
        "CSleef": ["SimPrimitives"],
        "CCrypto": ["Bundles"],
        "CGlibc": ["DaemonRuntime"],
        "CMicrohttpd": ["DaemonRuntime"],
        "XCTest": [],
    ]

    @Test(
        "threads, the outside world and C have their places", arguments: Self.owners.keys.sorted())
    func ownership(_ module: String) throws {
        for (imported, place) in try SourceFiles.imports(under: "Sources")
        where imported == module {
            let target = String(place.split(separator: "/")[1])
            #expect(
                Self.owners[module]?.contains(target) ?? true,
                "\(place): \(module) is not for \(target)")
        }
    }

    /// For the language server, whose form breaks no lines: `locfleet api --annotations`. And for
    /// shells, which nobody reads: `locfleet help --generate`.
    private static let generated = ["scripts/locfleet.d.lua", "config/completions/"]

    @Test("no line is wider than 100 columns", arguments: ["Sources", "scripts", ".ci", "config"])
    func lineWidth(_ folder: String) throws {
        let endings = SourceFiles.sourceEndings + ["json5", "modulemap"]
        for line in try SourceFiles.lines(under: folder, endings: endings)
        where line.text.count > 100 && !line.place.hasPrefix("config/reference-workload/")
            && !Self.generated.contains(where: { line.place.hasPrefix($0) })
        {
            Issue.record("\(line.place): \(line.text.count) columns")
        }
    }

    @Test("a script to copy is shorter than 120 lines", arguments: ["behaviors", "strategies"])
    func scriptLength(_ folder: String) throws {
        for path in try SourceFiles.paths(under: "scripts/\(folder)") {
            let count = try SourceFiles.lines(of: path).count - 1
            #expect(count < 120, "\(path): \(count) lines")
        }
    }

    @Test("no file is longer than 400 lines", arguments: ["Sources", "Tests", "scripts"])
    func fileLength(_ folder: String) throws {
        for path in try SourceFiles.paths(under: folder) where !Self.generated.contains(path) {
            let count = try SourceFiles.lines(of: path).count - 1
            #expect(count <= 400, "\(path): \(count) lines; look for the second idea in it")
        }
    }

    /// Put together here, so that this file does not find itself.
    static let bannedTexts =
        ["work", "farm", "home", "root", "Users"].map { "/\($0)/" }
        + ["TO", "FIX", "XX"].map { $0 + ($0 == "TO" ? "DO" : $0 == "FIX" ? "ME" : "X") }

    @Test("no file holds a path of one machine, or work left for later")
    func banned() throws {
        let endings = SourceFiles.sourceEndings + ["json5", "md", "plist", "modulemap"]
        let folders = try ["Sources", "Tests", "scripts", ".ci", "config"].flatMap {
            try SourceFiles.lines(under: $0, endings: endings)
        }
        let top = try ["README.md", "CHANGELOG.md", "Package.swift"].flatMap {
            try SourceFiles.lines(of: $0)
        }
        for line in folders + top {
            for text in Self.bannedTexts where line.text.contains(text) {
                Issue.record("\(line.place): '\(text)'")
            }
        }
    }

    /// Whether `word` stands in `code` and does not end a longer name: `Set(` is not `HookSet(`.
    private func containsWord(_ word: String, in code: Substring) -> Bool {
        code.ranges(of: word).contains { range in
            guard word.first?.isLetter == true, range.lowerBound > code.startIndex else {
                return true
            }
            let before = code[code.index(before: range.lowerBound)]
            return !(before.isLetter || before.isNumber || before == "_")
        }
    }
}
