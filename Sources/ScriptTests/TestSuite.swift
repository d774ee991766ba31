import AuthorizationCore
import Bundles
import LuaScripting
import SimPrimitives
import Simulation

/// One file of tests, read and checked: what it names is there, and what it sets can be set.
public struct TestSuite {
    /// Tests of one file.
    public static let testsMax = 1_000
    /// The version of iOS where neither the file nor the test names one.
    public static let defaultIOS = "18.0"

    public struct Test {
        public let name: String
        public let line: Int
        let settings: TestSettings
        let plist: InfoPlist?
    }

    /// As the person named the file.
    public let path: String
    /// In the order in which they stand in the file.
    public private(set) var tests: [Test] = []
    let source: ScriptSource
    let settings: TestSettings
    let strategy: TestedScript?
    let behavior: TestedScript?
    let features: [String]

    public init(_ files: TestFiles) throws(BundleError) {
        path = files.path
        let source = try files.source()
        self.source = source
        var file = TestValue.none
        var declared: [TestValue] = []
        do throws(ScriptError) {
            _ = try LuaTests(source) { (name, values) throws(TestRefusal) in
                guard let value = values.first else { return .none }
                if name == "kind" { return Self.kind(withMembers: value.list) }
                if name == "file" { file = value } else if name == "test" { declared.append(value) }
                if declared.count > Self.testsMax {
                    throw TestRefusal("a file has at most \(Self.testsMax) tests")
                }
                return .none
            }
        } catch {
            throw BundleError(.script, place: files.path, line: error.line, error.reason)
        }
        let name = files.path
        strategy = try file["strategy"].text.map { script throws(BundleError) in
            try TestedScript(files.script(script, .strategy, key: "strategy"), .strategy)
        }
        behavior = try file["behavior"].text.map { script throws(BundleError) in
            try TestedScript(files.script(script, .behavior, key: "behavior"), .behavior)
        }
        guard strategy != nil || behavior != nil else {
            throw BundleError(
                .missingKey, place: name,
                "a file of tests names what it tests: strategy = \"…\", behavior = \"…\" or both")
        }
        features = try Self.features(file["features"], name)
        settings = try Self.settings(file, owner: "the file", at: source.line(of: ["ios"]), name)
        guard !declared.isEmpty else {
            throw BundleError(
                .missingKey, place: name, key: "tests",
                "there is no test; one is [\"asks at the tap\"] = function(device) … end")
        }
        for value in declared {
            let title = value["name"].text ?? ""
            let line =
                value["line"].number.map { Int($0) } ?? source.line(of: ["tests", title]) ?? 1
            let own = try Self.settings(value, owner: "the test '\(title)'", at: line, name)
            let plist = try (own.plist ?? settings.plist).map { plist throws(BundleError) in
                try files.infoPlist(plist, key: "plist")
            }
            tests.append(Test(name: title, line: line, settings: own, plist: plist))
            try check(tests[tests.count - 1])
        }
        tests.sort { ($0.line, $0.name) < ($1.line, $1.name) }
        try refuseDuplicates()
    }

    /// What a script with members of these names is; none: neither kind.
    private static func kind(withMembers names: [TestValue]) -> TestValue {
        let hooks = names.compactMap { $0.text.flatMap(HookName.init(rawValue:)) }
        let kind = ScriptKind.allCases.first { !$0.hooks.filter(hooks.contains).isEmpty }
        return .optional(kind?.rawValue)
    }

    private static func settings(
        _ value: TestValue, owner: String, at line: Int?, _ path: String
    ) throws(BundleError) -> TestSettings {
        do throws(TestRefusal) {
            return try TestSettings(value, owner: owner)
        } catch {
            throw BundleError(.invalidValue, place: path, line: line, error.message)
        }
    }

