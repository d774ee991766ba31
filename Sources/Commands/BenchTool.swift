import JSONText
import SimPrimitives

/// `locfleet-bench`: how fast Locfleet is, and what it takes. Without words the reference workload
/// beside native programs; other measurements behind options of their own.
public enum BenchTool {
    static let name = "locfleet-bench"

    static let options: [OptionSpec] = [
        .value(
            "--sizes", "N,NxD",
            "devices, such as 1000,1000000x30; days are 3 or 30 "
                + "(1000, 10000 and 100000 for 30, 1000 and 1000000 for 3)"),
        .value(
            "--rounds", "R", "runs of each program, in turn (5; with --quick 3, with --control 9)"),
        .flag("--quick", "1,000 and 10,000 devices alone, and 3 rounds"),
        .flag("--instructions", "count the instructions an event takes, with valgrind"),
        .flag("--json", "print the figures as JSON"),
        .flag("--record", "write the figures to \(BenchFile.recorded), for runs to come"),
    ]

    /// What a measurement starts itself with; help does not list them.
    private static let ownOptions: [OptionSpec] = [
        .value("--one", "PLAYERS", "one run in this process, as a line of JSON"),
        .value("--workers", "W", "with --one"), .value("--epoch", "SPAN", "with --one"),
        .flag("--profile", "with --one"),
    ]

    static var others: [OptionSpec] {
        EngineBench.options + LuaBench.options + ControlBench.options + CoverageBench.options
    }

    private static let usage = """
        Runs the reference workload in Locfleet and in native programs, in turn, and prints figures,
        what is due of them and what they last were.

        Usage: locfleet-bench [options]

        Options:

        """

    private static let statuses = """

        Exit status: 0 done, 1 something could not be run, 2 wrong usage, 3 a count is wrong, or a
        figure is worse than the recorded one by more than the noise.

        """

    public static func run(_ words: [String], on terminal: Terminal) -> ExitStatus {
        do throws(CommandError) {
            if words.contains("--help") || words.contains("-h") {
                try terminal.print(usage + Verb.columns(of: options + others) + statuses)
                return .done
            }
            let arguments = try Arguments(words, options: options + others + ownOptions, verb: name)
            guard arguments.operands.isEmpty else {
                throw CommandError("locfleet-bench takes options only; 'locfleet-bench --help'")
            }
            try refuseIdle(arguments)
            try measure(arguments, terminal)
            return .done
        } catch {
            terminal.complain("locfleet-bench: \(error.message)")
            return error.status
        }
    }

    /// The measurements that are not the reference workload beside the native programs, and what
    /// options go with each.
    private static let kinds: [(flag: String, takes: [String])] = [
        ("--one", ["--devices", "--days", "--workers", "--epoch", "--profile"]),
        ("--coverage", ["--runs"]),
        ("--control", ["--devices", "--days", "--calls", "--rounds", "--json", "--scenario"]),
        ("--lua", ["--devices", "--days", "--rounds"]),
        ("--engine", ["--devices", "--days", "--rounds"]),
        ("--instructions", ["--json", "--record"]),
    ]

    /// Refuses options that would be ignored.
    private static func refuseIdle(_ arguments: Arguments) throws(CommandError) {
        let kind = kinds.first { arguments.has($0.flag) }
        let takes = kind?.takes ?? ["--sizes", "--rounds", "--quick", "--json", "--record"]
        for option in options + others + ownOptions
        where arguments.has(option.name) && option.name != kind?.flag {
            guard !takes.contains(option.name) else { continue }
            let whose = kind.map { "\($0.flag) does not take" } ?? "the reference workload has no"
            throw CommandError(
                "\(whose) \(option.name); it takes \(takes.joined(separator: ", "))")
        }
    }

