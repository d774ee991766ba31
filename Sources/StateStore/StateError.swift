/// Why something could not be kept, or not be read back.
public struct StateError: Error, Equatable, Sendable {
    public enum Code: Sendable {
        /// The folder or a file cannot be opened, written or made.
        case system
        /// No room is left, or a quota is reached.
        case full
        /// Another daemon has the folder.
        case locked
        /// A file is not what was written.
        case damaged
        /// A file was taken away, or another put in its place, while the daemon had it open.
        case gone
        /// The fleet has ended or was deleted: nothing of it is written any more.
        case closed
        /// A file has a format that only a later version reads.
        case newer
    }

    public let code: Code
    /// Names the file, and says what to do where that is not plain.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
