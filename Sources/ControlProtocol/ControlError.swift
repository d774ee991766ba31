import JSONText

/// What a client is told when a call is refused.
public struct ControlError: Error, Equatable, Sendable {
    /// Raw values travel as `error.data.code`: append, never rename.
    public enum Code: String, CaseIterable, Sendable {
        case parseError = "parse_error"
        case invalidRequest = "invalid_request"
        case unknownMethod = "unknown_method"
        case unknownParameter = "unknown_parameter"
        case missingParameter = "missing_parameter"
        case invalidParameter = "invalid_parameter"
        case internalError = "internal_error"
        case lineTooLong = "line_too_long"
        case noSuchFleet = "no_such_fleet"
        case noSuchDevice = "no_such_device"
        case fleetExists = "fleet_exists"
        /// The fleet cannot do that in the state it is in.
        case wrongState = "wrong_state"
        case noSuchBlob = "no_such_blob"
        /// The bytes sent do not have the hash, or not the offset, that was named.
        case blobMismatch = "blob_mismatch"
        case invalidBundle = "invalid_bundle"
        /// One of the daemon's named limits is reached.
        case limitReached = "limit_reached"
        case noSuchSubscription = "no_such_subscription"
        /// A script does not load, or a fleet failed of its scripts.
        case scriptError = "script_error"
        case outOfMemory = "out_of_memory"
        case shuttingDown = "shutting_down"
        /// The peer is none of those whom the socket's mode is for.
        case notPermitted = "not_permitted"
        /// The daemon cannot keep its state: the disk is full, or cannot be written.
        case stateError = "state_error"
        case noSuchJob = "no_such_job"
        /// Something is wrong with the daemon's own file.
        case invalidConfig = "invalid_config"

        /// The number of JSON-RPC 2.0, section 5.1; ours are those in -32099 ... -32000.
        public var number: Int {
            switch self {
            case .parseError: -32700
            case .invalidRequest: -32600
            case .unknownMethod: -32601
            case .unknownParameter, .missingParameter, .invalidParameter: -32602
            case .internalError: -32603
            case .lineTooLong: -32000
            case .noSuchFleet: -32001
            case .noSuchDevice: -32002
            case .fleetExists: -32003
            case .wrongState: -32004
            case .noSuchBlob: -32005
            case .blobMismatch: -32006
            case .invalidBundle: -32007
            case .limitReached: -32008
            case .noSuchSubscription: -32009
            case .scriptError: -32010
            case .outOfMemory: -32011
            case .shuttingDown: -32012
            case .notPermitted: -32013
            case .stateError: -32014
            case .noSuchJob: -32015
            case .invalidConfig: -32016
            }
        }

        /// In one line, for people.
        public var about: String {
            switch self {
            case .parseError: "the line is not JSON"
            case .invalidRequest: "it is no call of JSON-RPC 2.0"
            case .unknownMethod: "there is no such method"
            case .unknownParameter: "the method has no such parameter"
            case .missingParameter: "a parameter has to be given"
            case .invalidParameter: "a parameter has another form or range"
            case .internalError: "the daemon failed: a bug"
            case .lineTooLong: "the line is over its limit, and the connection closed"
            case .noSuchFleet: "there is no fleet of that name"
            case .noSuchDevice: "the fleet has no device of that number"
            case .fleetExists: "the name is taken"
            case .wrongState: "the fleet cannot do that in the state it is in"
            case .noSuchBlob: "a file has not been sent"
            case .blobMismatch: "the bytes have not the hash, or the offset, that was named"
            case .invalidBundle: "something is wrong with the scenario or its files"
            case .limitReached: "a limit is reached; limit names it"
            case .noSuchSubscription: "the connection has no such subscription"
            case .scriptError: "a script does not load, or the fleet failed of it"
            case .outOfMemory: "the machine has too little memory for the fleet"
            case .shuttingDown: "the daemon is about to end"
            case .notPermitted: "the socket is not for this user"
            case .stateError: "the state folder is full or cannot be written, or damaged"
            case .noSuchJob: "there is no such job"
            case .invalidConfig: "something is wrong with the daemon's own file"
            }
        }

        /// How the client ends when it is told this, in the contract's numbers: 2 for invalid
        /// input, 1 for what is refused or failed.
        public var exitStatus: Int32 {
            switch self {
            case .parseError, .invalidRequest, .unknownMethod, .unknownParameter,
                .missingParameter, .invalidParameter, .lineTooLong, .blobMismatch, .invalidBundle,
                .scriptError, .invalidConfig:
                2
            case .internalError, .noSuchFleet, .noSuchDevice, .fleetExists, .wrongState,
                .noSuchBlob, .limitReached, .noSuchSubscription, .outOfMemory, .shuttingDown,
                .notPermitted, .stateError, .noSuchJob:
                1
            }
        }
    }

    public let code: Code
    public let message: String
    /// The parameter to blame, if one is.
    public let parameter: String?
    /// The limit that is reached, if one is.
    public let limit: LimitName?

    public init(
        _ code: Code, _ message: String, parameter: String? = nil, limit: LimitName? = nil
    ) {
        (self.code, self.message) = (code, message)
        (self.parameter, self.limit) = (parameter, limit)
    }

    /// The line that tells a peer who is waiting for no particular answer: its id is null.
    public var line: String { #"{"jsonrpc":"2.0","id":null,"error":\#(json)}"# }

    /// The `error` member of a response.
    var json: String {
        let culprit = parameter.map { #","parameter":\#(quoted($0))"# } ?? ""
        let limit = limit.map { #","limit":"\#($0.rawValue)""# } ?? ""
        let data = #"{"code":"\#(code.rawValue)"\#(culprit)\#(limit)}"#
        return #"{"code":\#(code.number),"message":\#(quoted(message)),"data":\#(data)}"#
    }
}

/// The complaint about a name that nobody knows.
func unknown(_ thing: String, _ name: String, _ nearest: String?) -> String {
    "unknown \(thing) \"\(cut(name))\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
}

/// `text` as far as a message repeats it.
func cut(_ text: String) -> String {
    text.utf8.count <= 64 ? text : String(text.unicodeScalars.prefix(60)) + "…"
}
