import DaemonRuntime
import Foundation
import JSONText
import StateStore
import Telemetry

/// What a daemon goes by: options of the command line, then the environment, then its file, then
/// what is standard.
struct DaemonSettings: Equatable, Sendable {
    var socket: ControlSocketPath
    var mode: UInt16
    var group: UInt32?
    /// Where fleets are kept; nil: nowhere.
    var state: String?
    var workers: Int
    var metricsPort: UInt16?
    var logLevel: LogLevel
    var logFormat: LogLine.Format

    /// - Throws: with the option, or file, line and key, of what is wrong.
    init(
        _ arguments: Arguments, _ file: DaemonFile?, environment: [String: String]
    ) throws(CommandError) {
        let source = Source(arguments: arguments, file: file)
        socket = .chosen(arguments, or: source[.socket]?.text, environment: environment)
        group = try Self.group(source[.group])
        mode = try Self.mode(source[.mode], hasGroup: group != nil)
        state = try Self.state(source, environment)
        workers =
            try Self.number(source[.workers], in: 1...RunCommand.workersMax)
            ?? ProcessInfo.processInfo.activeProcessorCount
        metricsPort = try Self.number(source[.metricsPort], in: 1...UInt16.max)
        let standard = DaemonLog.Options()
        logLevel = try Self.word(source[.logLevel]) ?? standard.level
        logFormat = try Self.word(source[.logFormat]) ?? standard.format
    }

    /// The keys whose values are not those of `other`.
    func differences(from other: DaemonSettings) -> [DaemonKey] {
        DaemonKey.allCases.filter { key in
            switch key {
            case .socket: socket != other.socket
            case .mode: mode != other.mode
            case .group: group != other.group
            case .state: state != other.state && state != nil && other.state != nil
            case .noState: (state == nil) != (other.state == nil)
            case .workers: workers != other.workers
            case .metricsPort: metricsPort != other.metricsPort
            case .logLevel: logLevel != other.logLevel
            case .logFormat: logFormat != other.logFormat
            }
        }
    }

    // MARK: - Values

    /// A value of the command line, or else of the file.
    private struct Source {
        let arguments: Arguments
        let file: DaemonFile?

        subscript(key: DaemonKey) -> DaemonFile.Value? {
            if let text = arguments.value(key.option) {
                return DaemonFile.Value(text: text, label: key.option)
            }
            return file?.values[key]
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ value: DaemonFile.Value?, in range: ClosedRange<Number>
    ) throws(CommandError) -> Number? {
        guard let value else { return nil }
        guard let number = Number(value.text), range.contains(number) else {
            throw CommandError(
                "\(value.label) is a whole number in \(range.lowerBound) ... \(range.upperBound), "
                    + "not '\(value.text)'")
        }
        return number
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: DaemonFile.Value?
    ) throws(CommandError) -> Word? {
        guard let value else { return nil }
        if let word = Word(rawValue: value.text) { return word }
        let known = Word.allCases.map(\.rawValue)
        let near = nearest(to: value.text, among: known).map { "; did you mean '\($0)'?" } ?? ""
        throw CommandError(
            "\(value.label) is one of \(known.joined(separator: ", ")), not '\(value.text)'\(near)")
    }

    private static func mode(
        _ value: DaemonFile.Value?, hasGroup: Bool
    ) throws(CommandError) -> UInt16 {
        guard let value else { return hasGroup ? 0o660 : 0o600 }
        guard let mode = UInt16(value.text, radix: 8), [0o600, 0o660, 0o666].contains(mode) else {
            throw CommandError("\(value.label) is 0600, 0660 or 0666, not '\(value.text)'")
        }
        return mode
    }

    private static func group(_ value: DaemonFile.Value?) throws(CommandError) -> UInt32? {
        guard let value else { return nil }
        guard let entry = getgrnam(value.text) else {
            throw CommandError(
                "\(value.label): there is no group '\(value.text)' on this machine")
        }
        return entry.pointee.gr_gid
    }

    private static func state(
        _ source: Source, _ environment: [String: String]
    ) throws(CommandError) -> String? {
        let (arguments, file) = (source.arguments, source.file)
        guard !arguments.has(DaemonKey.noState.option) else {
            guard arguments.value(DaemonKey.state.option) == nil else {
                throw CommandError("--state and --no-state contradict each other; take one")
            }
            return nil
        }
        if let path = source[.state]?.text {
            guard !path.isEmpty else { throw CommandError("--state is the path of a folder") }
            return path
        }
        if file?.values[.noState]?.text == "true" { return nil }
        guard let path = StateFolder.standard(environment: environment, uid: getuid()) else {
            throw CommandError(
                "there is no place for the state: $HOME is not set; name one with --state, or give "
                    + "--no-state")
        }
        return path
    }
}
