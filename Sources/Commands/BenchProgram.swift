import Foundation
import JSONText

/// Who runs the reference workload: a row of the bench's tables.
enum BenchProgram: String, CaseIterable {
    case heap, bucket, window
    case windowWithoutScripts = "window_without_scripts"
    case scripts
    case twoWorkers = "scripts_2_workers"
    case withoutScripts = "without_scripts"

    static let native: [BenchProgram] = [.heap, .bucket, .window, .windowWithoutScripts]
    static let ours: [BenchProgram] = [.scripts, .twoWorkers, .withoutScripts]
    /// Whose time is told by part.
    static let profiled: [BenchProgram] = [.scripts, .withoutScripts]
    var isNative: Bool { Self.native.contains(self) }

    /// What the row is called for people.
    var title: String {
        switch self {
        case .heap: "native, heap, Lua"
        case .bucket: "native, bucket queue, Lua"
        case .window: "native, windows, Lua"
        case .windowWithoutScripts: "native, windows, no script"
        case .scripts: "Locfleet, Lua, 1 worker"
        case .twoWorkers: "Locfleet, Lua, 2 workers"
        case .withoutScripts: "Locfleet, no script, 1 worker"
        }
    }

    /// The command that runs it.
    ///
    /// - Parameters:
    ///   - epoch: of ours, such as "1d"; nil: by the wall clock, as in every run.
    ///   - isProfiled: ours tells where its time went.
    ///   - own: our executable.
    func command(
        devices: UInt64, days: Int, epoch: String? = nil, isProfiled: Bool = false,
        own: URL = ChildProgram.own
    ) -> ChildProgram {
        let size = ["--devices", "\(devices)", "--days", "\(days)"]
        func lua(_ queue: String) -> ChildProgram {
            ChildProgram(
                executable: NativePrograms.lua,
                words: size + [
                    "--queue", queue, "--mode", "args", "--hook", "10000", "--scripts",
                    NativePrograms.sources,
                ])
        }
        func ours(_ players: WorkloadRun.Players, workers: Int) -> ChildProgram {
            ChildProgram(
                executable: own,
                words: ["--one", players.rawValue, "--workers", "\(workers)"] + size
                    + (epoch.map { ["--epoch", $0] } ?? [])
                    + (isProfiled ? ["--profile"] : []))
        }
        switch self {
        case .heap: return lua("heap")
        case .bucket: return lua("bucket")
        case .window: return lua("window")
        case .windowWithoutScripts:
            return ChildProgram(
                executable: NativePrograms.plain, words: size + ["--queue", "window"])
        case .scripts: return ours(.scripts, workers: 1)
        case .twoWorkers: return ours(.scripts, workers: 2)
        case .withoutScripts: return ours(.swift, workers: 1)
        }
    }
}

/// The programs in `config/reference-workload/native`, built here.
enum NativePrograms {
    static let sources = "config/reference-workload/native"
    private static let folder = ".build/bench-native"
    static var lua: URL { URL(filePath: folder).appending(path: "funnel_lua54") }
    static var plain: URL { URL(filePath: folder).appending(path: "funnel_cpp") }

    /// Builds what is not built yet.
    static func build() throws(CommandError) {
        guard FileManager.default.fileExists(atPath: sources + "/Makefile") else {
            throw CommandError(
                "\(sources)/Makefile is not here: run locfleet-bench in the project's folder")
        }
        let missing = ["make", "g++", "pkg-config"].filter { ChildProgram.installed($0) == nil }
        guard missing.isEmpty, let make = ChildProgram.installed("make") else {
            throw CommandError(
                "not installed: \(missing.joined(separator: ", ")); the native programs are built "
                    + "with make, g++ and pkg-config, and scripts/dev/setup installs these",
                status: .failed)
        }
        let folder = URL(filePath: folder).path
        _ = try ChildProgram(
            executable: make,
            words: [
                "--silent", "-C", sources, "BUILD=\(folder)", "\(folder)/funnel_cpp",
                "\(folder)/funnel_lua54",
            ]
        ).run()
    }
}

/// What one run of a program told of itself.
struct BenchRun {
    let counts: [(name: String, count: UInt64)]
    let events: UInt64
    /// Of the simulation, and of building the fleet before it.
    let cpuSeconds: Double
    let setupSeconds: Double
    let wallSeconds: Double
    let residentBytes: UInt64
    let timeToGrant: [UInt64]
    /// Of ours.
    let digest: String?
    /// By part of the engine, of all of the simulation's time; empty where it is not measured.
    let shares: [(part: String, share: Double)]
    /// How often a worker was looked at for these.
    let looks: UInt64

    /// Reads the line that it printed.
    init(_ line: String, of name: String) throws(CommandError) {
        let root: JSONNode
        do throws(JSONError) { root = try JSONReader.read(Array(line.utf8), as: .json) } catch {
            throw CommandError("\(name): \(error.message): '\(line)'", status: .failed)
        }
        func number(_ member: String) throws(CommandError) -> Double {
            guard let number = root[member]?.number.flatMap(Double.init) else {
                throw CommandError("\(name) tells no '\(member)': '\(line)'", status: .failed)
            }
            return number
        }
        func count(_ member: String) throws(CommandError) -> UInt64 {
            guard let count = UInt64(exactly: try number(member)) else {
                throw CommandError("\(name): '\(member)' is no count: '\(line)'", status: .failed)
            }
            return count
        }
        events = try count("events")
        cpuSeconds = try number("sim_cpu_s")
        setupSeconds = try number("setup_cpu_s")
        wallSeconds = try number("sim_wall_s")
        // A process that tells nonsense is no crash of ours.
        residentBytes = min(try count("peak_rss_kb"), UInt64.max >> 10) * 1_024
        counts = (root["counts"]?.members ?? []).compactMap { member in
            member.node.number.flatMap { UInt64($0) }.map { (member.name, $0) }
        }
        timeToGrant = (root["time_to_grant"]?.array ?? []).compactMap {
            $0.number.flatMap { UInt64($0) }
        }
        digest = root["digest"]?.string
        let parts = (root["profile"]?.members ?? []).compactMap { member in
            member.node.number.flatMap { UInt64($0) }.map { (member.name, $0) }
        }
        let looks = parts.reduce(0) { $0 + $1.1 }
        self.looks = looks
        shares = parts.map { ($0.0, Double($0.1) / Double(max(looks, 1))) }
    }

    /// Events of the yardstick for each CPU second of the simulation.
    var rate: Double { Double(events) / max(cpuSeconds, 1e-9) }
}
