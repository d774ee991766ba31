import Bundles
import Foundation

/// One bad input: what is on disk and on the command line, by a title that the golden list repeats.
struct BadInput: Sendable {
    let title: String
    let text: String
    var overrides = Overrides()
    /// Files beside the scenario.
    var files: [String: [UInt8]] = [:]
    /// Read instead of the scenario.
    var path: String?

    init(
        _ title: String, _ text: String, sets: [(key: String, value: String)] = [],
        files: [String: [UInt8]] = [:], path: String? = nil
    ) {
        (self.title, self.text, self.files, self.path) = (title, text, files, path)
        overrides.sets = sets
    }

    /// A scenario that is good but for these members, which replace those of that name.
    init(_ title: String, with members: String, files: [String: [UInt8]] = [:]) {
        let name = String(members.prefix { $0 != ":" })
        let lines = plain().split(separator: "\n").filter {
            !$0.trimmingCharacters(in: .whitespaces).hasPrefix("\(name):")
        }
        let text = lines.dropLast().joined(separator: "\n") + "\n  \(members)\n}"
        self.init(title, text, files: files)
    }

    init(_ title: String, set key: String, _ value: String) {
        self.init(title, plain(), sets: [(key, value)])
    }

    /// A good scenario with a property list of its own.
    init(_ title: String, plist: String) {
        self.init(
            title, with: "app: { info_plist: \"Info.plist\", strategy: \"progressive.lua\" },",
            files: ["Info.plist": Array(plist.utf8)])
    }

    /// A good scenario whose personas have a behavior of their own.
    init(_ title: String, behavior: [UInt8]) {
        self.init(
            title, with: "personas: [{ name: \"all\", behavior: \"own.lua\" }],",
            files: ["own.lua": behavior])
    }
}

private func dictionary(_ inside: String) -> String {
    "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\(inside)\n</dict>\n</plist>\n"
}

private func list(_ count: Int, _ element: (Int) -> String) -> String {
    "[" + (0..<count).map(element).joined(separator: ", ") + "]"
}

extension BadInput {
    static let all = malformed + keys + values + people + scripts + plists + later + commandLine

    // swift-format-ignore
    private static let malformed: [BadInput] = [
        BadInput("a file that is not there", "", path: "missing.json5"),
        BadInput("a folder instead of a file", "", path: "."),
        BadInput("an empty file", ""),
        BadInput("a list instead of an object", "[1]"),
        BadInput("a colon is missing", "{\n  devices 10\n}"),
        BadInput("a comma is missing", "{\n  devices: 10\n  seed: 1\n}"),
        BadInput("a bracket is missing", "{\n  devices: 10,\n"),
        BadInput("a string without an end", "{\n  name: \"x\n}"),
        BadInput("a comment without an end", "{ /* devices: 10 }"),
        BadInput("an escape that does not exist", "{ name: \"\\9\" }"),
        BadInput("not a number", "{ devices: NaN }"),
        BadInput("an infinite number", "{ devices: -Infinity }"),
        BadInput("a number with a leading zero", "{ devices: 010 }"),
        BadInput("a word that is no value", "{ devices: many }"),
        BadInput("more after the end", "{} {}"),
        BadInput("brackets too deep", String(repeating: "[", count: 100)),
        BadInput("a key twice", "{\n  devices: 1,\n  devices: 2,\n}"),
        BadInput("bytes that are not text", "", files: ["bytes.json5": [0x7B, 0xFF, 0x7D]], path: "bytes.json5"),
        BadInput("a file too large", "", files: ["large.json5": [UInt8](repeating: 0x20, count: (4 << 20) + 1)], path: "large.json5"),
    ]

    // swift-format-ignore
    private static let keys: [BadInput] = [
        BadInput("nothing of what is due", "{}"),
        BadInput("a misspelt key", with: "duratoin: \"30d\","),
        BadInput("a key that is nothing like any", with: "color: \"red\","),
        BadInput("a misspelt key that is required", with: "devices_: 10,"),
        BadInput("a misspelt key of the app", with: "app: { info_plist: \"apps/store-finder/Info.plist\", stratgy: \"progressive.lua\" },"),
        BadInput("a misspelt rule", with: "rules: { allow_once_grace_second: 5 },"),
        BadInput("a misspelt delay", with: "delays: { anwser: \"3s\" },"),
    ]

