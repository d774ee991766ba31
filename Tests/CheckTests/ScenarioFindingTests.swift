import Bundles
import Check
import Foundation
import TestSupport
import Testing

@Suite("The check of a scenario")
struct ScenarioFindingTests {
    static let person = "return { answer_prompt = function(_, p) return p.choices[1] end }"

    @Test("tells the errors of the scenario, of each script and of each list, all at once")
    func everything() throws {
        let found = try findings(
            scenario: """
                {
                  devices: 0,
                  dayz: 3,
                  personas: [{ name: "p", behavior: "b.lua", options: { nothing: 1 } }],
                  app: { info_plist: "Info.plist", strategy: "s.lua" },
                }
                """,
            [
                "b.lua": "return {\n answer_promt = print, tapped = print }",
                "s.lua": "return {", "Info.plist": "<plist><dict></plist>",
            ])
        let told = found.map { "\($0.code.rawValue) \($0.file.split(separator: "/").last ?? "")" }
        #expect(
            Set(told) == [
                "invalid_value s.json5", "unknown_key s.json5", "unknown_hook b.lua",
                "other_kinds_hook b.lua", "missing_hook b.lua", "syntax s.lua",
                "malformed_plist Info.plist",
            ])
        #expect(found.allSatisfy { $0.severity == .error })
        #expect(found.first { $0.code == .invalidValue }?.line == 2)
        #expect(found.first { $0.code == .invalidValue }?.key == "devices")
    }

    @Test("tells of a bad zone also beside a bad start")
    func startAndZone() throws {
        let found = try findings(
            scenario: scenario(more: "start: \"2026-02-30\", zone: \"Europe/Berlni\","))
        #expect(found.map(\.key) == ["start", "zone"])
    }

    @Test("runs scripts, and lints lists, also where the scenario cannot be read")
    func unreadable() throws {
        let found = try findings(
            scenario: scenario(behavior: "b.lua", plist: "Info.plist", more: "dayz: 3,"),
            [
                "b.lua": "return { answer_prompt = function() return 'yes' end }",
                "Info.plist": """
                <plist><dict><key>NSLocationWhenInUseUsageDescription</key><true/>
                <key>NSLocationAlwaysUsageDescription</key><true/></dict></plist>
                """,
            ])
        #expect(found.contains { $0.code == .unknownKey && $0.key == "dayz" })
        #expect(found.contains { $0.code == .absentChoice })
        let keys = Set(found.filter { $0.file.hasSuffix("Info.plist") }.map(\.key))
        #expect(
            keys == ["NSLocationWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription"])
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let code: CheckFinding.Code
        let severity: CheckFinding.Severity
        let text: String
        let clean: String
        let says: String
        var testDescription: String { "\(code.rawValue): \(says)" }

        init(
            _ code: CheckFinding.Code, as severity: CheckFinding.Severity = .error, _ text: String,
            clean: String = scenario(), says: String
        ) {
            (self.code, self.severity, self.text) = (code, severity, text)
            (self.clean, self.says) = (clean, says)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row(.malformedJSON, "{ devices: }", says: "value"),
        Row(.missingKey, "{}", says: "devices"),
        Row(.unknownKey, scenario(more: "dayz: 3,"), says: "dayz"),
        Row(.unknownKey, scenario(options: "upgrade_after_use: 3"), says: "did you mean \"upgrade_after_uses\"?"),
        Row(.invalidValue, scenario(ios: "20.0"), says: "19 to 25 never existed"),
        Row(.invalidValue, scenario(options: "upgrade_after_uses: -1"), says: "0 to 1,000"),
        Row(.missingFile, scenario(strategy: "nowhere.lua"), says: "there is no such file"),
        Row(.missingFile, scenario(strategy: "progresive.lua"), says: "did you mean \"progressive.lua\"?"),
        Row(.missingFile, scenario(strategy: "progressive"), says: "did you mean \"progressive.lua\"?"),
        Row(.missingFile, scenario(behavior: "archtype.lua"), says: "did you mean \"archetype.lua\"?"),
        Row(.missingFile, scenario(plist: "apps/store-finder/Info.plst"), says: "there is no such file; looked"),
        Row(.unknownKey, scenario(strategy: "value_first.lua", options: "upgrade_after_uses: 3"), says: "take out those of another"),
        Row(.duplicateName, scenario(more: "funnels: [{ name: \"f\", steps: [\"opened\"] }, { name: \"f\", steps: [\"opened\"] }],"), says: "twice"),
        Row(.tooMany, scenario(more: "ios: [\((0...64).map { _ in "[\"18.5\", 1]" }.joined(separator: ","))],").replacing("ios: [[\"18.5\", 1]], ", with: ""), says: "64"),
        Row(.unmadeStep, as: .warning, scenario(more: "funnels: [{ name: \"f\", steps: [\"milestone:explaned\"] }],"), clean: scenario(more: "funnels: [{ name: \"f\", steps: [\"milestone:explained\"] }],"), says: "did you mean 'explained'?"),
    ]

    @Test("finds what is wrong, and nothing where it is right", arguments: rows)
    func finds(_ row: Row) throws {
        let found = try findings(scenario: row.text)
        let match = found.first { $0.code == row.code }
        #expect(match?.reason.contains(row.says) == true, "found \(found)")
        #expect(match?.severity == row.severity)
        #expect(try findings(scenario: row.clean).filter { $0.severity != .note } == [])
    }

    @Test("plays scripts on the scenario's versions with its options")
    func mix() throws {
        let files = ["b.lua": "return { answer_prompt = function() return 'allow' end }"]
        #expect(
            try findings(scenario: scenario(behavior: "b.lua", ios: "18.5"), files)
                .contains { $0.code == .absentChoice })
        let chance = """
            return { options = { p = { default = 0.5, about = "a", unit = "share" } },
              answer_prompt = function(_, prompt, person)
                return rng.chance(person.options.p) and prompt.choices[1] or prompt.choices[2]
              end }
            """
        let text = scenario(behavior: "b.lua").replacing(
            "behavior: \"b.lua\"", with: "behavior: \"b.lua\", options: { p: 1.5 }")
        let found = try findings(scenario: text, ["b.lua": chance])
        #expect(found.first?.code == .probability)
        #expect(found.first?.line == 3)
    }

    @Test("plays the scripts of every arm")
    func arms() throws {
        let text = scenario(
            more: "arms: [{ name: \"other\", set: { \"app.strategy\": \"s.lua\" } }],")
        let found = try findings(
            scenario: text, ["s.lua": "return { launched = function() error('no') end }"])
        #expect(found.first?.code == .failingHook)
        #expect(found.first?.file.hasSuffix("/s.lua") == true)
    }

    @Test("names the arms of what is not so in all, and tells once what is")
    func namesArms() throws {
        let more = """
            arms: [{ name: "one", set: { "app.strategy": "s.lua" } },
                   { name: "two", set: { "app.strategy": "s.lua" } }],
            """
        let strategy = "return { launched = function() end, primer_answered = function() end }"
        let behavior = "return { answer_prompt = function() error('no') end }"
        let found = try findings(
            scenario: scenario(behavior: "b.lua", more: more),
            ["s.lua": strategy, "b.lua": behavior])
        #expect(found.filter { $0.code == .untriedHook }.map(\.arms) == [["one", "two"]])
        #expect(found.filter { $0.code == .failingHook }.map(\.arms) == [[]])
    }

    @Test("knows the steps of people")
    func peoplesSteps() throws {
        let behavior = """
            return { born = function() funnel.step("day_" .. "seen") end,
              answer_prompt = function(_, p) return p.choices[1] end }
            """
        let steps = { (step: String) in
            scenario(
                behavior: "b.lua",
                more: "funnels: [{ name: \"f\", steps: [\"milestone:\(step)\"] }],")
        }
        let wrong = try findings(scenario: steps("day_sen"), ["b.lua": behavior])
        let finding = wrong.first { $0.code == .unmadeStep }
        #expect(finding?.reason.hasSuffix("did you mean 'day_seen'?") == true)
        let right = try findings(scenario: steps("day_seen"), ["b.lua": behavior])
        #expect(!right.contains { $0.code == .unmadeStep })
    }

    @Test("warns of a service of iOS 17 until the strategy asks for the version")
    func services() throws {
        let add =
            "CLMonitor('places'):add { identifier = 's', latitude = 1, longitude = 2, radius = 9 }"
        for (body, severities) in [
            (add, [CheckFinding.Severity.warning]),
            ("if app.available('17.0') then \(add) end", [.note]),
            ("if app.ios >= 17 then \(add) end", [.note]),
        ] {
            let found = try findings(
                scenario: scenario(strategy: "s.lua", ios: "16.7"),
                ["s.lua": "return { launched = function(self, app) \(body) end }"])
            #expect(found.filter { $0.lint == "absent_service" }.map(\.severity) == severities)
            #expect(found.contains { $0.code == .absentCall } == (body == add), "\(body)")
        }
    }

    @Test("plays and lints on the versions that the person names, in place of the mix")
    func versions() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(scenario(ios: "16.7"), to: "s.json5")
        let report = fileCheck(ios: ["17.0", "17.1"]).report(path)
        #expect(report.versions.map(\.description) == ["17.0", "17.1"])
        #expect(report.findings.flatMap(\.versions).allSatisfy { $0.major == 17 })
    }

    @Test("holds the features that a strategy names against those of the scenario")
    func features() throws {
        let strategy = { (name: String) in
            """
            return { tapped = function(self, app, feature)
              if feature == "\(name)" then app:milestone("x") end
            end }
            """
        }
        let wrong = try findings(
            scenario: scenario(strategy: "s.lua"), ["s.lua": strategy("store_findr")])
        let finding = wrong.first { $0.code == .unknownFeature }
        #expect(finding?.reason.hasSuffix("did you mean 'store_finder'?") == true)
        #expect(finding?.line == 2 && finding?.severity == .warning)
        let right = try findings(
            scenario: scenario(strategy: "s.lua"), ["s.lua": strategy("store_finder")])
        #expect(!right.contains { $0.code == .unknownFeature })
    }

    @Test("lints the Info.plist with the strategy on the scenario's versions")
    func lint() throws {
        let found = try findings(
            scenario: scenario(plist: "apps/foreground-only/Info.plist"))
        let error = found.first { $0.lint == "missing_always_text" }
        #expect(error?.code == .plist)
        #expect(error?.versions.map(\.description) == ["18.5"])
    }

    @Test("has the words of a bundle's errors")
    func words() {
        for code in BundleError.Code.allCases {
            #expect(CheckFinding.Code(rawValue: code.rawValue) != nil, "\(code)")
        }
    }
}
