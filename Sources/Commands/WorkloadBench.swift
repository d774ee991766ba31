import SimPrimitives

/// `locfleet-bench`: the reference workload in Locfleet and in the native programs, in turn.
struct WorkloadBench {
    /// What the rounds of one size came to.
    struct Result {
        let size: BenchSize
        var runs: [BenchProgram: [BenchRun]] = [:]
        /// Peak memory of the same program with one device.
        var bareBytes: [BenchProgram: UInt64] = [:]
        /// Where the time of ours goes: of one more run, which is not timed.
        var profiles: [BenchProgram: BenchRun] = [:]
    }

    let sizes: [BenchSize]
    let rounds: Int
    let terminal: Terminal

    func run() throws(CommandError) -> [Result] {
        try NativePrograms.build()
        let expectations = try BenchExpectations()
        var results = sizes.map { Result(size: $0) }
        for index in results.indices {
            let one = BenchSize(devices: 1, days: results[index].size.days)
            for program in BenchProgram.allCases {
                results[index].bareBytes[program] =
                    try measured(program, one, "memory").residentBytes
            }
        }
        for round in 1...rounds {
            for index in results.indices {
                for program in BenchProgram.allCases {
                    let run = try measured(
                        program, results[index].size, "round \(round) of \(rounds)")
                    try check(run, of: program, results[index], expectations)
                    results[index].runs[program, default: []].append(run)
                }
            }
        }
        for index in results.indices {
            for program in BenchProgram.profiled {
                let run = try measured(program, results[index].size, "profile", isProfiled: true)
                try check(run, of: program, results[index], expectations)
                results[index].profiles[program] = run
            }
        }
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        return results
    }

    private func measured(
        _ program: BenchProgram, _ size: BenchSize, _ what: String, isProfiled: Bool = false
    ) throws(CommandError) -> BenchRun {
        if terminal.showsProgress {
            let text = "\(what): \(size.devices) x \(size.days) days: \(program.title)"
            terminal.draw("\r\(text.prefix(max(terminal.width - 1, 0)))\u{1B}[K")
        }
        let command = program.command(
            devices: size.devices, days: size.days, isProfiled: isProfiled)
        let out = try command.run().out
        return try BenchRun(out, of: program.title)
    }

    /// Holds a run against what is due, and against those before it that must agree with it.
    private func check(
        _ run: BenchRun, of program: BenchProgram, _ result: Result,
        _ expectations: BenchExpectations
    ) throws(CommandError) {
        let place = "\(program.title), \(result.size.devices) devices, \(result.size.days) days"
        let isNative = program.isNative
        if let fault = expectations.fault(in: run, of: result.size, isNative: isNative) {
            throw CommandError("\(place): \(fault)", status: .verdictIsNo)
        }
        let kin = isNative ? BenchProgram.native : BenchProgram.ours
        guard
            let (other, first) = kin.lazy.compactMap({ kind in
                result.runs[kind]?.first.map { (kind, $0) }
            }).first
        else { return }
        for (mine, theirs) in zip(BenchExpectations.all(run), BenchExpectations.all(first))
        where mine != theirs {
            throw CommandError(
                "\(place): \(mine.name) is \(mine.count), and \(theirs.count) in "
                    + "'\(other.title)': they are to be the same run", status: .verdictIsNo)
        }
        if run.digest != first.digest {
            throw CommandError(
                "\(place): the digest is another than in '\(other.title)'", status: .verdictIsNo)
        }
    }
}
