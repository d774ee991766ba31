/// What the shell sees. The numbers are the contract's.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Refused, or failed while it ran.
    case failed = 1
    /// Wrong usage, or invalid input: nothing was done.
    case usage = 2
    /// The work was done, and its verdict is no.
    case verdictIsNo = 3
    /// Nobody serves the daemon's socket.
    case noDaemon = 4
    case timedOut = 124
    case interrupted = 130

    /// Each with what it means, for people.
    static let meanings: [(status: String, about: String)] = [
        ("0", "done"), ("1", "refused by the daemon, or failed"),
        ("2", "wrong usage, or invalid input: nothing was done"),
        (
            "3",
            "the work was done and its verdict is no: of a threshold, check, lint, test, "
                + "conformance or determinism"
        ),
        ("4", "no daemon serves the socket"), ("124", "timed out"),
        ("130", "interrupted, with what was computed kept and printed"),
    ]
}

/// Why a command ends early, in one line for people.
struct CommandError: Error, Equatable {
    var status: ExitStatus
    var message: String

    init(_ message: String, status: ExitStatus = .usage) {
        (self.status, self.message) = (status, message)
    }
}
