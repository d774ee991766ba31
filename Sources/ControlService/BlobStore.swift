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
    /// Bytes of files that are on their way, over all connections.
    static let pendingBytesMax = 64 << 20

    private struct Upload: Hashable {
        let connection: UInt64
        let hash: String
    }

    private struct State {
        var blobs: [String: [UInt8]] = [:]
        /// Those that have waited longest first.
        var order: [String] = []
        var bytes = 0
        var pending: [Upload: [UInt8]] = [:]
        var pendingBytes = 0
    }

    private let state = Mutex(State())

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
        let upload = Upload(connection: connection, hash: hash)
        let whole = try append(bytes, at: offset, isLast, to: upload)
        guard isLast else { return false }
        forget(upload)
        guard sha256(whole) == hash else {
            throw ControlError(
                .blobMismatch,
                "the \(whole.count) bytes have another SHA-256: \(sha256(whole))",
                parameter: "sha256")
        }
        keep(whole, as: hash)
        return true
    }

    private func append(
        _ bytes: [UInt8], at offset: Int, _ isLast: Bool, to upload: Upload
    ) throws(ControlError) -> [UInt8] {
        let outcome = state.withLock { state -> Result<[UInt8], ControlError> in
            // A first piece begins anew what was never finished.
            let old = state.pending[upload]
            let known = offset == 0 ? [] : old ?? []
            guard known.count == offset else {
                return .failure(
                    ControlError(
                        .blobMismatch,
                        "\(known.count) bytes have come; the next piece begins there",
                        parameter: "offset"))
            }
            let own = state.pending.keys.count { $0.connection == upload.connection }
            guard old != nil || isLast || own < Self.uploadsMax else {
                return .failure(
                    ControlError(
                        .limitReached,
                        "a connection has at most \(Self.uploadsMax) files on their way; "
                            + "finish one",
                        limit: .connectionUploads))
            }
            if offset == 0 { state.pendingBytes -= old?.count ?? 0 }
            state.pending[upload] = known
            guard known.count + bytes.count <= Self.blobBytesMax else {
                return .failure(
                    ControlError(
                        .limitReached, "a file has at most \(Self.blobBytesMax) bytes",
                        parameter: "base64", limit: .fileBytes))
            }
            guard state.pendingBytes + bytes.count <= Self.pendingBytesMax else {
                return .failure(
                    ControlError(
                        .limitReached,
                        "files on their way have at most \(Self.pendingBytesMax) bytes in all; "
                            + "try again later", limit: .pendingFileBytes))
            }
            let whole = known + bytes
            state.pending[upload] = whole
            state.pendingBytes += bytes.count
            return .success(whole)
        }
        switch outcome {
        case .success(let whole): return whole
        case .failure(let error):
            if error.code != .blobMismatch { forget(upload) }  // Else it may go on where it was.
            throw error
        }
    }

    private func forget(_ upload: Upload) {
        state.withLock { state in
            state.pendingBytes -= state.pending.removeValue(forKey: upload)?.count ?? 0
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
            for (upload, bytes) in state.pending where upload.connection == connection {
                state.pending[upload] = nil
                state.pendingBytes -= bytes.count
            }
        }
    }
}
