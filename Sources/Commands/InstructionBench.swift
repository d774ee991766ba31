import Foundation

/// `locfleet-bench --instructions`: how many instructions one event takes, beside the native
/// program with windows and Lua. Counts carry no noise, so a test can hold them.
struct InstructionBench {
    private static let devices: UInt64 = 1_000
    /// What an event takes is the slope between these two: loading and building fall out.
    private static let days = 3...13
    /// The devices and both lengths.
    private static let size = "\(devices)x\(days.lowerBound)-\(days.upperBound)"

    let terminal: Terminal

    struct Result {
        let figure: BenchFigure
        let ours: Double
        let window: Double
    }

    func run() throws(CommandError) -> Result {
        try NativePrograms.build()
        guard let valgrind = ChildProgram.installed("valgrind") else {
            throw CommandError(
                "valgrind is not installed, and it counts the instructions; "
                    + "scripts/dev/setup --test installs it", status: .failed)
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "locfleet-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = try stripped(into: folder)
        var slopes: [Double] = []
        for program in [BenchProgram.scripts, .window] {
            let short = try count(program, Self.days.lowerBound, own, valgrind)
            let long = try count(program, Self.days.upperBound, own, valgrind)
            slopes.append((long.instructions - short.instructions) / (long.events - short.events))
        }
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        return Result(
            figure: BenchFigure(.instructions, Self.size, [slopes[0] / slopes[1]]), ours: slopes[0],
            window: slopes[1])
    }

    /// A copy of this program without what debuggers want: valgrind would read all of it.
    private func stripped(into folder: URL) throws(CommandError) -> URL {
        let copy = folder.appending(path: "locfleet-bench")
        guard let strip = ChildProgram.installed("strip") else {
            throw CommandError(
                "strip is not installed; it comes with g++, which scripts/dev/setup installs",
                status: .failed)
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { throw CommandError("\(folder.path): \(error)", status: .failed) }
        _ = try ChildProgram(
            executable: strip, words: ["-g", "-o", copy.path, ChildProgram.own.path]
        ).run()
        return copy
    }

    private func count(
        _ program: BenchProgram, _ days: Int, _ own: URL, _ valgrind: URL
    ) throws(CommandError) -> (instructions: Double, events: Double) {
        if terminal.showsProgress {
            terminal.draw("\rinstructions: \(program.title), \(days) days\u{1B}[K")
        }
        // An epoch of fixed length: where one ends by the wall clock, its instructions vary. A day
        // is what the pace comes to: 32 events a device.
        let command = program.command(devices: Self.devices, days: days, epoch: "1d", own: own)
        let ran = try ChildProgram(
            executable: valgrind,
            words: [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", command.executable.path,
            ] + command.words,
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        ).run()
        let line = ran.error.split(separator: "\n").last { $0.contains("Collected :") }
        guard let words = line?.split(separator: " "), let last = words.last,
            let instructions = Double(last)
        else {
            throw CommandError(
                "valgrind tells no instructions of \(program.title):\n\(ran.error.suffix(400))",
                status: .failed)
        }
        return (instructions, Double(try BenchRun(ran.out, of: program.title).events))
    }
}
