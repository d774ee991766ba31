import Bundles
import ControlProtocol
import Foundation
import JSONText
import Reports
import SimPrimitives
import Simulation

/// A fleet as a folder: all that it takes to play it again, and what it had come to.
///
///     DIR/export.json    the fleet, its journal, where it stood, and the digest of its records
///     DIR/blobs/SHA256   the files of its bundle
///     DIR/report.json    its report there
///     DIR/devices.ndjson how each device stood, where that was asked for
struct FleetExport {
    static let fileName = "export.json"
    static let version = 1

    /// Of the fleet.
    let name: String
    /// Whether the fleet had come to its end.
    let hasEnded: Bool
    let bundle: Bundles.Bundle
    let journal: [Intervention]
    let until: SimTime
    let digest: String
    let by: [String]

    /// Whether `path` is such a folder.
    static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/" + fileName)
    }

    /// For a verb that plays it again as it was.
    init(_ path: String, _ arguments: Arguments, verb: String) throws(CommandError) {
        _ = try arguments.onlyOperand("export", verb: verb)
        let arm = verb == "why" ? [] : [ScenarioArguments.arm]
        for option in ScenarioArguments.options + arm + ShardArguments.options
        where arguments.has(option.name) {
            throw CommandError(
                "\(option.name): an export is played again as it was, and takes none of what "
                    + "changes it")
        }
        try self.init(path)
    }

    init(_ path: String) throws(CommandError) {
        let place = path + "/" + Self.fileName
        let root: JSONNode
        do {
            root = try JSONReader.read(try Self.contents(place), as: .json, bytesMax: 256 << 20)
        } catch let error as JSONError {
            throw CommandError("\(place): \(error.position): \(error.message)")
        } catch let error as CommandError { throw error } catch {
            throw CommandError("\(place): \(error)")
        }
        guard root["locfleet_export"]?.number == "\(Self.version)" else {
            throw CommandError(
                "\(place): is no export of version \(Self.version), which this locfleet reads")
        }
        guard let hash = root["bundle"]?.string?.replacing(/^sha256:/, with: ""),
            let digest = root["digest"]?.string,
            let microseconds = root["at_us"]?.number.flatMap({ Int64($0) }), microseconds >= 0,
            let entries = root["journal"]?.array, let by = root["by"]?.array
        else {
            throw CommandError("\(place): bundle, digest, at_us, journal and by are due")
        }
        (self.digest, self.by) = (digest, by.compactMap(\.string))
        name = root["fleet"]?.string ?? ""
        hasEnded = Verb.finalStates.contains(root["state"]?.string ?? "")
        try Self.checkBlobs(in: path + "/blobs")
        until = SimTime(microseconds: microseconds)
        let blob = { @Sendable (hash: String) -> [UInt8]? in Self.blob(hash, in: path) }
        let scripts = ScenarioArguments.reader.scripts(blob)
        guard let manifest = blob(hash) else {
            throw CommandError("\(path)/blobs/\(hash): the bundle's manifest is missing")
        }
        do throws(BundleError) {
            bundle = try ScenarioArguments.reader.read(manifest: manifest, blob: blob)
        } catch { throw CommandError("\(path): \(error)") }
        var journal: [Intervention] = []
        for (index, entry) in entries.enumerated() {
            guard let at = entry["at_us"]?.number.flatMap({ Int64($0) }), at >= 0,
                at >= journal.last?.at.microseconds ?? 0, let words = InterventionWords(entry)
            else {
                throw CommandError("\(place): entry \(index + 1) of the journal is none")
            }
            guard words.share > 0, words.share <= 1 else {
                throw CommandError(
                    "\(place): entry \(index + 1) of the journal: share is above 0 and at most 1, "
                        + "not \(plainText(words.share))")
            }
            do throws(BundleError) {
                journal.append(
                    try bundle.intervention(
                        words, at: SimTime(microseconds: at), after: journal, from: scripts))
            } catch {
                throw CommandError("\(place): entry \(index + 1) of the journal: \(error)")
            }
        }
        self.journal = journal
    }

    private static func contents(_ path: String) throws(CommandError) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: URL(filePath: path))) } catch {
            throw CommandError("\(path): cannot be read")
        }
    }

    /// What lies there under another hash than its own was cut, or changed.
    private static func checkBlobs(in folder: String) throws(CommandError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.wholeMatch(of: /[0-9a-f]{64}/) != nil {
            guard sha256(try contents("\(folder)/\(name)")) == name else {
                throw CommandError(
                    "\(folder)/\(name): the file is damaged: its SHA-256 is not its name")
            }
        }
    }

    private static func blob(_ hash: String, in path: String) -> [UInt8]? {
        guard !hash.contains("/"),
            let bytes = try? [UInt8](Data(contentsOf: URL(filePath: "\(path)/blobs/\(hash)"))),
            sha256(bytes) == hash
        else { return nil }
        return bytes
    }

    // MARK: - Writing

    /// Fetches a fleet from the daemon into a new folder.
    static func write(
        _ fleet: String, to path: String, withDevices: Bool, _ client: ControlClient
    ) throws(CommandError) {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: path) else {
            throw CommandError("-o \(path): is there already; name a folder that is not")
        }
        var folder = URL(filePath: path).deletingLastPathComponent()
        while !manager.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        guard (try? folder.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else {
            throw CommandError("-o \(path): \(folder.path) is no folder")
        }
        // Renamed when it is whole: nobody sees half of one. Beside it, also where the path ends
        // with a slash.
        let place = path.replacing(/\/+$/, with: "")
        let new = "\(place.isEmpty ? path : place).\(ProcessInfo.processInfo.processIdentifier).new"
        do {
            try manager.createDirectory(atPath: new + "/blobs", withIntermediateDirectories: true)
            let shown = try client.call(.fleetExport, DaemonArguments.parameters(of: fleet))
            for hash in shown.node["files"]?.array?.compactMap(\.string) ?? [] {
                try write(file(hash, of: fleet, client), "\(new)/blobs/\(hash)")
            }
            let report = try client.call(.metrics, DaemonArguments.parameters(of: fleet))
            try write(Array((report.text + "\n").utf8), new + "/report.json")
            if withDevices {
                let at = shown.node["at_us"]?.number.flatMap { Int64($0) } ?? 0
                try writeDevices(of: fleet, at: at, to: new + "/devices.ndjson", client)
            }
            let text = "{\"locfleet_export\":\(version)," + shown.text.dropFirst() + "\n"
            try write(Array(text.utf8), "\(new)/\(fileName)")
            try manager.moveItem(atPath: new, toPath: place)
        } catch let error as CommandError {
            try? manager.removeItem(atPath: new)
            throw error
        } catch {
            try? manager.removeItem(atPath: new)
            throw CommandError("-o \(path): \(reason(of: error))", status: .failed)
        }
    }

    /// In the words of the system, where it has some.
    private static func reason(of error: any Error) -> String {
        let error = error as NSError
        let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        guard inner.domain == NSPOSIXErrorDomain else {
            return "cannot be written: is there room, and may you write there?"
        }
        return String(cString: strerror(Int32(inner.code)))
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func file(
        _ hash: String, of fleet: String, _ client: ControlClient
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try client.call(
                .blobGet,
                DaemonArguments.parameters(of: fleet) {
                    $0.member("sha256", hash)
                    $0.member("offset", bytes.count)
                })
            bytes += piece.node["base64"]?.string.flatMap(Base64.decode) ?? []
            if piece.node["last"]?.bool != false { break }
        }
        guard sha256(bytes) == hash else {
            throw CommandError("file \(hash) came damaged", status: .failed)
        }
        return bytes
    }

    private static func writeDevices(
        of fleet: String, at: Int64, to path: String, _ client: ControlClient
    ) throws {
        try write([], path)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }
        var after: String?
        repeat {
            let page = try client.call(
                .deviceList,
                DaemonArguments.parameters(of: fleet) {
                    $0.member("limit", 10_000)
                    if let after = after.flatMap({ Int($0) }) { $0.member("after", after) }
                })
            let seconds = page.node.span("at_seconds").seconds
            guard abs(seconds * 1e6 - Double(at)) < 1 else {
                throw CommandError(
                    "fleet \"\(fleet)\" runs on while its devices are read; pause it first",
                    status: .failed)
            }
            var lines = ""
            for device in page.node["devices"]?.array ?? [] { lines += device.text + "\n" }
            try handle.write(contentsOf: Data(lines.utf8))
            after = page.node["next"]?.number
        } while after != nil
    }
}

extension Verb {
    static let fleetExport = Verb(
        name: "fleet export", usage: "FLEET [options]",
        summary: "write a fleet into a folder that 'locfleet run' plays again",
        options: .daemon([
            .value("-o", "DIR", "the folder, which is made"),
            .flag("--devices", "also write how each device stands, to devices.ndjson"),
        ]),
        examples: [
            "locfleet fleet export demo -o demo.export",
            "locfleet run demo.export",
        ],
        run: { arguments, terminal throws(CommandError) in
            let fleet = try arguments.onlyOperand("fleet", verb: "fleet export")
            guard let path = arguments.value("-o"), !path.isEmpty else {
                throw CommandError("-o DIR is missing; see 'locfleet help fleet export'")
            }
            try FleetExport.write(
                fleet, to: path, withDevices: arguments.has("--devices"),
                try DaemonArguments.client(arguments))
            if arguments.has("--json") {
                try terminal.print(JSONLine.object { $0.member("exported", path) } + "\n")
            } else {
                try terminal.print("\(path): 'locfleet run \(shellWord(path))' plays it again\n")
            }
            return .done
        })
}
