import ControlService
import DaemonRuntime
import Foundation
import Telemetry

/// What others see of the daemon: its log, and its metrics for a collector.
extension DaemonTool {
    static func logOptions(
        _ settings: DaemonSettings, _ environment: [String: String]
    ) -> DaemonLog.Options {
        var options = DaemonLog.Options()
        (options.level, options.format) = (settings.logLevel, settings.logFormat)
        options.hasPriority = isJournal(environment)
        return options
    }

    /// Whether standard error leads to journald, which says so by device and inode.
    ///
    /// Source: systemd.exec(5), $JOURNAL_STREAM.
    static func isJournal(_ environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// - Throws: with the status of wrong usage where the port cannot be had.
    static func metrics(
        _ port: UInt16, _ service: FleetService
    ) throws(CommandError) -> HTTPServer {
        do throws(HTTPServer.Failure) {
            return try HTTPServer(port: port, pages: pages(of: service))
        } catch { throw CommandError("--metrics-port: \(error.message)") }
    }

    static func pages(of service: FleetService) -> [String: HTTPServer.Page] {
        [
            "/metrics": { accept in
                let format = Exposition.Format(accept: accept)
                // Of all fleets there is always something to say.
                let text = (try? service.exposition(of: nil, as: format)) ?? ""
                return HTTPServer.Answer(contentType: format.contentType, text: text)
            },
            "/healthz": { _ in
                HTTPServer.Answer(contentType: "text/plain; charset=utf-8", text: "ok\n")
            },
        ]
    }
}
