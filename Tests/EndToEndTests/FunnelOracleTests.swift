import Foundation
import TestSupport
import Testing

@Suite("Figures of a report")
struct FunnelOracleTests {
    struct Run: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let arguments: [String]
    }

    /// Every kind of step; windows that most pass, some miss and some run out of the run with.
    private static let funnels = """
        funnels=[{ name: "offer", steps: ["opened", "milestone:saw_alert_offer", "always"], window: "5d" },
        { name: "use", steps: ["granted", "feature:store_finder", "always_7d"], window: "8d" },
        { name: "back", steps: ["kept", "status:denied", "status:authorizedWhenInUse"], window: "20d" },
        { name: "turned", steps: ["asked_always", "asked", "opened", "installed"], window: "12h" },
        { name: "status", steps: ["status:allow_once", "status:notDetermined", "granted", "kept"] },
        { name: "quick", steps: ["installed", "opened", "asked", "granted"], window: "6h" }]
        """
    private static let world = """
        interventions=[{ at: "4d", share: 0.3, do: "reinstall", value: "1d" },
        { at: "6d", share: 0.3, do: "settings", value: "never" },
        { at: "8d", share: 0.3, do: "settings", value: "always" },
        { at: "9d", share: 0.1, do: "delete_app" },
        { at: "11d", share: 0.5, do: "reset_location_privacy" },
        { at: "12d", share: 0.2, do: "location_services", value: false },
        { at: "14d", share: 0.4, do: "location_services", value: true },
        { at: "15d", share: 0.3, do: "upgrade_os", value: "26.0" },
        { at: "17d", share: 0.3, do: "reinstall" }, { at: "18d", share: 0.2, do: "reboot" }]
        """
    private static let versions =
        #"ios=[["9.3",1],["11.4",1],["12.5",1],["13.3",2],["13.7",2],["15.8",2],["17.6",2],["18.5",3]]"#

    private static func run(
        _ scenario: String, _ devices: Int, days: Int, sets: [String] = [], _ more: [String] = []
    ) -> Run {
        Run(
            testDescription: ([scenario] + more).joined(separator: " ")
                + (sets.isEmpty ? "" : ", with funnels of its own"),
            arguments: [
                "run", "config/scenarios/\(scenario).json5", "--devices", "\(devices)", "--days",
                "\(days)",
            ] + sets.flatMap { ["--set", $0] } + more)
    }

    static let runs = [
        run("progressive", 200, days: 30, ["--arm", "ask_on_launch.lua"]),
        run("progressive", 200, days: 20, sets: [funnels, world], ["--arm", "ask_on_launch.lua"]),
        run("progressive", 150, days: 20, sets: [funnels, world, versions], ["--seed", "7"]),
        run("people", 60, days: 40, sets: [versions]),
        run("strategies", 30, days: 20, sets: [funnels, versions]),
    ]

    @Test("are those that a slow recount of the log comes to, to the device", arguments: runs)
    func recount(_ run: Run) throws {
        let folder = try ScratchFolder()
        let path = folder.path("log")
        let program = try Program.locfleet(run.arguments + ["--json", "--log", path])
        #expect(program.status != 1 && program.status != 2, "\(program.error)")
        let data = try JSONSerialization.jsonObject(with: Data(program.out.utf8))
        let report = Tree(value: data)
        let end = Int((report["simulated_seconds"].number * 1e6).rounded())
        let oracle = try FunnelOracle(
            log: try Data(contentsOf: URL(filePath: path)), devices: report["devices"].count,
            end: end)
        for arm in report["arms"].list {
            let lives = try #require(oracle.lives[arm["name"].text])
            let recount = Recount(oracle: oracle, lives: lives)
            for funnel in Self.funnels(of: arm) { recount.check(funnel.rows, funnel.definition) }
            recount.checkStatuses(arm)
            recount.checkPrompts(arm)
        }
        let base = try #require(oracle.lives["base"])
        let definitions = Self.funnels(of: report["arms"].list[0]).map(\.definition)
        for row in report["paired"].list {
            let arm = try #require(oracle.lives[row["arm"].text])
            Recount.check(pair: row, definitions, oracle, base: base, arm: arm)
        }
    }

    private static func funnels(of arm: Tree) -> [(definition: FunnelOracle.Funnel, rows: Tree)] {
        let builtIn = FunnelOracle.Funnel(
            name: "funnel", steps: arm["funnel"].list.map { $0["step"].text }, window: nil)
        return [(builtIn, arm)]
            + arm["funnels"].list.map { funnel in
                let steps = funnel["steps"].list.map { $0["step"].text }
                return (
                    FunnelOracle.Funnel(
                        name: funnel["name"].text, steps: steps,
                        window: microseconds(funnel["window"].text)), funnel
                )
            }
    }

    /// Of a window as reports write it: days, hours, or both.
    private static func microseconds(_ text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        let units = ["w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1]
        return text.matches(of: /([0-9]+)([wdhms])/).reduce(0) {
            $0 + (Int($1.1) ?? 0) * (units[String($1.2)] ?? 0) * 1_000_000
        }
    }
}
