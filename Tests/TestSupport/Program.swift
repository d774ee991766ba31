import Foundation

/// The project's root.
public let projectRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A program of the package as a user runs it, and how it ended.
public struct Program: Sendable {
    public var status: Int32
    public var out: String
    public var error: String

    /// The file of a program that was built beside the tests.
    public static func url(_ name: String) -> URL {
        URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: name)
    }

    /// Runs `locfleet` to its end, with the project's root as its folder.
    public static func locfleet(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> Program {
        let process = try started(arguments, environment: environment)
        process.input.fileHandleForWriting.write(Data(input.utf8))
        try process.input.fileHandleForWriting.close()
        return process.wait()
    }

    /// Starts `locfleet`, or the program at `file`, and leaves it running.
    public static func started(
        at file: URL = url("locfleet"), _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Running {
        let running = Running()
        running.process.executableURL = file
        running.process.arguments = arguments
        running.process.currentDirectoryURL = projectRoot
        running.process.environment = ProcessInfo.processInfo.environment.merging(environment) {
            $1
        }
        running.process.standardInput = running.input
        running.process.standardOutput = running.out
        running.process.standardError = running.error
        try running.process.run()
        running.collect()
        return running
    }

    /// A program that runs.
    public final class Running: @unchecked Sendable {
        // Safe: the two collectors write one property each, and `wait` reads them after joining.
        public let process = Process()
        let input = Pipe()
        let out = Pipe()
        let error = Pipe()
        private var outData = Data()
        private var errorData = Data()
        private let group = DispatchGroup()

        func collect() {
            DispatchQueue.global().async(group: group) {
                self.outData = self.out.fileHandleForReading.readDataToEndOfFile()
            }
            DispatchQueue.global().async(group: group) {
                self.errorData = self.error.fileHandleForReading.readDataToEndOfFile()
            }
        }

        public func wait() -> Program {
            process.waitUntilExit()
            group.wait()
            let status =
                process.terminationReason == .uncaughtSignal
                ? 128 + process.terminationStatus : process.terminationStatus
            return Program(
                status: status, out: String(decoding: outData, as: UTF8.self),
                error: String(decoding: errorData, as: UTF8.self))
        }
    }
}

/// A folder of a test's own, gone when the value is.
public final class ScratchFolder {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "locfleet-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path(percentEncoded: false)
    }

    public func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }
}
