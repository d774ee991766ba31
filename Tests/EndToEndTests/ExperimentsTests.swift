import Foundation
import Metrics
import TestSupport
import Testing

@Suite("The experiments of scripts/experiments")
struct ExperimentsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let devices: Int
        /// The beginnings of the lines that tell something.
        let lines: [String]
        /// How the reading begins: the last line.
        let reading: String
        var testDescription: String { name }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row(name: "progressive-against-on-launch", devices: 150, lines: ["installed", "asked", "kept", "always_7d", "authorized at the end"], reading: "Asked step by step, "),
        Row(name: "always-after-reminders", devices: 30, lines: ["5.0%", "11.0%", "20.0%"], reading: "After 60 days of reminders Always is left to "),
        Row(name: "live-intervention", devices: 150, lines: ["5 ", "10 ", "11 ", "15 "], reading: ""),
        Row(name: "two-futures", devices: 100, lines: ["as it was", "insists"], reading: "Offering it in every session from day 30 on is worth "),
        Row(name: "degrading-population", devices: 100, lines: ["10 ", "20 ", "30 ", "40 ", "50 ", "60 "], reading: "Of all devices "),
        Row(name: "reask-after-allow-once", devices: 150, lines: ["kept", "denied", "undecided", "prompts a person"], reading: "Of "),
    ]

    @Test("answer their question in numbers with intervals, from any folder", arguments: rows)
    func runs(_ row: Row) throws {
        let folder = try ScratchFolder()
        let program = try Program.script(
            "scripts/experiments/\(row.name)", ["--devices", "\(row.devices)"], from: folder.url)
        #expect(program.status == 0, "\(program.error)")
        #expect(program.error == "\(row.devices) devices\n")
        let lines = program.out.split(separator: "\n")
        for start in row.lines {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start): \(program.out)")
        }
        let interval = /% \([0-9.]+ to [0-9.]+\)/
        let last = try #require(lines.last)
        #expect(last.hasPrefix(row.reading) && last.hasSuffix("."), "\(last)")
        #expect(last.contains(interval), "\(last)")
        #expect(!program.out.contains("null"), "\(program.out)")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.path(percentEncoded: false))
        #expect(files.isEmpty)
    }

    @Test("are all of that folder, and say what they ask", arguments: rows)
    func help(_ row: Row) throws {
        let shipped = try FileManager.default.contentsOfDirectory(
            atPath: projectRoot.appending(path: "scripts/experiments").path(percentEncoded: false)
        ).filter { !$0.contains(".") }
        #expect(shipped.sorted() == Self.rows.map(\.name).sorted())
        let program = try Program.script("scripts/experiments/\(row.name)", ["--help"])
        #expect(program.status == 0)
        let lines = program.out.split(separator: "\n")
        #expect(lines.first?.hasSuffix("?") ?? false, "\(program.out)")
        #expect(lines.contains("  scripts/experiments/\(row.name) [--devices N]"))
    }

    @Test("refuse what they do not know, and say so when there is no program")
    func refuses() throws {
        for (words, message) in [
            (["--deveces", "3"], "unknown option --deveces; there is --devices N"),
            (["--devices"], "--devices takes a number of devices above 0"),
            (["--devices", "0"], "--devices takes a number of devices above 0"),
        ] {
            let program = try Program.script("scripts/experiments/\(Self.rows[0].name)", words)
            #expect(program.status == 2, "\(words)")
            #expect(program.error == "\(Self.rows[0].name): \(message)\n")
        }
        let program = try Program.script(
            "scripts/experiments/\(Self.rows[0].name)", [],
            environment: ["LOCFLEET": "/nonexistent/locfleet"])
        #expect(program.status == 2)
        #expect(program.error.contains("there is no /nonexistent/locfleet"), "\(program.error)")
    }

    /// The scripts have intervals of their own, where the report has no figure for it.
    @Test("compute the intervals of Metrics")
    func intervals() throws {
        let rows = [
            PairedCounts(both: 9_451, onlyFirst: 598, onlySecond: 4_166, neither: 5_785),
            PairedCounts(both: 2_578, onlyFirst: 1_200, onlySecond: 1_837, neither: 14_385),
            PairedCounts(both: 1, onlyFirst: 20, onlySecond: 30, neither: 2),
            PairedCounts(onlySecond: 3), PairedCounts(onlyFirst: 7), PairedCounts(both: 5),
            PairedCounts(both: 5, neither: 5), PairedCounts(neither: 4),
        ]
        let lists = rows.map { "[\($0.both),\($0.onlyFirst),\($0.onlySecond),\($0.neither)]" }
        let filter = #"""
            include "shares"; .[] | [newcombe(.)[], wilson(.[0] + .[1]; add)[]]
            | map(tostring) | join(" ")
            """#
        let running = try Program.started(
            ["jq", "-r", "-L", "scripts/experiments", filter],
            executable: URL(filePath: "/usr/bin/env"))
        let program = try running.ended(input: "[\(lists.joined(separator: ","))]")
        #expect(program.status == 0, "\(program.error)")
        let lines = program.out.split(separator: "\n")
        try #require(lines.count == rows.count)
        for (row, line) in zip(rows, lines) {
            let paired = try #require(Intervals.newcombe95(row))
            let first = try #require(Intervals.wilson95(row.both + row.onlyFirst, of: row.total))
            let due = [paired.low, paired.high, first.low, first.high]
            let got = line.split(separator: " ").compactMap { Double($0) }
            #expect(zip(got, due).allSatisfy { abs($0 - $1) < 1e-9 } && got.count == 4, "\(row)")
        }
    }
}
