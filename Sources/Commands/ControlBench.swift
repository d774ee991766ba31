import Bundles
import ControlProtocol
import Foundation
import JSONText

/// `locfleet-bench --control`: how fast the daemon answers while a large fleet runs flat out.
struct ControlBench {
    static let options: [OptionSpec] = [
        .flag("--control", "measure how fast the daemon answers while a fleet runs flat out"),
        .value("--calls", "N", "with --control: calls of each method (1000)"),
    ]

    /// Between two calls: as people and dashboards ask, and not in one burst.
    private static let pauseMicroseconds: UInt32 = 10_000

    let devices: UInt64
    let calls: Int
    let terminal: Terminal

    func run() throws(CommandError) {
        let daemon = try BenchDaemon()
        defer { daemon.stop() }
        let bundle = try ScenarioArguments(
            Arguments(
                [
                    "config/scenarios/progressive.json5", "--devices", "\(devices)", "--days",
                    "3650",
                ],
                options: ScenarioArguments.options, verb: "run"), verb: "run"
        ).bundle
        let client = try daemon.client()
        try BundleUpload(client: client).send(bundle)
        _ = try client.call(
            .fleetCreate,
            JSONLine.object {
                $0.member("name", "bench")
                $0.member("bundle", bundle.sha256)
            })
        let fleet = DaemonArguments.parameters(of: "bench")
        let methods: [(ControlMethod, String)] = [
            (.daemonStatus, "{}"), (.funnel, fleet), (.metrics, fleet), (.fleetShow, fleet),
            (
                .deviceList,
                DaemonArguments.parameters(of: "bench") {
                    $0.member("where", "status = authorizedAlways")
                }
            ),
        ]
        var seconds = [[Double]](repeating: [], count: methods.count)
        for call in 0..<calls {
            for (index, (method, parameters)) in methods.enumerated() {
                let began = ContinuousClock.now
                _ = try client.call(method, parameters)
                seconds[index].append((ContinuousClock.now - began) / .seconds(1))
                usleep(Self.pauseMicroseconds)
            }
            if terminal.showsProgress { terminal.draw("\rcall \(call + 1) of \(calls)\u{1B}[K") }
        }
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        let end = try client.call(.fleetShow, fleet).node
        try terminal.print(table(methods.map(\.0.rawValue), seconds, end))
    }

    private func table(_ names: [String], _ seconds: [[Double]], _ fleet: JSONNode) -> String {
        func cell(_ text: String) -> String {
            String(repeating: " ", count: max(0, 9 - text.count)) + text
        }
        func milliseconds(_ seconds: Double) -> String {
            let hundredths = Int((seconds * 1e5).rounded())
            return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        }
        var text = "\(devices) devices \(fleet["state"]?.string ?? "") flat out; "
        text += "\(calls) calls of each method, milliseconds\n"
        text += "                    p50      p90      p99     most\n"
        for (name, values) in zip(names, seconds) {
            let sorted = values.sorted()
            text += name + String(repeating: " ", count: max(1, 14 - name.count))
            for quantile in [0.5, 0.9, 0.99, 1] {
                let rank = min(sorted.count - 1, Int(quantile * Double(sorted.count)))
                text += cell(milliseconds(sorted[rank]))
            }
            text += "\n"
        }
        let events = Double(fleet["events"]?.number ?? "") ?? 0
        let busy = Double(fleet["busy_seconds"]?.number ?? "") ?? 1
        text += "meanwhile the fleet ran \(Int(events / max(busy, 0.001))) events a second\n"
        return text
    }
}

/// A daemon of its own for a measurement, on a socket of its own.
struct BenchDaemon {
    private let process = Process()
    private let folder: URL

    init() throws(CommandError) {
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "locfleetd")
        folder = FileManager.default.temporaryDirectory.appending(
            path: "locfleet-bench-\(ProcessInfo.processInfo.processIdentifier)")
        process.executableURL = executable
        process.arguments = ["--socket", path]
        process.standardError = FileHandle.nullDevice
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try process.run()
        } catch {
            throw CommandError("\(executable.path): cannot be started: \(error)", status: .failed)
        }
    }

    private var path: String { folder.appending(path: "s").path(percentEncoded: false) }

    func client() throws(CommandError) -> ControlClient {
        for _ in 0..<500 {
            if let client = try? ControlClient(path: path, timeoutSeconds: nil) { return client }
            usleep(10_000)
        }
        return try ControlClient(path: path, timeoutSeconds: nil)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
