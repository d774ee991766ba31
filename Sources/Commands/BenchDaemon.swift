import Foundation

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
        process.arguments = ["--socket", path, "--no-state"]
        process.standardError = FileHandle.nullDevice
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try process.run()
        } catch {
            throw CommandError("\(executable.path): cannot be started: \(error)", status: .failed)
        }
    }

    private var path: String { folder.appending(path: "s").path(percentEncoded: false) }

    /// User and system time that it has used. Source: proc_pid_stat(5), fields 14 and 15.
    var processorSeconds: Double {
        let text = try? String(
            contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        // After the name in brackets, which may have spaces.
        let words = text?.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else {
            return 0
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

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
