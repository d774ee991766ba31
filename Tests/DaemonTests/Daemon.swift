import Foundation
import TestSupport
import Testing

/// `locfleetd` itself, built beside the tests, on a socket of its own.
final class Daemon {
    let folder: SocketFolder
    let running: Program.Running
    private var isOver = false

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: of another daemon's socket, to take it over.
    ///   - descriptorsMax: open files that it may have; nil: as many as the tests.
    ///   - isSoft: it may have more if it asks.
    ///   - more: further options.
    init(
        workers: Int = 2, in folder: SocketFolder = SocketFolder(), descriptorsMax: Int? = nil,
        isSoft: Bool = false, _ more: [String] = []
    ) throws {
        self.folder = folder
        let words =
            [
                "--socket", folder.socket, "--workers", "\(workers)",
            ] + (more.contains("--state") ? [] : ["--state", folder.state]) + more
        if let descriptorsMax {
            running = try Program.started(
                ["-c", "ulimit \(isSoft ? "-S" : "") -n \(descriptorsMax); exec \"$0\" \"$@\""]
                    + [Program.url("locfleetd").path(percentEncoded: false)] + words,
                executable: URL(filePath: "/bin/sh"))
        } else {
            running = try Self.start(words)
        }
        let isThere = eventually(within: 30) { (try? Caller(folder.socket)) != nil }
        try #require(isThere, "it does not listen")
    }

    deinit { if !isOver { end(SIGKILL) } }

    static func start(_ words: [String]) throws -> Program.Running {
        try Program.started(
            words
                + (words.contains(where: ["--state", "--version", "--help"].contains)
                    ? [] : ["--no-state"]),
            executable: Program.url("locfleetd"))
    }

    var pid: Int32 { running.process.processIdentifier }

    func connect() throws -> Caller { try Caller(folder.socket) }

    /// Descriptors that it has open.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    /// Sends a signal and waits for its end.
    @discardableResult
    func end(_ signal: Int32) -> Program {
        kill(pid, signal)
        return wait()
    }

    func wait() -> Program {
        isOver = true
        return running.wait()
    }

    /// Runs `locfleet` against it.
    func locfleet(_ words: [String]) throws -> Program {
        try Program.locfleet(words, environment: ["LOCFLEET_SOCKET": folder.socket])
    }
}
