import DaemonRuntime
import Foundation
import JSONText
import SimPrimitives
import Simulation

/// One run of the reference workload in this process, told as the native programs tell theirs: a
/// line of JSON. `locfleet-bench --one` is started anew for each, so that neither memory nor
/// what an allocator keeps of the run before is counted.
struct WorkloadRun {
    static let scenarioPath = "config/scenarios/reference-workload.json5"

    enum Players: String, CaseIterable { case scripts, swift }

    let players: Players
    let devices: UInt64
    let days: String
    let workers: Int
    /// Nil: as the pace has it, by the wall clock. Instructions are counted with a fixed one.
    let epoch: SimDuration?
    /// Whether to look at where the time goes, which takes some.
    var isProfiled = false

    /// - Returns: the line. CPU seconds are those of all threads, building the fleet apart.
    func line() throws(CommandError) -> String {
        let words = [Self.scenarioPath, "--devices", "\(devices)", "--days", days]
        let bundle = try ScenarioArguments(
            Arguments(words, options: ScenarioArguments.options, verb: "run"), verb: "run"
        ).bundle
        let profile = isProfiled ? WorkProfile() : nil
        var options = FleetRunner.Options(workers: workers, epoch: epoch, profile: profile)
        if players == .swift { options.players = { .reference($0) } }
        let began = Self.cpuSeconds
        let runner = try FleetRunner.ready(bundle.arms, options)
        let (built, clock) = (Self.cpuSeconds, ContinuousClock.now)
        guard case .duration = runner.run() else {
            throw CommandError("the reference workload did not come to its end", status: .failed)
        }
        let ended = Self.cpuSeconds
        let wall = (ContinuousClock.now - clock) / .seconds(1)
        let peak = Machine.residentBytesMax
        let looks = profile.map { $0.stop()[0] ?? [:] }
        let figures = runner.figures()
        let counts = WorkloadCounts(figures.arms[0].groups[0])
        return JSONLine.object {
            $0.member("impl", "locfleet-\(players.rawValue)-\(workers)")
            $0.member("devices", devices)
            $0.member("days", days)
            $0.member("digest", "\(figures.digest)")
            $0.member("events", counts.events)
            $0.member("engine_events", figures.events)
            $0.member("setup_cpu_s", built - began)
            $0.member("sim_cpu_s", ended - built)
            $0.member("sim_wall_s", wall)
            $0.member("peak_rss_kb", peak / 1_024)
            $0.member("engine_bytes", figures.stateBytes)
            $0.member("counts", counts.counts.map { ($0.name, $0.count) })
            if let looks {
                $0.member(
                    "profile",
                    WorkPart.allCases.map { part in
                        (
                            part.rawValue,
                            looks.reduce(0) { $1.key.part == part ? $0 + $1.value : $0 }
                        )
                    })
            }
        } + "\n"
    }

    /// User and system time of this process.
    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
