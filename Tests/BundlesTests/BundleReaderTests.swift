import AuthorizationCore
import Bundles
import Foundation
import JSONText
import SimPrimitives
import Simulation
import Testing

@Suite("A bundle reader")
struct BundleReaderTests {
    @Test("accepts the contract's scenario as it stands")
    func contract() throws {
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let bundle = try Workplace.reader.read(scenarioPath: path)
        let scenario = bundle.scenario
        #expect(scenario.name == "progressive-ask")
        #expect(scenario.deviceCount == 100_000)
        #expect(scenario.duration == .days(30))
        #expect(scenario.seed == 42)
        #expect(scenario.iosMix.map(\.value.description) == ["16.7", "17.6", "18.5"])
        #expect(scenario.iosMix.map(\.weight) == [1, 3, 6])
        #expect(scenario.personas.map(\.name) == ["accepts", "depends", "refuses"])
        #expect(scenario.personas.map(\.behavior) == [0, 0, 0])
        #expect(
            scenario.personas[1].options == [
                ScriptOption(
                    name: "grant_share", value: .number(0.55), isAssumed: false, isGiven: true),
                ScriptOption(
                    name: "once_share", value: .number(0.2), isAssumed: false, isGiven: true),
                ScriptOption(name: "opens_per_day", value: .number(1.2), isAssumed: false),
            ])
        #expect(scenario.scripts.map(\.name) == ["archetype.lua", "progressive.lua"])
        #expect(scenario.app.strategy == 1)
        #expect(scenario.app.capabilities.hasLocationBackgroundMode)
        #expect(scenario.app.temporaryPurposeKeys == ["arrival", "parking"])
        #expect(
            scenario.app.usageTexts == [
                "", "Shows the stores around you.", "Tells you when you pass a store.",
            ])
        #expect(scenario.features == ["store_finder", "arrival_alerts"])
        #expect(scenario.funnels.map(\.name) == ["funnel", "alerts"])
        #expect(scenario.funnels[1].window == .days(14))
        #expect(scenario.zone.startUnixSeconds == 1_767_567_600)
        #expect(scenario.checkEvery == .hours(1))
        #expect(bundle.arms.map(\.name) == ["base", "on-launch", "patient"])
        let strategies = bundle.arms.map { $0.scenario.scripts[$0.scenario.app.strategy].name }
        #expect(strategies == ["progressive.lua", "ask_on_launch.lua", "progressive.lua"])
        #expect(bundle.arms[2].scenario.app.options[0].value == .number(10))
        #expect(
            scenario.interventions == [
                Intervention(
                    at: .start + .days(10), condition: .visible(1 << 4),
                    where: "status = authorizedAlways", share: 0.05,
                    .act(.settings(.whileUsing))),
                Intervention(at: .start + .days(20), share: 0.3, .act(.upgradeOS(.v26))),
            ])
        #expect(
            scenario.thresholds.map(\.condition) == [
                .comparison(
                    FleetComparison(
                        .share(.visible(1 << 4)), .greater, 0.1, text: "share(authorizedAlways)")),
                .comparison(FleetComparison(.scriptFailures, .equal, 0, text: "script_failures")),
            ])
        #expect(scenario.endWhen == nil)
    }

    @Test("reads a bundle back from its manifest and blobs, with the same hash and arms")
    func manifests() throws {
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let bundle = try Workplace.reader.read(scenarioPath: path)
        let blobs = Dictionary(bundle.blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        let read = try Workplace.reader.read(manifest: Array(bundle.manifest.utf8)) { blobs[$0] }
        #expect(read.sha256 == bundle.sha256)
        #expect(read.blobs == bundle.blobs)
        #expect(read.arms.map(\.name) == bundle.arms.map(\.name))
        for (one, other) in zip(read.arms, bundle.arms) {
            #expect(one.scenario.personas.map(\.options) == other.scenario.personas.map(\.options))
            #expect(one.scenario.app.options == other.scenario.app.options)
            #expect(one.scenario.zone == other.scenario.zone)
            #expect(one.scenario.interventions == other.scenario.interventions)
        }
    }

    @Test("carries the Info.plists that the app is updated to, each once")
    func updates() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        try workplace.write("old.plist", "{ NSLocationWhenInUseUsageDescription = Here; }")
        try workplace.write(
            "new.plist",
            """
            { NSLocationWhenInUseUsageDescription = Here; UIBackgroundModes = (location);
              NSLocationTemporaryUsageDescriptionDictionary = { Trip = "The trip"; }; }
            """)
        let update = { (at: String, file: String) in
            "{ at: '\(at)', do: 'update_app', value: '\(file).plist' }"
        }
        let changes = [update("1d", "new"), update("2d", "old"), update("3d", "new")]
        let text = plain("interventions: [\(changes.joined(separator: ", "))],")
            .replacingOccurrences(of: "apps/store-finder/Info.plist", with: "old.plist")
        let bundle = try workplace.read(text)
        let scenario = bundle.arms[0].scenario
        #expect(
            scenario.interventions.map(\.action) == [.updateApp(0), .updateApp(1), .updateApp(0)])
        #expect(scenario.updates.map(\.capabilities.hasLocationBackgroundMode) == [true, false])
        #expect(scenario.updates.map(\.temporaryPurposeKeys) == [["Trip"], []])
        #expect(!scenario.app.capabilities.hasLocationBackgroundMode)
        let names = bundle.blobs.filter { $0.kind == .infoPlist }.map(\.name)
        #expect(names == ["old.plist", "new.plist"])

        let blobs = Dictionary(bundle.blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        let read = try Workplace.reader.read(manifest: Array(bundle.manifest.utf8)) { blobs[$0] }
        #expect(read.sha256 == bundle.sha256)
        #expect(read.blobs == bundle.blobs)
        #expect(read.arms[0].scenario.updates == scenario.updates)
        #expect(read.arms[0].scenario.interventions == scenario.interventions)
        #expect(read.arms[0].scenario.app.capabilities == scenario.app.capabilities)
    }

    @Test("reads scripts that interventions bring, and travels with them")
    func scripts() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        try workplace.write(
            "late.lua", "return {\n  options = {\n    pace = { default = 3, max = 9 },\n  },\n}")
        let text = plain(
            """
            interventions: [
              { at: "3d", do: "options", value: { grant_share: 0.25 }, where: "grant_share > 0.5" },
              { at: "1d", do: "strategy", value: "late.lua", share: 0.5, options: { pace: 4 } },
              { at: "2d", do: "app_options", value: { is_polite: false, primer: "" }, where: "arm = x" },
              { at: "4d", do: "strategy", value: "progressive.lua", where: "pace = 1" },
            ],
            arms: [{ name: "x", set: {
              interventions: [{ at: "1d", do: "behavior", value: "archetype.lua" }] } }],
            """)
        let bundle = try workplace.read(text)
        let scenario = bundle.scenario
        #expect(
            scenario.interventions.map(\.action.kind) == [
                .strategy, .appOptions, .options, .strategy,
            ])
        #expect(scenario.interventions.map(\.file) == ["late.lua", "", "", "progressive.lua"])
        let change = try #require(scenario.interventions[0].action.change)
        #expect(change.options.map(\.value) == [.number(4)])
        #expect(scenario.index(of: change.source) == 2)
        #expect(
            scenario.interventions[3].action.change.flatMap { scenario.index(of: $0.source) } == 1)
        #expect(bundle.blobs.map(\.name).contains("late.lua"))
        let blobs = Dictionary(bundle.blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        let read = try Workplace.reader.read(manifest: Array(bundle.manifest.utf8)) { blobs[$0] }
        #expect(read.sha256 == bundle.sha256)
        #expect(
            read.arms.map(\.scenario.interventions) == bundle.arms.map(\.scenario.interventions))
        #expect(read.arms.map(\.scenario.declarations) == bundle.arms.map(\.scenario.declarations))
    }

    @Test("reads back every request of a client in the words in which journals keep it")
    func words() throws {
        let values: [Bundles.Bundle.RequestedValue?] = [
            nil, .null, .bool(true), .number(-0.5), .string("a \"b\""),
            .object([.init("x", .number(1)), .init("y", .string("")), .init("z", .bool(false))]),
        ]
        for value in values {
            for options in values {
                let words = InterventionWords(
                    do: "strategy", value: value, where: "day > 3", share: 0.25,
                    sha256: options == nil ? nil : "00", options: options)
                let read = try #require(
                    InterventionWords(try JSONReader.read(Array(words.text.utf8), as: .json)))
                #expect(read.text == words.text)
                #expect((read.value, read.options) == (value, options))
                #expect(read.sha256 == words.sha256 && read.condition == "day > 3")
            }
        }
    }

    @Test("reads a move to a new phone, and what decisions come to")
    func migration() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let more = "interventions: [{ at: '1d', do: 'migrate_device' }], "
        let scenario = try workplace.read(
            plain(more + "rules: { migration_keeps_decisions: false },")
        ).arms[0].scenario
        #expect(scenario.interventions.map(\.action) == [.act(.migrateDevice)])
        #expect(!scenario.rules.migrationKeepsDecisions)
    }

    @Test("refuses a bundle whose arms are not arms of its scenario")
    func foreignArms() throws {
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let sets: [(key: String, value: String)] = [
            ("personas", "[{ name: 'other' }]"), ("devices", "7"), ("seed", "1"),
            ("duration", "1d"), ("ios", "[['26.0', 1]]"), ("zone", "UTC"), ("funnels", "[]"),
            ("check_every", "2h"), ("end_when", "day > 3"),
            ("name", "other"),
        ]
        let bundle = try Workplace.reader.read(scenarioPath: path)
        for set in sets {
            let other = try Workplace.reader.read(
                scenarioPath: path,
                overrides: Overrides(sets: [set, (key: "arms", value: "[]")]))
            var blobs = Dictionary((bundle.blobs + other.blobs).map { ($0.sha256, $0.bytes) }) {
                first, _ in first
            }
            let foreign = Array(other.manifest.utf8)
            blobs[other.sha256] = foreign
            let arm = try #require(bundle.blobs.last { $0.kind == .arm })
            let manifest = bundle.manifest.replacingOccurrences(
                of: arm.sha256, with: other.sha256)
            let error = #expect(throws: BundleError.self, "\(set.key)") {
                try Workplace.reader.read(manifest: Array(manifest.utf8)) { blobs[$0] }
            }
            #expect(
                error?.message.contains("an arm has the people") == true, "\(set.key): \(error!)")
        }
    }

    @Test("refuses a bundle without a blob, with a wrong one, or in another form")
    func brokenManifests() throws {
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let bundle = try Workplace.reader.read(scenarioPath: path)
        let blobs = Dictionary(bundle.blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        for blob in bundle.blobs {
            #expect(throws: BundleError.self) {
                try Workplace.reader.read(manifest: Array(bundle.manifest.utf8)) {
                    $0 == blob.sha256 ? nil : blobs[$0]
                }
            }
        }
        for text in [
            "", "[]", "{}", "{\"manifest\":1}", bundle.manifest + " ",
            bundle.manifest.replacingOccurrences(of: "\"manifest\":", with: "\"manifest\":9"),
            bundle.manifest.replacingOccurrences(of: "\"seed\":42", with: "\"seed\":42.0"),
        ] {
            #expect(throws: BundleError.self, "\(text.prefix(40))") {
                try Workplace.reader.read(manifest: Array(text.utf8)) { blobs[$0] }
            }
        }
    }
}
