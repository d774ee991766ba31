import JSONText

/// One method that the daemon knows: all that is said of it anywhere is made from this.
///
/// The methods are in `ControlMethod+….swift`. A new one is a `static let` there, its place in
/// `allCases`, a case of `ControlRequest` and an answer of `FleetService`.
public struct ControlMethod: CaseIterable, Equatable, Sendable {
    /// The wire name: append, never rename.
    public let name: String
    /// In one line, for people.
    public let summary: String
    /// The verb of the command line that calls it; nil where no verb is this method alone.
    public let verb: String?
    /// In the order that positional parameters have: append, never insert.
    public let parameters: [ValueEntry]
    public let result: ValueForm
    /// What it may refuse with, beside `commonErrors`.
    public let ownErrors: [ControlError.Code]
    public let example: Example
    /// What follows the result again and again, until the subscription ends.
    public let notification: Notification?
    let decode: @Sendable (inout ControlParameters) -> ControlRequest

    public struct Notification: Sendable {
        /// Its `method`.
        public let name: String
        /// Its `params`.
        public let form: ValueForm
    }

    /// A call with its result.
    public struct Example: Sendable {
        /// An object, as JSON.
        public let parameters: String
        /// As JSON.
        public let result: String

        init(_ parameters: String = "{}", gives result: String) {
            (self.parameters, self.result) = (parameters, result)
        }
    }

    /// - Parameter decode: makes the request of parameters that all have their forms.
    init(
        _ name: String, _ summary: String, verb: String?, parameters: [ValueEntry] = [],
        result: ValueForm, errors: [ControlError.Code] = [], example: Example,
        notification: Notification? = nil,
        decode: @escaping @Sendable (inout ControlParameters) -> ControlRequest
    ) {
        (self.name, self.summary, self.verb) = (name, summary, verb)
        (self.parameters, self.result, ownErrors) = (parameters, result, errors)
        (self.example, self.notification, self.decode) = (example, notification, decode)
    }

    /// What every method may refuse with.
    public static let commonErrors: [ControlError.Code] = [
        .unknownParameter, .missingParameter, .invalidParameter, .limitReached, .internalError,
        .shuttingDown,
    ]

    public var errors: [ControlError.Code] {
        ownErrors
            + Self.commonErrors.filter { code in
                !ownErrors.contains(code)
                    && (code != .missingParameter || parameters.contains(where: \.isRequired))
                    && (code != .invalidParameter || !parameters.isEmpty)
            }
    }

    public init?(name: String) {
        guard let method = Self.byName[name] else { return nil }
        self = method
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    public static func == (left: ControlMethod, right: ControlMethod) -> Bool {
        left.name == right.name
    }
}
