import AuthorizationCore
import Bundles
import Foundation
import Lint
import LuaScripting
import Simulation
import TestSupport

/// Keys of an Info.plist in XML, written short: one a line, `name = text`.
///
/// Names: `wiu`, `always`, `legacy`, `old`, `modes` (words), `temporary` (words, each with a text),
/// `reduced` (a word of XML), or a key as it is. A value that begins with `<` is XML as it stands.
func plist(_ keys: [String]) -> String {
    let names = [
        "wiu": "NSLocationWhenInUseUsageDescription",
        "always": "NSLocationAlwaysAndWhenInUseUsageDescription",
        "legacy": "NSLocationAlwaysUsageDescription", "old": "NSLocationUsageDescription",
        "modes": "UIBackgroundModes", "reduced": "NSLocationDefaultAccuracyReduced",
        "temporary": "NSLocationTemporaryUsageDescriptionDictionary",
    ]
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<plist version=\"1.0\">", "<dict>"]
    for line in keys {
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimming() }
        let (name, value) = (parts[0], parts.count > 1 ? parts[1] : "")
        lines.append("<key>\(names[name] ?? name)</key>")
        let words = value.split(separator: " ")
        if value.hasPrefix("<") {
            lines.append(value)
        } else if name == "modes" {
            lines.append("<array>\(words.map { "<string>\($0)</string>" }.joined())</array>")
        } else if name == "temporary" {
            let entries = words.map { "<key>\($0)</key><string>Finds the entrance.</string>" }
            lines.append("<dict>\(entries.joined())</dict>")
        } else {
            lines.append("<string>\(value)</string>")
        }
    }
    return (lines + ["</dict>", "</plist>", ""]).joined(separator: "\n")
}

extension StringProtocol {
    func trimming() -> String { String(self).trimmingCharacters(in: .whitespaces) }
}

/// The report on a list, and on a strategy's body of `launched` if there is one.
///
/// - Parameters:
///   - body: Lua in the hook `launched`; with `return` at its start a whole script.
///   - ios: as `--ios` takes it; nil: none given.
func report(
    _ text: String, lua body: String? = nil, ios: String? = nil, services: [LocationService] = []
) throws -> LintReport {
    var strategy: StrategyUse?
    if let body {
        let source =
            body.hasPrefix("return")
            ? body : "return {\n launched = function(self, app)\n\(body)\n end,\n}"
        strategy = try use(source)
    }
    return LintReport(
        try PropertyList(Array(text.utf8), path: "Info.plist"), strategy: strategy,
        versions: try ios.map(VersionChoice.read), services: services)
}

func use(_ source: String, name: String = "app.lua") throws -> StrategyUse {
    let outline = try LuaScripting.ScriptOutline.read(source: source, name: name, kind: .strategy)
    var options: [String: String] = [:]
    for option in outline.options {
        if case .string(let value) = option.defaultValue { options[option.name] = value }
    }
    return StrategyUse(source: source, name: name, hooks: outline.hooks, options: options)
}

/// What ships: an app's folder in `config/apps`, and its strategy.
let shippedApps = [
    "always-first": "always_first", "by-version": "by_version",
    "foreground-only": "on_tap_foreground_only", "immediate-upgrade": "immediate_upgrade",
    "on-launch": "ask_on_launch", "people": "progressive", "reask-after-once": "reask_after_once",
    "settings-recovery": "settings_recovery", "store-finder": "progressive",
    "never-twice-a-week": "never_twice_a_week", "value-first": "value_first",
]

func shipped(_ app: String, _ strategy: String, ios: String? = nil) throws -> LintReport {
    let list = try PropertyList(
        contentsOf: projectRoot.appending(path: "config/apps/\(app)/Info.plist").path)
    let source = try String(
        contentsOf: projectRoot.appending(path: "scripts/strategies/\(strategy).lua"),
        encoding: .utf8)
    return LintReport(
        list, strategy: try use(source, name: "\(strategy).lua"),
        versions: try ios.map(VersionChoice.read))
}
