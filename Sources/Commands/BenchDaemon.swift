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