    private static func measure(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) {
        let rounds =
            try arguments.number("--rounds", in: 1...101) ?? (arguments.has("--quick") ? 3 : 5)
        if arguments.has("--one") {
            try terminal.print(one(arguments).line())
        } else if arguments.has("--coverage") {
            let runs = try arguments.number("--runs", in: 2...1_000_000) ?? 10_000 as UInt64
            try CoverageBench(runs: runs, terminal: terminal).run()
        } else if arguments.has("--control") {
            try ControlBench(arguments, terminal).run()
        } else if arguments.has("--engine") || arguments.has("--lua") {
            let bench = try EngineBench(arguments, rounds: rounds, terminal: terminal)
            guard arguments.has("--lua") else { return try bench.run() }
            try LuaBench(rounds: rounds, terminal: terminal, demo: bench.demo, bare: bench.bare)
                .run()
        } else if arguments.has("--instructions") {
            try instructions(arguments, terminal)
        } else {
            try workload(arguments, rounds, terminal)
        }
    }

    // MARK: - The reference workload

    private static func one(_ arguments: Arguments) throws(CommandError) -> WorkloadRun {
        guard let players = arguments.value("--one").flatMap(WorkloadRun.Players.init) else {
            let known = WorkloadRun.Players.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandError("--one takes \(known)")
        }
        let epoch = arguments.value("--epoch")
        let span = epoch.flatMap { SimDuration(units: $0) }
        guard epoch == nil || span.map({ $0 >= .seconds(1) }) ?? false else {
            throw CommandError("--epoch is a span of at least a second, such as 1d")
        }
        return WorkloadRun(
            players: players,
            devices: try arguments.number("--devices", in: 1...BenchSize.devicesMax) ?? 1_000,
            days: arguments.value("--days") ?? "30",
            workers: try arguments.number("--workers", in: 1...RunCommand.workersMax) ?? 1,
            epoch: span, isProfiled: arguments.has("--profile"))
    }

    private static func sizes(_ arguments: Arguments) throws(CommandError) -> [BenchSize] {
        guard let text = arguments.value("--sizes") else {
            return arguments.has("--quick") ? BenchSize.quick : BenchSize.all
        }
        var sizes: [BenchSize] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let size = BenchSize(word) else {
                throw CommandError(
                    "--sizes takes numbers of devices in 1 ... \(BenchSize.devicesMax), such as "
                        + "1000,10000, each with x3 or x30 for its days if need be, not '\(word)'")
            }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes.sorted()
    }

    private static func workload(
        _ arguments: Arguments, _ rounds: Int, _ terminal: Terminal
    ) throws(CommandError) {
        let bench = WorkloadBench(sizes: try sizes(arguments), rounds: rounds, terminal: terminal)
        let thresholds = try BenchThresholds()
        let results = try bench.run()
        let figures = BenchFigure.all(results).map { ($0, thresholds.verdict(on: $0)) }
        let page = BenchPage(results: results, rounds: rounds, figures: figures)
        try terminal.print(arguments.has("--json") ? page.json : page.text)
        try close(figures, thresholds, arguments, terminal)
    }

    private static func instructions(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) {
        let thresholds = try BenchThresholds()
        let result = try InstructionBench(terminal: terminal).run()
        let figures = [(figure: result.figure, verdict: thresholds.verdict(on: result.figure))]
        if arguments.has("--json") {
            var writer = JSONWriter(.pretty)
            writer.object { writer in
                writer.member("instructions_an_event", result.ours)
                writer.member("of_the_window_program", result.window)
                writer.key("figures")
                BenchPage.write(figures, to: &writer)
            }
            try terminal.print(writer.text + "\n")
        } else {
            try terminal.print(
                "\(Int(result.ours.rounded())) instructions an event, "
                    + "\(Int(result.window.rounded())) in the native program with windows and "
                    + "Lua\n\n" + BenchPage.table(of: figures))
        }
        try close(figures, thresholds, arguments, terminal)
    }

    /// Records the figures, or fails where one is worse than recorded.
    private static func close(
        _ figures: [(figure: BenchFigure, verdict: BenchThresholds.Verdict)],
        _ thresholds: BenchThresholds, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) {
        if isDebug {
            terminal.complain("locfleet-bench: this is a debug build; its figures mean nothing")
        }
        if arguments.has("--record") {
            var thresholds = thresholds
            try thresholds.record(figures.map(\.figure))
            terminal.complain("locfleet-bench: \(BenchFile.recorded) is written")
            return
        }
        let regressions = BenchPage.regressions(figures)
        guard regressions.isEmpty else {
            throw CommandError(regressions.joined(separator: "\n"), status: .verdictIsNo)
        }
    }

    private static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
