import Bundles
import ControlProtocol
import Synchronization

/// Files that clients have sent, by hash: a cache from which fleets are made.
///
/// A fleet keeps what it was made of, so whatever no fleet has been made of may go: those that have
/// waited longest go first.
final class BlobStore: Sendable {
    /// Bytes of one file: a scenario with all its options filled in is the largest.
    static let blobBytesMax = 8 << 20
    /// Bytes of all files that are kept.
    static let storeBytesMax = 64 << 20
    /// Files that one connection has on their way.
    static let uploadsMax = 64
    /// Bytes of files that are on their way, over all connections. Beyond, those go that have
    /// waited longest for their next piece: an upload that never ends does not keep others out.
    static let pendingBytesMax = 64 << 20

    private struct Upload {
        var bytes: [UInt8] = []
        /// Of its last piece.
        var number: UInt64 = 0
    }

    private struct State {
        var blobs: [String: [UInt8]] = [:]
        /// Those that have waited longest first.
        var order: [String] = []
        var bytes = 0
        /// By connection and hash.
        var pending: [UInt64: [String: Upload]] = [:]
        var pendingBytes = 0
        var lastPiece: UInt64 = 0

        mutating func forget(_ connection: UInt64, _ hash: String) {
            pendingBytes -= pending[connection]?.removeValue(forKey: hash)?.bytes.count ?? 0
            if pending[connection]?.isEmpty == true { pending[connection] = nil }
        }

        /// Drops the upload that has waited longest for a piece.
        mutating func forgetStalest() {
            let all = pending.lazy.flatMap { connection, uploads in
                uploads.lazy.map { (connection, $0.key, $0.value.number) }
            }
            if let (connection, hash, _) = all.min(by: { $0.2 < $1.2 }) { forget(connection, hash) }
        }
    }

    private let state = Mutex(State())
    private let droppedCount = Atomic<UInt64>(0)

    /// Uploads that went for `pendingBytesMax`.
    var dropped: UInt64 { droppedCount.load(ordering: .relaxed) }

    var byteCount: Int { state.withLock { $0.bytes + $0.pendingBytes } }

    func has(_ hash: String) -> Bool { state.withLock { $0.blobs[hash] != nil } }

    subscript(hash: String) -> [UInt8]? {
        state.withLock { state in
            guard let bytes = state.blobs[hash] else { return nil }
            state.order.removeAll { $0 == hash }
            state.order.append(hash)
            return bytes
        }
    }

    /// Takes a piece of a file.
    ///
    /// - Parameter offset: where the piece begins: how many bytes came before.
    /// - Returns: whether the file is whole.
    func put(
        _ hash: String, offset: Int, bytes: [UInt8], isLast: Bool, connection: UInt64
    ) throws(ControlError) -> Bool {
        if has(hash) { return true }
        let whole = try append(bytes, at: offset, isLast, of: hash, connection)
        guard let whole else { return false }
        guard sha256(whole) == hash else {
            throw ControlError(
                .blobMismatch,
                "the \(whole.count) bytes have another SHA-256: \(sha256(whole))",
                parameter: "sha256")
        }
        keep(whole, as: hash)
        return true
    }

    /// The whole file after its last piece; else nil.
    private func append(
        _ bytes: [UInt8], at offset: Int, _ isLast: Bool, of hash: String, _ connection: UInt64
    ) throws(ControlError) -> [UInt8]? {
        try state.withLock { (state) throws(ControlError) in
            // A first piece begins anew what was never finished.
            if offset == 0 { state.forget(connection, hash) }
            let known = state.pending[connection]?[hash]?.bytes.count ?? 0
            guard known == offset else {
                throw ControlError(
                    .blobMismatch, "\(known) bytes have come; the next piece begins there",
                    parameter: "offset")
            }
            let own = state.pending[connection]?.count ?? 0
            guard known > 0 || isLast || own < Self.uploadsMax else {
                throw ControlError(
                    .limitReached,
                    "a connection has at most \(Self.uploadsMax) files on their way; finish one",
                    limit: .connectionUploads)
            }
            guard known + bytes.count <= Self.blobBytesMax else {
                state.forget(connection, hash)
                throw ControlError(
                    .limitReached, "a file has at most \(Self.blobBytesMax) bytes",
                    parameter: "base64", limit: .fileBytes)
            }
            state.lastPiece += 1
            state.pending[connection, default: [:]][hash, default: Upload()].number =
                state.lastPiece
            while state.pendingBytes + bytes.count > Self.pendingBytesMax {
                state.forgetStalest()
                droppedCount.wrappingAdd(1, ordering: .relaxed)
            }
            // In place: a file that comes byte by byte is not copied with each.
            state.pending[connection]?[hash]?.bytes += bytes
            state.pendingBytes += bytes.count
            guard isLast else { return nil }
            defer { state.forget(connection, hash) }
            return state.pending[connection]?[hash]?.bytes
        }
    }

    private func keep(_ bytes: [UInt8], as hash: String) {
        state.withLock { state in
            guard state.blobs.updateValue(bytes, forKey: hash) == nil else { return }
            state.order.append(hash)
            state.bytes += bytes.count
            while state.bytes > Self.storeBytesMax, let oldest = state.order.first {
                state.order.removeFirst()
                state.bytes -= state.blobs.removeValue(forKey: oldest)?.count ?? 0
            }
        }
    }

    /// The connection is gone: what it had not finished goes too.
    func forget(connection: UInt64) {
        state.withLock { state in
            for hash in state.pending[connection, default: [:]].keys {
                state.forget(connection, hash)
            }
        }
    }
}
