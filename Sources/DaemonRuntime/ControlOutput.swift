/// The lines that wait for a connection's peer, in order.
///
/// What was taken for writing still counts as waiting until it has been written whole.
struct ControlOutput {
    private enum Kind { case reply, notification }

    /// Bytes taken at one go, unless one line is longer.
    private static let takenBytesMax = 256 << 10

    private var lines: [(kind: Kind, bytes: [UInt8])] = []
    /// The first of `lines` that was not taken.
    private var first = 0
    private var takenReplyBytes = 0
    private var takenNotificationBytes = 0
    private(set) var replyBytes = 0
    private(set) var notificationBytes = 0
    /// Nobody reads any more.
    private(set) var isClosed = false

    var isEmpty: Bool { replyBytes == 0 && notificationBytes == 0 }

    mutating func append(reply line: [UInt8]) {
        guard !isClosed else { return }
        replyBytes += line.count
        lines.append((.reply, line))
    }

    /// False, and nothing appended, when more than `bytesMax` bytes of notifications would wait.
    mutating func append(notification line: [UInt8], bytesMax: Int) -> Bool {
        guard !isClosed, notificationBytes + line.count <= bytesMax else { return false }
        notificationBytes += line.count
        lines.append((.notification, line))
        return true
    }

    /// The next lines to write; none when nothing waits. What was taken before has been written.
    mutating func take() -> [UInt8] {
        replyBytes -= takenReplyBytes
        notificationBytes -= takenNotificationBytes
        (takenReplyBytes, takenNotificationBytes) = (0, 0)
        var bytes: [UInt8] = []
        while first < lines.count,
            bytes.isEmpty || bytes.count + lines[first].bytes.count <= Self.takenBytesMax
        {
            let (kind, line) = lines[first]
            switch kind {
            case .reply: takenReplyBytes += line.count
            case .notification: takenNotificationBytes += line.count
            }
            if bytes.isEmpty { bytes = line } else { bytes += line }
            first += 1
        }
        if first == lines.count {
            (lines, first) = ([], 0)
        } else if first >= 1_024 {
            lines.removeSubrange(..<first)
            first = 0
        }
        return bytes
    }

    /// Drops what waits: the peer is gone.
    mutating func close() {
        self = ControlOutput()
        isClosed = true
    }
}