    private static func features(
        _ value: TestValue, _ path: String
    ) throws(BundleError) -> [String] {
        guard value != .none else { return ["store_finder"] }
        var names: [String] = []
        for item in value.entries.map(\.value) {
            guard let name = item.text, !name.isEmpty,
                name.utf8.count <= ScenarioLimits.nameBytesMax, !names.contains(name)
            else {
                throw BundleError(
                    .invalidValue, place: path, key: "features",
                    "features are different names of at most \(ScenarioLimits.nameBytesMax) "
                        + "bytes, such as { \"store_finder\", \"alerts\" }; not \(item)")
            }
            names.append(name)
        }
        guard (1...ScenarioLimits.featuresMax).contains(names.count) else {
            throw BundleError(
                .tooMany, place: path, key: "features",
                "there are 1 to \(ScenarioLimits.featuresMax) features, not \(names.count)")
        }
        return names
    }

    /// That each option belongs to one of the scripts and takes the value.
    private func check(_ test: Test) throws(BundleError) {
        do throws(TestRefusal) {
            _ = try scenario(of: test, on: IOSVersion.v26, seed: 1)
        } catch {
            let own = test.settings.options.isEmpty ? nil : test.line
            throw BundleError(
                .invalidValue, place: path, line: own ?? source.line(of: ["options"]),
                error.message)
        }
    }

    /// Of two tests with one name Lua would keep the last, without a word: they are looked for in
    /// the text.
    private func refuseDuplicates() throws(BundleError) {
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        for test in tests {
            let heads = ["[\"\(test.name)\"]", "['\(test.name)']", test.name]
            let places = lines.indices.filter { place in
                let line = lines[place].drop { $0 == " " || $0 == "\t" || $0 == "{" }
                return heads.contains { head in
                    guard line.hasPrefix(head) else { return false }
                    let rest = line.dropFirst(head.count).drop { $0 == " " }
                    return rest.hasPrefix("= function") || rest.hasPrefix("=function")
                        || rest.hasPrefix("= {")
                }
            }
            guard places.count > 1 else { continue }
            throw BundleError(
                .duplicateName, place: path, line: places[1] + 1,
                "there is another test '\(test.name)' on line \(places[0] + 1); each has a name "
                    + "of its own")
        }
    }
}

extension TestSuite {
    /// People of `share` and `person` in one test.
    static let peopleMax: UInt32 = 10_000

    /// The scenario of one device that a test drives.
    func scenario(
        of test: Test, on ios: IOSVersion, seed: UInt64
    ) throws(TestRefusal) -> Scenario {
        let given = settings.options + test.settings.options
        let known = [strategy, behavior].compactMap(\.self).flatMap {
            $0.outline.options.map(\.name)
        }
        for (name, _) in given {
            guard known.contains(name) else {
                throw TestRefusal(
                    "options: no script here declares \(shown(name))" + hint(name, among: known))
            }
            if strategy?.declares(name) == true, behavior?.declares(name) == true {
                throw TestRefusal(
                    "options: strategy and behavior both declare '\(name)', so it cannot be set")
            }
        }
        var capabilities = AppCapabilities()
        (capabilities.hasWhenInUseText, capabilities.hasAlwaysText) = (true, true)
        (capabilities.hasLegacyAlwaysText, capabilities.hasLocationBackgroundMode) = (true, true)
        var app = Scenario.App(
            name: "App", capabilities: test.plist?.capabilities ?? capabilities,
            usageTexts: test.plist?.usageTexts ?? ["", "When in use.", "Always."], strategy: 1,
            options: try strategy?.options(given) ?? [])
        app.temporaryPurposeKeys = test.plist?.temporaryPurposeKeys ?? []
        var delays = SystemDelays()
        delays.positionFailureShare = 0  // `fail_positions` says when they do.
        return Scenario(
            name: path, seed: seed, deviceCount: Self.peopleMax + 1, duration: .max, zone: .utc,
            iosMix: [Weighted(ios, weight: 1)],
            personas: [
                Scenario.Persona(
                    name: "person", weight: 1, behavior: 0,
                    options: try behavior?.options(given) ?? [])
            ],
            app: app, features: features, rules: SystemRules(), delays: delays, funnels: [],
            scripts: [
                behavior?.source ?? ScriptSource(name: "person", text: Self.nobody),
                strategy?.source ?? ScriptSource(name: "app", text: "return {}"),
            ], scriptFailuresMax: nil)
    }

    /// Stands where no behavior does; never asked.
    private static let nobody =
        "return { answer_prompt = function(_, prompt) return prompt.choices[1] end }"
}
