import Bundles
import Foundation
import JSONText
import SimPrimitives
import Simulation
import Testing

@Suite("A bundle's hash")
struct ManifestTests {
    let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func hash(_ text: String, _ sets: [(key: String, value: String)] = []) throws -> String
    {
        try workplace.read(text, Overrides(sets: sets)).sha256
    }

    @Test("is the same on every machine: the contract's scenario has this one")
    func golden() throws {
        defer { workplace.remove() }
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let bundle = try Workplace.reader.read(scenarioPath: path)
        #expect(
            bundle.sha256 == "f8be8938531ee318c58f9f6f87e666f46901da9df01bd81924d7d565e0679426",
            "the manifest has changed: raise Manifest.version\n\(bundle.manifest)")
    }

    @Test("does not depend on the order of keys, on comments, spelling or defaults written out")
    func sameScenario() throws {
        defer { workplace.remove() }
        let other = """
            /* another hand */ {
              'app': { strategy: 'progressive.lua', info_plist: 'apps/store-finder/Info.plist',
                       options: {} , features: [] },
              personas: [{ weight: 1.0, name: "\\u0061ll", behavior: "archetype.lua" }],
              devices: 1e1, seed: 0x1, duration: "720h", name: "x", zone: "UTC",
              ios: [["18.5", 1]], start: "2026-01-05", rules: { wake_run_seconds: 10 },
              delays: { answer: "3000ms" }, check_every: "60m", arms: [], end_when: null,
              thresholds: [], interventions: [], funnels: [], script_failures: { end_run_after: null },
            }
            """
        #expect(try hash(plain()) == hash(other))
    }

    @Test("depends on every value that is laid over")
    func overrides() throws {
        defer { workplace.remove() }
        let sets: [(key: String, value: String)] = [
            ("name", "y"), ("seed", "2"), ("devices", "11"), ("duration", "31d"),
            ("start", "2026-01-06"), ("zone", "Europe/Berlin"), ("ios", "[['17.6', 1]]"),
            ("personas.all.options.grant_share", "0.7"), ("personas.0.weight", "2"),
            ("app.name", "y"), ("app.strategy", "ask_on_launch.lua"),
            ("app.options.is_polite", "false"), ("app.features", "['x']"),
            ("app.app_clip", "true"),
            ("rules.wake_run_seconds", "11"), ("rules.prompt_on_leave", "stay"),
            ("delays.position", "3s"), ("delays.position_failure_share", "0.02"),
            ("check_every", "2h"), ("script_failures.end_run_after", "5"),
            ("funnels", "[{ name: 'f', steps: ['opened'] }]"), ("end_when", "day > 3"),
            ("thresholds", "['day > 3']"), ("arms", "[{ name: 'a', set: {} }]"),
            ("interventions", "[{ at: '1d', do: 'reboot' }]"),
        ]
        var hashes: Set<String> = [try hash(plain())]
        for set in sets {
            #expect(hashes.insert(try hash(plain(), [set])).inserted, "\(set.key)")
        }
    }

    @Test("depends on the bytes of the files, and not on where they were found")
    func files() throws {
        defer { workplace.remove() }
        let before = try hash(plain())
        let library = Workplace.data.appendingPathComponent("library/scripts/strategies")
        let bytes = [UInt8](
            try Data(contentsOf: library.appendingPathComponent("progressive.lua")))
        try workplace.write("progressive.lua", bytes)
        #expect(try hash(plain()) == before)
        try workplace.write("progressive.lua", bytes + [0x0A])
        #expect(try hash(plain()) != before)
    }

    @Test("is of a manifest that names the files with their hashes, keys in order")
    func manifest() throws {
        defer { workplace.remove() }
        let bundle = try workplace.read(plain())
        #expect(
            bundle.blobs.map(\.name) == [
                "archetype.lua", "progressive.lua", "apps/store-finder/Info.plist",
            ])
        #expect(bundle.blobs.map(\.kind) == [.behavior, .strategy, .infoPlist])
        for blob in bundle.blobs {
            #expect(bundle.manifest.contains("\"sha256\":\"\(blob.sha256)\""))
        }
        let root = try JSONReader.read(Array(bundle.manifest.utf8), as: .json)
        guard case .object(let members) = root.value else {
            Issue.record("a manifest is an object")
            return
        }
        #expect(members.map(\.name) == members.map(\.name).sorted())
    }

    @Test("is explained: every key of the manifest is in config/README.md")
    func documented() throws {
        defer { workplace.remove() }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("config/README.md")
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let root = try JSONReader.read(Array(try workplace.read(plain()).manifest.utf8), as: .json)
        guard case .object(let members) = root.value else { return }
        for member in members where member.name == "rules" || member.name == "delays" {
            guard case .object(let settings) = member.node.value else { continue }
            for setting in settings {
                let name = setting.name.replacingOccurrences(
                    of: "_us", with: "", options: [.anchored, .backwards])
                #expect(text.contains("`\(name)`"), "\(name)")
            }
        }
    }
}
