import Bundles
import ControlProtocol
import Foundation
import JSONText

/// Sends a bundle to the daemon: the files that it does not have yet, in pieces.
struct BundleUpload {
    /// Bytes of one piece: in base64 it fits into a line with room to spare.
    private static let pieceBytes = 512 << 10

    let client: ControlClient

    func send(_ bundle: Bundles.Bundle) throws(CommandError) {
        var blobs = Dictionary(bundle.blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        blobs[bundle.sha256] = Array(bundle.manifest.utf8)
        try send(blobs)
    }

    /// - Parameter blobs: by their hashes.
    func send(_ blobs: [String: [UInt8]]) throws(CommandError) {
        let hashes = blobs.keys.sorted()
        let answer = try client.call(.blobHave, JSONLine.object { $0.member("sha256", hashes) })
        for hash in answer.node["missing"]?.array ?? [] {
            guard let hash = hash.string, let bytes = blobs[hash] else { continue }
            try send(bytes, as: hash)
        }
    }

    private func send(_ bytes: [UInt8], as hash: String) throws(CommandError) {
        var offset = 0
        repeat {
            let end = min(offset + Self.pieceBytes, bytes.count)
            let piece = Data(bytes[offset..<end]).base64EncodedString()
            _ = try client.call(
                .blobPut,
                JSONLine.object {
                    $0.member("sha256", hash)
                    $0.member("offset", offset)
                    $0.member("base64", piece)
                    $0.member("last", end == bytes.count)
                })
            offset = end
        } while offset < bytes.count
    }
}