    // swift-format-ignore
    private static let values: [BadInput] = [
        BadInput("no devices", with: "devices: 0,"),
        BadInput("half a device", with: "devices: 1.5,"),
        BadInput("more devices than there may be", with: "devices: 100000001,"),
        BadInput("devices as text", with: "devices: \"many\","),
        BadInput("a negative seed", with: "seed: -1,"),
        BadInput("an empty name", with: "name: \"\","),
        BadInput("a long name", with: "name: \"\(String(repeating: "x", count: 65))\","),
        BadInput("a negative duration", with: "duration: \"-3d\","),
        BadInput("a duration of nothing", with: "duration: \"0s\","),
        BadInput("a duration without a unit", with: "duration: 30,"),
        BadInput("a unit that does not exist", with: "duration: \"2y\","),
        BadInput("eleven years", with: "duration: \"4015d\","),
        BadInput("a zone that is misspelt", with: "zone: \"Europe/Berln\","),
        BadInput("a zone that may go either way", with: "zone: \"GMT+2\","),
        BadInput("a zone that is a path", with: "zone: \"../../etc/passwd\","),
        BadInput("a start without sense", with: "start: \"tomorrow\","),
        BadInput("a day that does not exist", with: "start: \"2026-02-29T00:00:00\","),
        BadInput("a start that clocks skip", with: "zone: \"Europe/Berlin\", start: \"2026-03-29T02:30:00\","),
        BadInput("iOS 21", with: "ios: [[\"21.0\", 1]],"),
        BadInput("iOS 7", with: "ios: [[\"7.1\", 1]],"),
        BadInput("iOS 16.9", with: "ios: [[\"16.9\", 1]],"),
        BadInput("a version without sense", with: "ios: [[\"latest\", 1]],"),
        BadInput("a version as a number", with: "ios: [[18.5, 1]],"),
        BadInput("a version twice", with: "ios: [[\"18\", 1], [\"18.0\", 2]],"),
        BadInput("a version without a weight", with: "ios: [[\"18.5\"]],"),
        BadInput("no versions", with: "ios: [],"),
        BadInput("a rule out of range", with: "rules: { reminder_interval_days: 400 },"),
        BadInput("a rule of another type", with: "rules: { ask_next_time_clears_spent: \"yes\" },"),
        BadInput("a word that a rule does not have", with: "rules: { prompt_on_leave: \"dismis\" },"),
        BadInput("a least delay above the most", with: "rules: { confirm_delay_min_seconds: 4000 },"),
        BadInput("a least latency above the most", with: "rules: { region_latency_max_seconds: 179.5 },"),
        BadInput("a least visit delay above the most", with: "rules: { visit_delay_min_seconds: 700, visit_delay_max_seconds: 650 },"),
        BadInput("a delay that is too long", with: "delays: { answer: \"2d\" },"),
        BadInput("a share above one", with: "delays: { position_failure_share: 1.5 },"),
        BadInput("a grid that is too fine", with: "check_every: \"1ms\","),
        BadInput("no failures at all", with: "script_failures: { end_run_after: 0 },"),
        BadInput("a funnel without steps", with: "funnels: [{ name: \"f\", steps: [] }],"),
        BadInput("a step that is misspelt", with: "funnels: [{ name: \"f\", steps: [\"opend\"] }],"),
        BadInput("a step of a feature that is not there", with: "funnels: [{ name: \"f\", steps: [\"feature:map\"] }],"),
        BadInput("a step of a status that is not there", with: "funnels: [{ name: \"f\", steps: [\"status:authorized_always\"] }],"),
        BadInput("a step twice", with: "funnels: [{ name: \"f\", steps: [\"opened\", \"opened\"] }],"),
        BadInput("the name of the built-in funnel", with: "funnels: [{ name: \"funnel\", steps: [\"opened\"] }],"),
        BadInput("too many funnels", with: "funnels: \(list(17) { "{ name: \"f\($0)\", steps: [\"opened\"] }" }),"),
    ]

