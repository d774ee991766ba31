import JSONText

extension BenchPage {
    /// The same for programs. Members are appended, never renamed.
    var json: String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.member("rounds", rounds)
            writer.key("sizes")
            writer.array { writer in
                for result in results { Self.write(result, to: &writer) }
            }
            writer.key("figures")
            Self.write(figures, to: &writer)
        }
        return writer.text + "\n"
    }

    private static func write(_ result: WorkloadBench.Result, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("devices", result.size.devices)
            writer.member("days", result.size.days)
            writer.key("programs")
            writer.array { writer in
                for program in BenchProgram.allCases {
                    write(result.runs[program] ?? [], of: program, result, to: &writer)
                }
            }
        }
    }

    private static func write(
        _ runs: [BenchRun], of program: BenchProgram, _ result: WorkloadBench.Result,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("program", program.rawValue)
            writer.member("events", runs.first?.events ?? 0)
            write(runs.map(\.rate), called: "events_per_cpu_second", to: &writer)
            write(runs.map(\.cpuSeconds), called: "cpu_seconds", to: &writer)
            write(runs.map(\.setupSeconds), called: "build_cpu_seconds", to: &writer)
            write(runs.map(\.wallSeconds), called: "wall_seconds", to: &writer)
            write(
                runs.map { Double($0.residentBytes) }, called: "resident_bytes", to: &writer)
            write(result.bytes(program), called: "bytes_a_device", to: &writer)
            writer.key("shares")
            guard let shares = result.profiles[program]?.shares else {
                writer.null()
                return
            }
            writer.object { writer in
                for (part, share) in shares {
                    writer.member(part, (share * 1e4).rounded() / 1e4)
                }
            }
        }
    }

    private static func write(
        _ values: [Double], called name: String, to writer: inout JSONWriter
    ) {
        writer.key(name)
        writer.object { writer in
            writer.member("median", BenchFigure.median(values))
            writer.member("least", values.min() ?? .nan)
            writer.member("most", values.max() ?? .nan)
        }
    }

    static func write(
        _ figures: [(figure: BenchFigure, verdict: BenchThresholds.Verdict)],
        to writer: inout JSONWriter
    ) {
        func optional(_ name: String, _ value: Double?, _ writer: inout JSONWriter) {
            writer.key(name)
            if let value { writer.double(value) } else { writer.null() }
        }
        writer.array { writer in
            for (figure, verdict) in figures {
                writer.object { writer in
                    writer.member("figure", figure.name.rawValue)
                    writer.member("size", figure.size)
                    writer.member("median", figure.median)
                    writer.member("least", figure.values.min() ?? .nan)
                    writer.member("most", figure.values.max() ?? .nan)
                    optional("due", verdict.due, &writer)
                    writer.key("reached")
                    if let isReached = verdict.isReached {
                        writer.bool(isReached)
                    } else {
                        writer.null()
                    }
                    optional("recorded", verdict.recorded, &writer)
                    optional("noise", verdict.noise, &writer)
                    writer.member("regression", verdict.isRegression)
                }
            }
        }
    }
}
