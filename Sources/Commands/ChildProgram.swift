import Foundation

/// A program that a measurement starts, waits for and reads.
struct ChildProgram {
    let executable: URL
    let words: [String]
    var environment: [String: String] = [:]

    /// This very program.
    static var own: URL { URL(filePath: "/proc/self/exe").resolvingSymlinksInPath() }

    /// Runs it to its end.
    ///
    /// - Returns: what it wrote to standard output, and to standard error.
    /// - Throws: where it cannot be started or does not end with status 0.
    func run() throws(CommandError) -> (out: String, error: String) {
        let process = Process()
        process.executableURL = executable
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let name = ([executable.lastPathComponent] + words).joined(separator: " ")
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "locfleet-bench-\(UUID().uuidString)")
        let (out, error) = (folder.appending(path: "out"), folder.appending(path: "error"))
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in [out, error] { try Data().write(to: file) }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: out)
            process.standardError = try FileHandle(forWritingTo: error)
            try process.run()
        } catch {
            throw CommandError("\(name): cannot be started: \(error)", status: .failed)
        }
        process.waitUntilExit()
        func text(_ file: URL) -> String {
            String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        }
        let said = text(error)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let how =
                process.terminationReason == .exit
                ? "ended with status \(process.terminationStatus)"
                : "was ended by signal \(process.terminationStatus)"
            let last = said.split(separator: "\n").suffix(5).joined(separator: "\n")
            throw CommandError("\(name) \(how)\n\(last)", status: .failed)
        }
        return (text(out), said)
    }

    /// The file of a program that is installed.
    static func installed(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