    // swift-format-ignore
    private static let people: [BadInput] = [
        BadInput("no personas", with: "personas: [],"),
        BadInput("personas as an object", with: "personas: { accepts: 1 },"),
        BadInput("a persona that is a name", with: "personas: [\"accepts\"],"),
        BadInput("a persona without a name", with: "personas: [{ weight: 1 }],"),
        BadInput("a persona twice", with: "personas: [{ name: \"a\" }, { name: \"a\" }],"),
        BadInput("a million personas", with: "personas: [\(String(repeating: "{},", count: 1_000_000))],"),
        BadInput("a weight of zero", with: "personas: [{ name: \"a\", weight: 0 }],"),
        BadInput("a negative weight", with: "personas: [{ name: \"a\", weight: -1 }],"),
        BadInput("a weight beyond all numbers", with: "personas: [{ name: \"a\", weight: 1e999 }],"),
        BadInput("an option that is misspelt", with: "personas: [{ name: \"a\", options: { grant_shar: 0.5 } }],"),
        BadInput("an option out of range", with: "personas: [{ name: \"a\", options: { grant_share: 1.5 } }],"),
        BadInput("an option of another type", with: "personas: [{ name: \"a\", options: { grant_share: \"half\" } }],"),
        BadInput("an option that is true or false", with: "app: { info_plist: \"apps/store-finder/Info.plist\", strategy: \"progressive.lua\", options: { is_polite: 1 } },"),
        BadInput("an option of a script without any", with: "app: { info_plist: \"apps/store-finder/Info.plist\", strategy: \"ask_on_launch.lua\", options: { x: 1 } },"),
        BadInput("a feature twice", with: "app: { info_plist: \"apps/store-finder/Info.plist\", strategy: \"progressive.lua\", features: [\"a\", \"a\"] },"),
    ]

    // swift-format-ignore
    private static let scripts: [BadInput] = [
        BadInput("a behavior that is not there", with: "personas: [{ name: \"a\", behavior: \"archetyp.lua\" }],"),
        BadInput("a behavior by an absolute path", with: "personas: [{ name: \"a\", behavior: \"/etc/passwd\" }],"),
        BadInput("a behavior that climbs out", with: "personas: [{ name: \"a\", behavior: \"../none/x.lua\" }],"),
        BadInput("a behavior that is a folder", with: "personas: [{ name: \"a\", behavior: \"own\" }],", files: ["own/x.lua": []]),
        BadInput("a behavior that is not text", behavior: Array("return {\n  ".utf8) + [0xC3, 0x28]),
        BadInput("a behavior that is too large", behavior: [UInt8](repeating: 0x20, count: (256 << 10) + 1)),
        BadInput("a behavior that is not Lua", behavior: Array("return {\n  @\n}".utf8)),
    ]

    // swift-format-ignore
    private static let plists: [BadInput] = [
        BadInput("a property list that is not there", with: "app: { info_plist: \"Info.plist\", strategy: \"progressive.lua\" },"),
        BadInput("an XML list with an unknown tag", plist: dictionary("<key>a</key>\n<tru/>")),
        BadInput("an XML list that is cut", plist: String(dictionary("<key>a</key>\n<true/>").dropLast(25))),
        BadInput("an old-style list with a mistake", plist: "{\n  a = b;\n  c = ;\n}"),
        BadInput("an empty property list", plist: ""),
        BadInput("some text", plist: "NSLocationWhenInUseUsageDescription"),
        BadInput("a list instead of a dictionary", plist: "(a, b)"),
        BadInput("a usage text that is a number", plist: dictionary("<key>NSLocationWhenInUseUsageDescription</key><integer>1</integer>")),
        BadInput("a usage text that is a Boolean", plist: dictionary("<key>NSLocationAlwaysUsageDescription</key><true/>")),
        BadInput("modes that are text", plist: "{ UIBackgroundModes = location; }"),
        BadInput("modes that are numbers", plist: dictionary("<key>UIBackgroundModes</key><array><integer>1</integer></array>")),
        BadInput("purposes that are a list", plist: dictionary("<key>NSLocationTemporaryUsageDescriptionDictionary</key><array/>")),
        BadInput("a purpose that is a date", plist: dictionary("<key>NSLocationTemporaryUsageDescriptionDictionary</key><dict><key>p</key><date>2026-01-05T00:00:00Z</date></dict>")),
    ]

