import DaemonRuntime
import Foundation
import JSONText

/// Plays samples of a run, each in processes of its own: this very program, started anew.
struct SamplePlayer {
    /// What came of a sample.
    struct Outcome {
        /// The report without what it says of the machine.
        var report: [Substring]
        /// `ARM DEVICE DIGEST`, by arm and device.
        var digests: [Substring]
    }

    /// The words that name the scenario, and those that choose arms of it.
    let scenario: [String]
    let arms: [String]
    /// For files that are gone afterwards.
    let folder: URL
    private let interrupt = Interrupt()

    init(scenario: [String], arms: [String], folder: URL) {
        (self.scenario, self.arms, self.folder) = (scenario, arms, folder)
    }

    func play(_ sample: DeterminismSample) throws(CommandError) -> Outcome {
        let digests = path("digests")
        var all = ""
        let parts = (1...sample.shards).map { path("part\($0)") }
        for shard in 1...sample.shards {
            let isWhole = sample.shards == 1
            try run(
                sample,
                ["run"] + scenario + arms + sample.words + ["--digests", digests]
                    + (sample.hasLog ? ["--log", path("log")] : [])
                    + (isWhole
                        ? ["--json"]
                        : ["--shard", "\(shard)/\(sample.shards)", "-o", parts[Int(shard) - 1]]))
            all += try text(digests)
        }
        // Last first: their order must not matter.
        if sample.shards > 1 { try run(sample, ["merge", "--json"] + parts.reversed()) }
        let report = try text(path("out"))
        // By arm and device: shards come one after the other with all their arms.
        let lines = all.split(separator: "\n").enumerated().sorted {
            let (a, b) = (Self.arm($0.element), Self.arm($1.element))
            return a == b ? $0.offset < $1.offset : a < b
        }
        return Outcome(
            report: (report.components(separatedBy: "\"machine\":").first ?? "")
                .split(separator: "\n"),
            digests: lines.map(\.element))
    }

    private static func arm(_ line: Substring) -> Substring { line.prefix { $0 != " " } }

    /// The records of one device of the base in a run by itself, as lines: quick, and enough where
    /// one process does not do what another does.
    func recordsAlone(
        _ sample: DeterminismSample, device: String
    ) throws(CommandError) -> [String] {
        try run(sample, ["why"] + scenario + ["--device", device, "--json"])
        return try text(path("out")).split(separator: "\n").map(String.init)
    }

    /// The records of one device in one more run of a sample, as lines.
    func records(
        _ sample: DeterminismSample, arm: String, device: String
    ) throws(CommandError) -> [String] {
        let log = path("log")
        var lines: [String] = []
        for shard in 1...sample.shards {
            try run(
                sample,
                ["run"] + scenario + arms + sample.words + ["--log", log]
                    + (sample.shards == 1
                        ? ["--csv"]
                        : ["--shard", "\(shard)/\(sample.shards)", "-o", path("part")]))
            let marks = [",\"device\":\(device),", ",\"arm\":\(quoted(arm)),"]
            for line in try text(log).split(separator: "\n")
            where line.contains(marks[0])
                && (line.contains(marks[1]) || !line.contains(",\"arm\":"))
            {
                lines.append(String(line))
            }
        }
        return lines
    }

    private func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    private func text(_ path: String) throws(CommandError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path) cannot be read", status: .failed)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// - Throws: what the process said, where it came to no result.
    private func run(_ sample: DeterminismSample, _ words: [String]) throws(CommandError) {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = words
        do {
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try output("out")
            process.standardError = try output("error")
            try process.run()
        } catch {
            throw CommandError("\(sample.name): no process could be started", status: .failed)
        }
        var isTold = false
        while process.isRunning {
            if interrupt.isRequested, !isTold {
                process.terminate()
                isTold = true
            }
            usleep(2_000)
        }
        if interrupt.isRequested { throw CommandError("interrupted", status: .interrupted) }
        let isExit = process.terminationReason == .exit
        let status = isExit ? ExitStatus(rawValue: process.terminationStatus) : nil
        if status == .done || status == .verdictIsNo { return }
        // Ended by script failures, it has a report; a broken run has none.
        let hasReport = FileManager.default.contents(atPath: path("out"))?.isEmpty == false
        if status == .failed && hasReport { return }
        let said = try text(path("error")).split(separator: "\n").last ?? ""
        throw CommandError(
            "\(sample.name): "
                + (said.isEmpty ? "the run ended with \(process.terminationStatus)" : "\(said)"),
            status: .failed)
    }

    private func output(_ name: String) throws -> FileHandle {
        let file = folder.appending(path: name)
        _ = FileManager.default.createFile(atPath: path(name), contents: nil)
        return try FileHandle(forWritingTo: file)
    }
}
