import Bundles
import Foundation
import SimPrimitives
import Simulation
import Testing

/// The table of limits in config/README.md.
@Suite("The limits that the README lists")
struct LimitsTests {
    static let rows: [(row: String, figures: [Int])] = [
        (
            "bytes of a scenario, an Info.plist, a script",
            [
                ScenarioLimits.scenarioBytesMax >> 20, ScenarioLimits.plistBytesMax >> 20,
                ScenarioLimits.scriptBytesMax >> 10,
            ]
        ),
        ("devices", [Int(ScenarioLimits.devices.upperBound)]),
        ("simulated time", [Int(ScenarioLimits.durationMax.seconds / 86_400)]),
        (
            "personas, iOS versions, features, funnels, steps of a funnel",
            [
                ScenarioLimits.personasMax, ScenarioLimits.iosMax, ScenarioLimits.featuresMax,
                ScenarioLimits.funnelsMax, ScenarioLimits.funnelStepsMax,
            ]
        ),
        (
            "arms, interventions, Info.plists that they update to, thresholds",
            [
                ScenarioLimits.armsMax, ScenarioLimits.interventionsMax, ScenarioLimits.updatesMax,
                ScenarioLimits.thresholdsMax,
            ]
        ),
        (
            "scripts that interventions bring; different combinations of script and options in an "
                + "arm that they can lead to",
            [ScenarioLimits.scriptsBroughtMax, CastTable.countMax]
        ),
        ("purpose keys of an Info.plist", [ScenarioLimits.purposeKeysMax]),
        (
            "bytes of a name, of another text",
            [ScenarioLimits.nameBytesMax, ScenarioLimits.textBytesMax]
        ),
        ("`--set`", [ScenarioLimits.setsMax]),
    ]

    @Test("are those of the code", arguments: rows)
    func row(_ row: (row: String, figures: [Int])) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../config/README.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let line = try #require(
            text.split(separator: "\n").first { $0.hasPrefix("| \(row.row) | ") })
        let words = line.dropFirst(row.row.count + 5).split { !($0.isNumber || $0 == ",") }
        let figures = words.compactMap { Int($0.filter(\.isNumber)) }
        #expect(Array(figures.prefix(row.figures.count)) == row.figures)
    }
}
