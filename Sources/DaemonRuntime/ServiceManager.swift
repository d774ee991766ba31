import CGlibc
import Dispatch
import Glibc

/// Who started the daemon and wants to know how it stands: systemd's `sd_notify`.
///
/// Telling never waits and never fails the daemon: nobody may be there any more.
///
/// Source: sd_notify(3) and sd_watchdog_enabled(3), systemd 252.
public final class ServiceManager: Sendable {
    private let descriptor: Int32
    /// As the kernel takes it: of a path, or after a byte of 0 an abstract name.
    private let address: [UInt8]
    /// Wall time within which it expects to hear that the daemon lives; nil: it does not.
    public let watchdogMicroseconds: UInt64?

    /// Variables that are told to this process alone: a child would speak in its name.
    public static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID",
        "LISTEN_FDNAMES",
    ]

    /// The manager that `NOTIFY_SOCKET` names, by a path or `@` and an abstract name; nil: none.
    public init?(_ environment: [String: String], pid: Int32 = getpid()) {
        guard let name = environment["NOTIFY_SOCKET"], let mark = name.utf8.first,
            mark == UInt8(ascii: "/") || mark == UInt8(ascii: "@"),
            2...ControlSocketPath.bytesMax ~= name.utf8.count, !name.utf8.contains(0)
        else { return nil }
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        address = Array(name.utf8)
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == pid } ?? true
        let interval = environment["WATCHDOG_USEC"].flatMap(UInt64.init)
        watchdogMicroseconds = isOurs ? interval.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    deinit { close(descriptor) }

    /// Unsets `variables`. To be called before there are threads that read the environment.
    public static func forgetVariables() { for name in variables { unsetenv(name) } }

    /// The daemon serves, also again after `reloading`.
    public func ready(_ status: String) { tell(["READY=1", statusLine(status)]) }

    public func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        tell(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    public func stopping() { tell(["STOPPING=1", statusLine("stopping")]) }

    /// The daemon lives.
    public func beat(_ status: String) { tell(["WATCHDOG=1", statusLine(status)]) }

    private func statusLine(_ status: String) -> String {
        "STATUS=" + status.split(separator: "\n").joined(separator: " ")
    }

    private func tell(_ lines: [String]) {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        ControlDescriptor.withAddress(bytes: address) { address, size in
            _ = ControlDescriptor.retrying {
                sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT),
                    address, size)
            }
        }
    }
}

/// Tells a service manager twice within its interval that the daemon lives, for as long as the
/// server's own queue gets its turn: a daemon that answers nobody is not said to live.
public final class Heartbeat {
    private let timer: any DispatchSourceTimer

    /// - Returns: nil where nobody expects it.
    public init?(
        _ manager: ServiceManager, of server: ControlServer,
        _ status: @escaping @Sendable () -> String
    ) {
        guard let interval = manager.watchdogMicroseconds else { return nil }
        timer = DispatchSource.makeTimerSource(queue: server.queue)
        let half = DispatchTimeInterval.microseconds(Int(clamping: max(interval / 2, 1_000)))
        timer.setEventHandler { manager.beat(status()) }
        timer.schedule(deadline: .now(), repeating: half)
        timer.activate()
    }

    public func stop() { timer.cancel() }
}

/// Calls `then` for each SIGHUP, on a queue of its own.
public final class Hangup {
    private let source: any DispatchSourceSignal

    public init(_ then: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)  // Or the default would end the process before the source hears.
        let queue = DispatchQueue(label: "locfleet.hangup")
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        source.setEventHandler(handler: then)
        source.activate()
    }
}
