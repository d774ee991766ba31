import DaemonRuntime
import Foundation
import Telemetry
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("The queue of the log")
    struct DaemonLogTests {
        private static func options(
            _ change: (inout DaemonLog.Options) -> Void = { _ in }
        ) -> DaemonLog.Options {
            var options = DaemonLog.Options()
            options.level = .info
            change(&options)
            return options
        }

        /// A pipe's ends, closed with the value.
        private final class Ends {
            let pipe = Pipe()
            var write: Int32 { pipe.fileHandleForWriting.fileDescriptor }

            /// All that was written.
            func text() throws -> String {
                try pipe.fileHandleForWriting.close()
                return String(
                    decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
        }

        @Test("writes lines in their order, and makes none that its level does not want")
        func order() throws {
            let ends = Ends()
            let log = DaemonLog(Self.options(), descriptor: ends.write)
            let wasMade = Flag()
            for number in 0..<50 { log.log(.notice, .call, "line \(number)") }
            log.log(
                .debug, .call,
                {
                    wasMade.raise(); return ""
                }())
            log.flush(within: 10)
            #expect(!wasMade.isRaised && log.counters.lines == 50)
            let lines = try ends.text().split(separator: "\n")
            #expect(lines.map { $0.split(separator: " ").last } == (0..<50).map { "\($0)" })
        }

        @Test("counts lines of one kind that come too fast, and says how many; errors never")
        func suppression() throws {
            let ends = Ends()
            let log = DaemonLog(
                Self.options { $0.linesPerWindow = 5 }, descriptor: ends.write)
            for _ in 0..<20 { log.log(.info, .connected, "come") }
            for _ in 0..<20 { log.log(.error, .internalError, "broken") }
            log.log(.info, .disconnected, "gone")
            log.flush(within: 10)
            #expect(log.counters.suppressed == 15)
            let text = try ends.text()
            #expect(text.ranges(of: " come\n").count == 5)
            #expect(text.ranges(of: " broken\n").count == 20)
            #expect(text.contains(" gone\n") && text.contains("of=connected count=15 "))
        }

        @Test("says what it left out when its time is over, if nobody logs any more")
        func window() throws {
            let ends = Ends()
            let log = DaemonLog(
                Self.options { ($0.linesPerWindow, $0.windowSeconds) = (1, 0.05) },
                descriptor: ends.write)
            for _ in 0..<3 { log.log(.info, .connected, "come") }
            #expect(eventually { log.counters.lines == 2 })
            log.flush(within: 10)
            #expect(try ends.text().contains("of=connected count=2 "))
        }

        @Test("never waits for a reader that has stopped: lines are dropped, counted and told of")
        func stuck() throws {
            let ends = Ends()
            let log = DaemonLog(
                Self.options { ($0.queuedLines, $0.linesPerWindow) = (100, .max) },
                descriptor: ends.write)
            let text = String(repeating: "x", count: 500)
            let began = ContinuousClock.now
            for _ in 0..<5_000 { log.log(.info, .connected, text) }
            log.flush(within: 0.05)
            #expect(ContinuousClock.now - began < .seconds(60), "it does not wait for the reader")
            let dropped = log.counters.dropped
            #expect(dropped > 0 && log.counters.lines + dropped == 5_000)
            let reader = Flag()
            let handle = ends.pipe.fileHandleForReading
            nonisolated(unsafe) var seen = ""
            let thread = Thread {
                while seen.firstMatch(of: /count=\d+ lines were dropped/) == nil {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    seen += String(decoding: data, as: UTF8.self)
                }
                reader.raise()
            }
            thread.start()
            #expect(
                eventually {
                    log.log(.info, .disconnected, "again")
                    return reader.isRaised
                })
        }
    }
}
