/// A key of the daemon's file: an option of its command line too, with `-` for `_`.
enum DaemonKey: String, CaseIterable, Sendable {
    case socket, mode, group, state
    case noState = "no_state"
    case workers
    case metricsPort = "metrics_port"
    case logLevel = "log_level"
    case logFormat = "log_format"

    /// What stands in the file for it.
    enum Form: String {
        case text = "a string"
        case path = "a string: an absolute path"
        case number = "a whole number"
        case flag = "true or false"
    }

    var form: Form {
        switch self {
        case .mode, .group, .logLevel, .logFormat: .text
        case .socket, .state: .path
        case .workers, .metricsPort: .number
        case .noState: .flag
        }
    }

    var option: String { "--" + rawValue.replacing("_", with: "-") }

    /// Whether a reload is enough for it.
    var isLive: Bool { self == .logLevel || self == .logFormat }
}
