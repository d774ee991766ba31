/// Why the daemon cannot serve its socket.
public struct ControlServerError: Error, Equatable, Sendable {
    public enum Code: String, CaseIterable, Sendable {
        /// Empty, or longer than an address holds.
        case badPath = "bad_path"
        /// The folder is missing, or is not safe to use.
        case badFolder = "bad_folder"
        /// Something stands at the path that is not this user's socket; it was not touched.
        case occupied
        /// Another daemon serves the path.
        case served
        /// What systemd handed over is no socket that can be served.
        case badHandOver = "bad_hand_over"
        /// The system said no.
        case system
    }

    public let code: Code
    /// In one line for people, beginning with the path.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
