import Foundation
import JSONText
import SimPrimitives
import TestSupport
import Testing

@testable import Commands
@testable import DaemonRuntime

/// That it is the same run at any pace is in `DeterminismTests`.
@Suite("A run against the wall clock")
struct PacedRunTests {
    private func bytes(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    @Test("writes records as they happen, and ends at a first Ctrl-C with what it has")
    func interrupted() throws {
        let folder = try ScratchFolder()
        let log = folder.path("log")
        let running = try Program.started([
            "run", "config/scenarios/progressive.json5", "--devices", "200", "--rate", "1000x",
            "--json", "--log", log,
        ])
        // It is unfinished under that name: ninety days at this rate take two hours.
        try #require(eventually(within: 60) { bytes(log + ".part") > 10_000 })
        let before = bytes(log + ".part")
        try #require(eventually(within: 60) { bytes(log + ".part") > before })
        running.process.interrupt()
        let program = running.wait()
        #expect(program.status == 130, "\(program.error)")
        let report = try JSONReader.read(Array(program.out.utf8), as: .json)
        #expect(report["ended_by"]?.string == "interrupted")
        let reached = try #require(Double(report["simulated_seconds"]?.number ?? ""))
        #expect(reached > 0 && reached < 89 * 86_400)
        // Ended there, it is the run that ends there.
        let whole = try Program.locfleet([
            "run", "config/scenarios/progressive.json5", "--devices", "200", "--json", "--set",
            "duration=\(Int(reached * 1_000))ms",
        ])
        let due = try JSONReader.read(Array(whole.out.utf8), as: .json)
        #expect(report["digest"]?.string == due["digest"]?.string)
    }

    @Test("takes as long as its rate says")
    func length() throws {
        // At least: a busy machine takes longer.
        let program = try Program.locfleet([
            "run", "config/scenarios/progressive.json5", "--devices", "5", "--days", "1", "--rate",
            "86400x", "--json",
        ])
        let report = try JSONReader.read(Array(program.out.utf8), as: .json)
        let seconds = Double(report["machine"]?["wall_seconds"]?.number ?? "") ?? 0
        #expect(seconds >= 0.85)
    }

    @Test(
        "says in its progress by how much it is behind, if it is",
        arguments: [(0.0, nil), (0.49, nil), (0.5, "0.5 s behind"), (73.24, "73.2 s behind")])
    func lag(_ seconds: Double, _ due: String?) {
        let line = ProgressBar.line(
            FleetRunner.Border(at: .start + .days(9), events: 5_000_000, lagSeconds: seconds),
            of: .days(90), elapsedSeconds: 10, width: 120)
        #expect(line.contains("10 %  day 9.0 of 90.0  0.5 M events/s  90 s left"))
        #expect(line.contains("behind") == (due != nil))
        if let due { #expect(line.hasSuffix("  " + due)) }
    }
}
