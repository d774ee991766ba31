import Bundles
import ControlProtocol
import Foundation
import JSONText

/// The second half of `locfleet-bench --control`: one fleet run from begin to end, with nobody
/// watching and with ten watchers and two clients that ask, in turn.
struct ControlPairs {
    /// What the ten watch: as people do who look for something, and two who want everything.
    static let watched: [(types: [String], condition: String?)] = [
        (["status"], nil), (["prompt", "answer"], nil), (["script_failure"], nil),
        (["settings", "milestone"], nil), ([], "device < 100"), ([], "status = denied"),
        (["status"], "persona = depends"), (["answer"], "ios < 17"), ([], nil), ([], nil),
    ]
    /// A run with watchers takes at most so many times the wall time of one without.
    static let ratioDue = 1.1

    /// One run.
    struct Run {
        /// Of wall time, from the start until the daemon says that it has ended.
        let seconds: Double
        /// Of the daemon, in that time.
        let processorSeconds: Double
        let events: Double
        let notifiedBytes: Int
        var status = ControlPage.Row("daemon.status, watched", due: ControlBench.answersDue)
        var funnel = ControlPage.Row("funnel, watched", due: ControlBench.answersDue)
    }

    let daemon: BenchDaemon
    let bundle: Bundles.Bundle
    let terminal: Terminal

    private static let name = "pair"
    private let fleet = DaemonArguments.parameters(of: name)

    /// Pairs of runs: without watchers, and with them; in every other pair the other way round.
    func run(rounds: Int) throws(CommandError) -> [(quiet: Run, watched: Run)] {
        var pairs: [(quiet: Run, watched: Run)] = []
        for round in 0..<rounds {
            if terminal.showsProgress { terminal.draw("\rpair \(round + 1) of \(rounds)\u{1B}[K") }
            if round.isMultiple(of: 2) {
                let quiet = try run(isWatched: false)
                pairs.append((quiet, try run(isWatched: true)))
            } else {
                let watched = try run(isWatched: true)
                pairs.append((try run(isWatched: false), watched))
            }
        }
        return pairs
    }

    private func run(isWatched: Bool) throws(CommandError) -> Run {
        let client = try daemon.client()
        _ = try client.call(
            .fleetCreate,
            JSONLine.object {
                $0.member("name", Self.name)
                $0.member("bundle", bundle.sha256)
                $0.member("paused", true)
            })
        let crowd = BenchCrowd()
        if isWatched {
            for (types, condition) in Self.watched {
                try crowd.watch(
                    daemon,
                    JSONLine.object {
                        $0.member("fleet", Self.name)
                        $0.member("types", types)
                        if let condition { $0.member("where", condition) }
                    })
            }
            try crowd.ask(daemon, fleet)
        }
        let (began, processor) = (ContinuousClock.now, daemon.processorSeconds)
        _ = try client.call(.fleetStart, fleet)
        while true {
            let answer = try client.call(
                .wait,
                JSONLine.object {
                    $0.member("fleet", Self.name)
                    $0.member("within_seconds", 3_600)
                })
            if answer.node["ended"]?.text == "true" { break }
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let used = daemon.processorSeconds - processor
        let shown = try client.call(.fleetShow, fleet).node
        crowd.stop()
        _ = try client.call(.fleetDelete, fleet)
        var run = Run(
            seconds: seconds, processorSeconds: used,
            events: Double(shown["events"]?.number ?? "") ?? 0, notifiedBytes: crowd.bytes)
        run.status.seconds = crowd.latencies[0]
        run.funnel.seconds = crowd.latencies[1]
        return run
    }
}

/// Clients of a measurement, each on a thread of its own.
private final class BenchCrowd: Sendable {
    /// Between two questions of one client.
    private static let pauseMicroseconds: UInt32 = 20_000

    private struct Tally {
        var isOver = false
        var bytes = 0
        /// Of `daemon.status` and of `funnel`.
        var seconds: [[Double]] = [[], []]
    }

    private let group = DispatchGroup()
    private let lock = NSLock()
    /// Safe: touched under `lock` alone.
    nonisolated(unsafe) private var tally = Tally()

    private func locked<Value>(_ body: (inout Tally) -> Value) -> Value {
        lock.withLock { body(&tally) }
    }

    private var isOver: Bool { locked(\.isOver) }

    /// What the watchers were told.
    var bytes: Int { locked(\.bytes) }
    var latencies: [[Double]] { locked(\.seconds) }

    /// One that takes what it is told as fast as it comes, and does nothing with it.
    func watch(_ daemon: BenchDaemon, _ parameters: String) throws(CommandError) {
        let client = try daemon.client()
        _ = try client.call(.watch, parameters)
        // Safe: handed over to the thread.
        nonisolated(unsafe) let own = client
        start {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while !self.isOver {
                var entry = pollfd(fd: own.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 50) > 0 else { continue }
                let count = recv(own.descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                self.locked { $0.bytes += count }
            }
        }
    }

    /// Two that ask for the daemon's status and the fleet's funnel again and again.
    func ask(_ daemon: BenchDaemon, _ fleet: String) throws(CommandError) {
        for (index, (method, parameters)) in [
            (ControlMethod.daemonStatus, "{}"), (.funnel, fleet),
        ].enumerated() {
            let client = try daemon.client()
            // Safe: handed over to the thread.
            nonisolated(unsafe) let own = client
            start {
                while !self.isOver {
                    let began = ContinuousClock.now
                    guard (try? own.call(method, parameters)) != nil else { return }
                    let took = (ContinuousClock.now - began) / .seconds(1)
                    self.locked { $0.seconds[index].append(took) }
                    usleep(Self.pauseMicroseconds)
                }
            }
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        group.enter()
        Thread {
            body()
            self.group.leave()
        }.start()
    }

    /// Waits until all have ended.
    func stop() {
        locked { $0.isOver = true }
        group.wait()
    }
}
