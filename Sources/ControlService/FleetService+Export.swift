import AuthorizationCore
import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import Reports
import SimPrimitives
import Simulation
import Telemetry

/// A fleet for elsewhere, and a single device.
extension FleetService {
    /// Bytes of one piece of a file.
    static let pieceBytes = 512 << 10

    /// Of a fleet that is replayed, when that is over: before it stands where it never was.
    func export(_ name: String, _ reply: @escaping Answer) throws(ControlError) {
        let hosted = try hosted(name)
        guard hosted.fleet.status.replayUntil != nil else {
            return reply(.success(Self.export(name, hosted)))
        }
        hosted.fleet.afterReplay { [self] _, _ in
            do throws(ControlError) {
                guard try self.hosted(name).fleet === hosted.fleet,
                    hosted.fleet.status.replayUntil == nil
                else { throw ControlError(.shuttingDown, "the daemon is shutting down") }
                reply(.success(Self.export(name, hosted)))
            } catch { reply(.failure(error)) }
        }
    }

    private static func export(_ name: String, _ hosted: HostedFleet) -> String {
        let (bundle, status) = (hosted.bundle, hosted.fleet.status)
        let head = JSONLine.object {
            $0.member("fleet", name)
            $0.member("state", status.state.rawValue)
            $0.member("locfleet", Report.productVersion)
            $0.member("bundle", "sha256:\(bundle.sha256)")
            $0.member("by", hosted.by.map(\.rawValue))
            $0.member("at_us", status.figures.at.microseconds)
            $0.member("digest", status.figures.digest.description)
            $0.member("files", files(hosted, status).keys.sorted())
        }
        let entries = status.requests.map { request in
            "{\"at_us\":\(request.intervention.at.microseconds)," + request.text.dropFirst()
        }
        return head.dropLast() + ",\"journal\":[\(entries.joined(separator: ","))]}"
    }

    private static func files(_ hosted: HostedFleet, _ status: FleetStatus) -> [String: [UInt8]] {
        var files = [hosted.bundle.sha256: Array(hosted.bundle.manifest.utf8)]
        for blob in hosted.bundle.blobs { files[blob.sha256] = blob.bytes }
        for request in status.requests { files.merge(request.blobs) { first, _ in first } }
        return files
    }

    func piece(
        of name: String, _ hash: String, from offset: Int
    ) throws(ControlError) -> String {
        let hosted = try hosted(name)
        guard let bytes = Self.files(hosted, hosted.fleet.status)[hash] else {
            throw ControlError(
                .noSuchBlob, "fleet \"\(name)\" has no file \(hash); fleet.export lists them",
                parameter: "sha256")
        }
        guard offset <= bytes.count else {
            throw ControlError(
                .invalidParameter,
                "\"offset\" is at most \(bytes.count): the file has so many bytes",
                parameter: "offset")
        }
        let end = min(offset + Self.pieceBytes, bytes.count)
        return JSONLine.object {
            $0.member("base64", Base64.encode(Array(bytes[offset..<end])))
            $0.member("bytes", bytes.count)
            $0.member("last", end == bytes.count)
        }
    }

    func show(
        _ device: UInt32, of name: String, _ arm: String?, _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        let status = hosted.fleet.status
        let (place, scenario) = try self.place(device, arm, name, hosted, status)
        let standing = status.standings[place][Int(device)]
        let persona = DeviceTraits(of: DeviceID(device), in: scenario).persona
        hosted.fleet.replay(device: device, arm: place, as: status) { records, names, _ in
            var counts: [RecordType: UInt64] = [:]
            var sessions = 0
            for record in records {
                counts[record.content.type, default: 0] += 1
                if case .opened(.person) = record.content { sessions += 1 }
            }
            let openings = sessions
            let last = records.last.map { Self.lines(of: [$0], names, scenario)[0] } ?? "null"
            let head = JSONLine.object {
                $0.member("fleet", name)
                $0.member("at_seconds", (status.figures.at - .start).seconds)
                $0.member("device", device)
                if hosted.bundle.arms.count > 1 {
                    $0.member("arm", hosted.bundle.arms[place].name)
                }
                $0.member("persona", scenario.personas[persona].name)
                $0.member("ios", standing.ios.description)
                $0.member("installed", standing.isInstalled)
                $0.member("status", standing.isInstalled ? standing.visible.rawValue : nil)
                $0.member("true_status", standing.isInstalled ? standing.trueStatus.rawValue : nil)
                $0.member("sessions", openings)
                $0.member(
                    "records",
                    RecordType.allCases.compactMap { type in
                        counts[type].map { (type.rawValue, $0) }
                    })
            }
            reply(.success(head.dropLast() + ",\"last\":\(last)}"))
        } orFail: {
            reply(.failure($0))
        }
    }
}
