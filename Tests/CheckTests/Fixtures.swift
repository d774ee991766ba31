import AuthorizationCore
import Bundles
import Check
import Foundation
import LuaScripting
import TestSupport

/// The check as the program has it, with the files that ship as its library.
func fileCheck(
    ios: [String]? = nil, as kind: ScriptKind? = nil
) -> FileCheck {
    FileCheck(
        reader: { BundleReader(library: [projectRoot], outline: $0) },
        versions: ios?.compactMap { IOSVersion($0) }, scriptKind: kind)
}

/// What is found in a scenario and its files, written under the names that it gives them.
func findings(
    scenario: String, _ files: [String: String] = [:]
) throws -> [CheckFinding] {
    let folder = try ScratchFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    return fileCheck().report(try folder.write(scenario, to: "s.json5")).findings
}

/// What is found in a script.
func findings(
    _ text: String, _ kind: ScriptKind? = nil, ios: [String]? = nil, name: String = "x.lua"
) throws -> [CheckFinding] {
    let folder = try ScratchFolder()
    return fileCheck(ios: ios, as: kind).report(try folder.write(text, to: name)).findings
}

/// A scenario of one persona, every part defaulted.
///
/// - Parameter more: members, each with a comma at its end.
func scenario(
    behavior: String = "archetype.lua", strategy: String = "progressive.lua",
    plist: String = "apps/store-finder/Info.plist", ios: String = "18.5",
    options: String = "", more: String = ""
) -> String {
    """
    {
      devices: 10, ios: [["\(ios)", 1]], \(more)
      personas: [{ name: "p", behavior: "\(behavior)" }],
      app: {
        info_plist: "\(plist)", strategy: "\(strategy)", options: { \(options) },
        features: ["store_finder", "arrival_alerts"],
      },
    }
    """
}