    // swift-format-ignore
    private static let later: [BadInput] = [
        BadInput("an arm twice", with: "arms: [{ name: \"a\", set: {} }, { name: \"a\", set: {} }],"),
        BadInput("an arm called base", with: "arms: [{ name: \"base\", set: {} }],"),
        BadInput("an arm that sets what is not there", with: "arms: [{ name: \"a\", set: { \"app.option.x\": 1 } }],"),
        BadInput("an arm that sets an option out of range", with: "arms: [{ name: \"a\", set: { \"app.options.upgrade_after_uses\": -1 } }],"),
        BadInput("an arm for a persona that is not there", with: "arms: [{ name: \"a\", set: { \"personas.al.weight\": 2 } }],"),
        BadInput("an arm with other people", with: "arms: [{ name: \"a\", set: { seed: 2 } }],"),
        BadInput("an intervention without an instant", with: "interventions: [{ do: \"settings\" }],"),
        BadInput("an intervention before the start", with: "interventions: [{ at: \"-1d\", do: \"settings\" }],"),
        BadInput("an intervention for nobody", with: "interventions: [{ at: \"1d\", do: \"settings\", share: 0 }],"),
        BadInput("a condition that is a number", with: "thresholds: [1],"),
        BadInput("an empty condition", with: "end_when: \"\","),
        BadInput("an arm with other personas", with: "arms: [{ name: \"a\", set: { personas: [{ name: \"b\" }] } }],"),
        BadInput("an arm with another iOS", with: "arms: [{ name: \"a\", set: { ios: [[\"26.0\", 1]] } }],"),
        BadInput("an intervention of no known kind", with: "interventions: [{ at: \"1d\", do: \"setings\" }],"),
        BadInput("an intervention without its value", with: "interventions: [{ at: \"1d\", do: \"settings\" }],"),
        BadInput("an intervention with a row that is not there", with: "interventions: [{ at: \"1d\", do: \"settings\", value: \"nevr\" }],"),
        BadInput("an intervention to a version that never was", with: "interventions: [{ at: \"1d\", do: \"upgrade_os\", value: \"20.0\" }],"),
        BadInput("an intervention with a value too many", with: "interventions: [{ at: \"1d\", do: \"reboot\", value: 1 }],"),
        BadInput("a widget with a value", with: "interventions: [{ at: \"1d\", do: \"place_widget\", value: \"large\" }],"),
        BadInput("a button that is misspelt", with: "interventions: [{ at: \"1d\", do: \"tap_location_buton\" }],"),
        BadInput("an App Clip that is a word", with: "app: { info_plist: \"apps/store-finder/Info.plist\", strategy: \"progressive.lua\", app_clip: \"yes\" },"),
        BadInput("an App Clip before iOS 14", with: "app: { info_plist: \"apps/store-finder/Info.plist\", strategy: \"progressive.lua\", app_clip: true }, ios: [[\"18.5\", 1], [\"13.7\", 1]],"),
        BadInput("a new phone with a value", with: "interventions: [{ at: \"1d\", do: \"migrate_device\", value: true }],"),
        BadInput("an update to a property list that is not there", with: "interventions: [{ at: \"1d\", do: \"update_app\", value: \"none/Info.plist\" }],"),
        BadInput("an update to nothing", with: "interventions: [{ at: \"1d\", do: \"update_app\" }],"),
        BadInput("a strategy that is not there", with: "interventions: [{ at: \"1d\", do: \"strategy\", value: \"none.lua\" }],"),
        BadInput("a behavior for nothing", with: "interventions: [{ at: \"1d\", do: \"behavior\" }],"),
        BadInput("a strategy that Lua refuses", with: "interventions: [{ at: \"1d\", do: \"strategy\", value: \"own.lua\" }],", files: ["own.lua": Array("return {\n @".utf8)]),
        BadInput("an option of a strategy that is misspelt", with: "interventions: [{ at: \"1d\", do: \"strategy\", value: \"progressive.lua\", options: { upgrade_after_use: 1 } }],"),
        BadInput("an option of a behavior out of range", with: "interventions: [{ at: \"1d\", do: \"behavior\", value: \"archetype.lua\", options: { grant_share: 2 } }],"),
        BadInput("options for a reboot", with: "interventions: [{ at: \"1d\", do: \"reboot\", options: { grant_share: 1 } }],"),
        BadInput("options that are a number", with: "interventions: [{ at: \"1d\", do: \"options\", value: 1 }],"),
        BadInput("no options", with: "interventions: [{ at: \"1d\", do: \"options\", value: {} }],"),
        BadInput("an option that is a list", with: "interventions: [{ at: \"1d\", do: \"options\", value: { grant_share: [1] } }],"),
        BadInput("an option that no persona has", with: "interventions: [{ at: \"1d\", do: \"options\", value: { grant_shar: 0.5 } }],"),
        BadInput("an option for all that is out of range", with: "interventions: [{ at: \"1d\", do: \"options\", value: { grant_share: 1.5 } }],"),
        BadInput("an option of another kind", with: "interventions: [{ at: \"1d\", do: \"app_options\", value: { is_polite: 1 } }],"),
        BadInput("an option that the app has not", with: "interventions: [{ at: \"1d\", do: \"app_options\", value: { grant_share: 0.5 } }],"),
        BadInput("a hazard that replaces a strategy", with: "hazards: [{ interval_mean: \"1d\", do: \"strategy\", value: \"progressive.lua\" }],"),
        BadInput("a switch that is a word", with: "interventions: [{ at: \"1d\", do: \"background_app_refresh\", value: \"off\" }],"),
        BadInput("where: a misspelt term", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"statsu = denied\" }],"),
        BadInput("where: a true status for a visible one", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"status = provisional_always\" }],"),
        BadInput("where: a persona that is not there", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"persona = al\" }],"),
        BadInput("where: a status that is greater", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"status > denied\" }],"),
        BadInput("where: a version that never was", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"ios >= 20\" }],"),
        BadInput("where: without its end", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"status = \" }],"),
        BadInput("where: a bracket that is open", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"(day > 1\" }],"),
        BadInput("where: a quote that is open", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"persona = 'x\" }],"),
        BadInput("where: two comparisons side by side", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"day > 1 day < 3\" }],"),
        BadInput("where: an option as text", with: "interventions: [{ at: \"1d\", do: \"reboot\", where: \"grant_share = x\" }],"),
        BadInput("a threshold of a sign", with: "thresholds: [\"day & 1\"],"),
        BadInput("a threshold of no known figure", with: "thresholds: [\"shar(denied) > 1\"],"),
        BadInput("a threshold of a misspelt status", with: "thresholds: [\"share(authorisedAlways) > 0.1\"],"),
        BadInput("a threshold of a misspelt step", with: "thresholds: [\"p90(grantd) < 3\"],"),
        BadInput("a threshold of another arm", with: "thresholds: [\"arm = b or day > 1\"],"),
        BadInput("a threshold without a number", with: "thresholds: [\"always > many\"],"),
        BadInput("a threshold of a share that is none", with: "thresholds: [\"share(authorized) > 50\"],"),
        BadInput("a threshold of a part of a device", with: "thresholds: [\"granted > 0.5\"],"),
        BadInput("a threshold of failures in seconds", with: "thresholds: [\"script_failures < 1s\"],"),
        BadInput("a threshold deeper than brackets go", with: "thresholds: [\"\(String(repeating: "(", count: 40))day > 1\(String(repeating: ")", count: 40))\"],"),
    ]

    // swift-format-ignore
    private static let commandLine: [BadInput] = [
        BadInput("--set: a key that is misspelt", set: "app.stratgy", "x.lua"),
        BadInput("--set: a key below a number", set: "devices.x", "1"),
        BadInput("--set: a persona that is not there", set: "personas.everyone.weight", "1"),
        BadInput("--set: a persona beyond the last", set: "personas.1.weight", "1"),
        BadInput("--set: an element of a list that is not there", set: "arms.0.name", "x"),
        BadInput("--set: an option that is misspelt", set: "personas.*.options.grant_shar", "0.5"),
        BadInput("--set: an option out of range", set: "personas.all.options.grant_share", "2"),
        BadInput("--set: a number as a bare word", set: "seed", "abc"),
        BadInput("--set: JSON5 that is not whole", set: "app.options", "{ x: "),
        BadInput("--set: an empty key", set: "app..options", "1"),
        BadInput("--set: a script that is not there", set: "app.strategy", "none.lua"),
        BadInput("--set: a misspelt key in an object", set: "delays", "{ anwser: \"1s\" }"),
    ]
}
