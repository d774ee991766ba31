/// Cuts a byte stream into lines. No sockets here: bytes go in, lines come out.
///
/// A frame is one line of UTF-8 that ends in a newline, or in a carriage return and a newline.
/// Empty lines are passed over. A line over the limit ends the session: the peer does not speak
/// this protocol, and there is no safe place to resume.
public struct LineFramer: Sendable {
    /// Bytes of a line that the daemon takes, without its ending.
    public static let lineBytesMax = 1 << 20

    /// Bytes of memory that an empty framer keeps.
    private static let keptBytesMax = 64 << 10

    private let bytesMax: Int
    private var buffer: [UInt8] = []
    /// Where the next line begins in `buffer`.
    private var start = 0
    /// Up to where no newline was found.
    private var searched = 0

    /// - Parameter bytesMax: bytes of a line without its ending, at least 1.
    public init(bytesMax: Int = LineFramer.lineBytesMax) {
        precondition(bytesMax > 0, "a line has room for a byte")
        self.bytesMax = bytesMax
    }

    /// Bytes that wait for `next` or for the rest of their line.
    public var waitingBytes: Int { buffer.count - start }

    /// Takes the bytes of one read. Call `next` until it gives nil before the next read, so that no
    /// more than one line and one read are ever held.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            (searched, start) = (searched - start, 0)
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole line without its ending, or nil until more bytes come.
    ///
    /// - Throws: `line_too_long`. What follows is lost: the session is over.
    public mutating func next() throws(ControlError) -> [UInt8]? {
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Self.withoutReturn(buffer[start..<end])
            (start, searched) = (end + 1, end + 1)
            guard line.count <= bytesMax else { throw tooLong }
            if !line.isEmpty { return Array(line) }
        }
        searched = buffer.count
        if start == buffer.count {
            // A connection that once sent a long line does not keep its memory.
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptBytesMax)
            (start, searched) = (0, 0)
        }
        guard Self.withoutReturn(buffer[start...]).count <= bytesMax else { throw tooLong }
        return nil
    }

    /// The last line, when the stream ended without a newline. Call when `next` has given nil.
    public mutating func takeRest() -> [UInt8]? {
        let line = Array(Self.withoutReturn(buffer[start...]))
        (buffer, start, searched) = ([], 0, 0)
        return line.isEmpty ? nil : line
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private var tooLong: ControlError {
        ControlError(
            .lineTooLong, "a line is at most \(bytesMax) bytes", limit: .lineBytes)
    }
}
