import Foundation
import Simulation

/// One figure of the bench, that something is due of or that a regression shows in.
struct BenchFigure {
    /// Raw values are the names in `config/bench`: append, never rename.
    enum Name: String, CaseIterable {
        case ratioToHeap = "ratio_to_heap"
        case ratioToBucket = "ratio_to_bucket"
        case ratioToWindow = "ratio_to_window"
        case ratioWithoutScripts = "ratio_to_window_without_scripts"
        case workers = "speedup_of_2_workers"
        case rateTo1000 = "rate_to_that_at_1000"
        case bytes = "bytes_a_device"
        case bytesWithoutScripts = "bytes_a_device_without_scripts"
        case gigabytes = "resident_gigabytes"
        case instructions = "instructions_to_window"

        var isBetterHigher: Bool {
            switch self {
            case .bytes, .bytesWithoutScripts, .gigabytes, .instructions: false
            default: true
            }
        }
    }

    let name: Name
    /// Such as "100000x30".
    let size: String
    /// One for each round.
    let values: [Double]

    init(_ name: Name, _ size: String, _ values: [Double]) {
        (self.name, self.size, self.values) = (name, size, values)
    }

    var key: String { "\(name.rawValue)@\(size)" }
    var median: Double { Self.median(values) }

    /// By what share of the median rounds lie off it at the most.
    var spread: Double {
        guard median > 0 else { return 0 }
        return values.reduce(0) { max($0, abs($1 - median)) } / median
    }

    /// Of an even number of values the lower middle one.
    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? .nan : values.sorted()[(values.count - 1) / 2]
    }
}

extension BenchFigure {
    /// Below this many devices pages of the process hide what a device takes.
    private static let devicesMinForBytes: UInt64 = 100_000

    /// All figures of a run of the bench, by size. Ratios are between programs of the same round.
    static func all(_ results: [WorkloadBench.Result]) -> [BenchFigure] {
        return results.flatMap { result -> [BenchFigure] in
            let size = result.size.key
            let like = BenchSize(devices: 1_000, days: result.size.days)
            let small = results.first { $0.size == like }
            func ratios(_ one: BenchProgram, _ other: BenchProgram) -> [Double] {
                result.pairs(one, other).map { $0.rate / $1.rate }
            }
            let speedups = result.pairs(.scripts, .twoWorkers).map {
                $0.wallSeconds / $1.wallSeconds
            }
            var figures = [
                BenchFigure(.ratioToHeap, size, ratios(.scripts, .heap)),
                BenchFigure(.ratioToBucket, size, ratios(.scripts, .bucket)),
                BenchFigure(.ratioToWindow, size, ratios(.scripts, .window)),
                BenchFigure(
                    .ratioWithoutScripts, size, ratios(.withoutScripts, .windowWithoutScripts)),
            ]
            // One block is one worker's, and so is a machine with one core.
            if result.size.devices > UInt64(Block.deviceCountMax),
                ProcessInfo.processInfo.activeProcessorCount > 1
            {
                figures.append(BenchFigure(.workers, size, speedups))
            }
            if let small, small.size != result.size {
                let rates = zip(result.runs[.scripts] ?? [], small.runs[.scripts] ?? [])
                figures.append(BenchFigure(.rateTo1000, size, rates.map { $0.rate / $1.rate }))
            }
            guard result.size.devices >= devicesMinForBytes else { return figures }
            return figures + [
                BenchFigure(.bytesWithoutScripts, size, result.bytes(.withoutScripts)),
                BenchFigure(.bytes, size, result.bytes(.scripts)),
                BenchFigure(
                    .gigabytes, size,
                    (result.runs[.scripts] ?? []).map { Double($0.residentBytes) / 1e9 }),
            ]
        }
    }
}

extension WorkloadBench.Result {
    /// Runs of two programs, of the same rounds.
    func pairs(_ one: BenchProgram, _ other: BenchProgram) -> [(BenchRun, BenchRun)] {
        Array(zip(runs[one] ?? [], runs[other] ?? []))
    }

    /// Peak memory beyond that with one device, for each device, by round.
    func bytes(_ program: BenchProgram) -> [Double] {
        (runs[program] ?? []).map {
            (Double($0.residentBytes) - Double(bareBytes[program] ?? 0)) / Double(size.devices)
        }
    }
}
