import Foundation

/// The project's root.
public let projectRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A peer that is gone is told by `write`, and does not end the tests. What they start has the
/// signal's own way again: a handler does not outlive `exec`, as ignoring would.
let pipeSignalIsCaught: Void = { signal(SIGPIPE) { _ in } }()

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
        try started(arguments, environment: environment).ended(input: input)
    }

    /// Runs a script of the project's, with `locfleet` as it was built beside the tests.
    ///
    /// - Parameter folder: where the script is called from.
    public static func script(
        _ path: String, _ arguments: [String], from folder: URL = projectRoot,
        environment: [String: String] = [:]
    ) throws -> Program {
        let locfleet = url("locfleet").path(percentEncoded: false)
        return try started(
            arguments, environment: ["LOCFLEET": locfleet].merging(environment) { $1 },
            executable: projectRoot.appending(path: path), folder: folder
        ).ended()
    }

    /// Starts a program, `locfleet` unless another is named, and leaves it running.
    ///
    /// - Parameter descriptor: its standard input; nil: a pipe.
    public static func started(
        _ arguments: [String], environment: [String: String] = [:],
        executable: URL = url("locfleet"), folder: URL = projectRoot,
        reading descriptor: Int32? = nil
    ) throws -> Running {
        _ = pipeSignalIsCaught
        let running = Running()
        running.process.executableURL = executable
        running.process.arguments = arguments
        running.process.currentDirectoryURL = folder
        running.process.environment = ProcessInfo.processInfo.environment.merging(environment) {
            $1
        }
        if let descriptor {
            running.process.standardInput = FileHandle(
                fileDescriptor: descriptor, closeOnDealloc: false)
        } else {
            running.process.standardInput = running.input
        }
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

        /// Gives it all that it reads, and waits for its end.
        public func ended(input text: String = "") throws -> Program {
            input.fileHandleForWriting.write(Data(text.utf8))
            try input.fileHandleForWriting.close()
            return wait()
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
