import Bundles
import JSONText
import SimPrimitives
import Simulation

/// What one shard of a run has come to, as a file: exact, and with all that a report is made of.
///
/// One member a line; the last is the SHA-256 of all that stands before it, so that a file that was
/// cut or changed is no part. The bundle travels in it: whoever merges needs nothing else.
public struct ShardPart {
    /// Of the file's form. Appended to only by raising it.
    public static let format: UInt32 = 1
    /// Bytes of a file at most.
    public static let bytesMax = 256 << 20

    /// What all parts of one run have in common.
    public struct Origin: Equatable, Sendable {
        /// The version of the product.
        public var locfleet: String
        public var digestVersion: UInt64
        /// SHA-256 of the bundle.
        public var bundle: String
        public var seed: UInt64
        /// The scenario's.
        public var deviceCount: UInt32
        /// How figures are split.
        public var by: [String]

        public init(locfleet: String, bundle: Bundle, by: [String]) {
            (self.locfleet, self.by) = (locfleet, by)
            (digestVersion, self.bundle) = (RecordDigest.version, bundle.sha256)
            (seed, deviceCount) = (bundle.scenario.seed, bundle.scenario.deviceCount)
        }

        init() {
            (locfleet, digestVersion, bundle) = ("", 0, "")
            (seed, deviceCount, by) = (0, 1, [])
        }
    }

    /// What says something of the machine, or of the command line, and nothing of the result.
    public struct Circumstances: Sendable {
        public var workers: UInt32
        public var wallMilliseconds: UInt64
        public var residentBytes: UInt64
        /// See `Report.why`.
        public var why: String

        public init(
            workers: UInt32, wallMilliseconds: UInt64, residentBytes: UInt64, why: String
        ) {
            (self.workers, self.wallMilliseconds) = (workers, wallMilliseconds)
            (self.residentBytes, self.why) = (residentBytes, why)
        }
    }

    public internal(set) var origin: Origin
    public internal(set) var shard: Shard
    public internal(set) var circumstances: Circumstances
    /// What was read; nil in one that is to be written.
    private let root: JSONNode?

    public init(origin: Origin, shard: Shard, circumstances: Circumstances) {
        (self.origin, self.shard, self.circumstances) = (origin, shard, circumstances)
        root = nil
    }

    // MARK: - Writing

    public func bytes(
        _ figures: FleetFigures, of bundle: Bundle
    ) throws(ShardError) -> [UInt8] {
        var (part, figures, archive) = (self, figures, Archive())
        var format = Self.format
        try archive.number(Self.formatName, &format)
        try part.archiveHead(&archive)
        var manifest = bundle.manifest
        try archive.text("manifest", &manifest)
        var files = bundle.blobs.map { $0 }
        try archive.list("files", &files) { (archive, blob) throws(ShardError) in
            try archive.text("sha256", &blob.sha256)
            var text = hex(blob.bytes)
            try archive.text("hex", &text)
        }
        try archive.object("figures") { (archive) throws(ShardError) in
            try figures.archive(&archive, bundle.arms)
        }
        let body = Array(("{\n" + archive.written.joined(separator: ",\n") + ",\n").utf8)
        let bytes = body + Self.seal(body)
        guard bytes.count <= Self.bytesMax else {
            throw ShardError(
                "a part has at most \(Self.bytesMax) bytes, this one has \(bytes.count); "
                    + "--by with fewer groups makes it smaller")
        }
        return bytes
    }

    private static let formatName = "locfleet_shard"

    /// The last line.
    private static func seal(_ body: some Sequence<UInt8>) -> [UInt8] {
        Array("\"sha256\": \"\(sha256(Array(body)))\"\n}\n".utf8)
    }

    private mutating func archiveHead(_ archive: inout Archive) throws(ShardError) {
        try archive.text("locfleet", &origin.locfleet)
        try archive.number("digest_version", &origin.digestVersion, max: .max)
        try archive.text("bundle", &origin.bundle)
        try archive.number("seed", &origin.seed, max: .max)
        try archive.number("devices", &origin.deviceCount, max: .max)
        try archive.texts("by", &origin.by)
        var (index, count) = (shard.index, shard.count)
        try archive.number("shard", &index, max: Shard.countMax)
        try archive.number("of", &count, max: Shard.countMax)
        guard index >= 1, index <= count, count <= origin.deviceCount else {
            throw archive.wrong("shard", "\(index)/\(count) is none of \(origin.deviceCount)")
        }
        shard = Shard(index: index, of: count)
        let devices = shard.devices(of: origin.deviceCount)
        var bounds = [UInt64(devices.lowerBound), UInt64(devices.upperBound)]
        let due = bounds
        try archive.numbers("first_and_end", &bounds)
        guard bounds == due else {
            throw archive.wrong("first_and_end", "shard \(shard.text) has \(due)")
        }
        try archive.number("workers", &circumstances.workers)
        try archive.number("wall_milliseconds", &circumstances.wallMilliseconds)
        try archive.number("resident_bytes", &circumstances.residentBytes)
        try archive.text("why", &circumstances.why)
    }

    // MARK: - Reading

    /// Reads all but the figures and the bundle, and holds the file against its sum.
    public init(_ bytes: [UInt8]) throws(ShardError) {
        let opening = "{\n\"\(Self.formatName)\": "
        guard bytes.starts(with: opening.utf8) else {
            throw ShardError("is no part that 'locfleet run --shard i/N -o FILE' writes")
        }
        let digits = bytes.dropFirst(opening.utf8.count).prefix { $0 != UInt8(ascii: ",") }
        guard String(decoding: digits, as: UTF8.self) == "\(Self.format)" else {
            throw ShardError(
                "has format \(printable(String(decoding: digits.prefix(20), as: UTF8.self))), "
                    + "and this version of locfleet reads format \(Self.format)")
        }
        let sealCount = Self.seal([]).count
        guard bytes.count > sealCount,
            bytes.suffix(sealCount).elementsEqual(Self.seal(bytes.dropLast(sealCount)))
        else { throw ShardError("is damaged: it was cut or changed after it was written") }
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONReader.read(bytes, as: .json, bytesMax: Self.bytesMax)
        } catch { throw ShardError("\(error.position): \(error.message)") }
        self.root = root
        origin = Origin()
        shard = Shard(index: 1, of: 1)
        circumstances = Circumstances(
            workers: 1, wallMilliseconds: 0, residentBytes: 0, why: "")
        var archive = Archive(root, countMax: Self.countMax(shards: 1))
        try archiveHead(&archive)
    }

    /// The text of the bundle, and its files by their hashes.
    public func bundle() throws(ShardError) -> (manifest: [UInt8], blobs: [String: [UInt8]]) {
        let manifest = Array((root?["manifest"]?.string ?? "").utf8)
        guard sha256(manifest) == origin.bundle else {
            throw ShardError("the bundle in it is not the one that it names")
        }
        var blobs: [String: [UInt8]] = [:]
        for file in root?["files"]?.array ?? [] {
            guard let hash = file["sha256"]?.string,
                let bytes = (file["hex"]?.string).flatMap(bytes(hex:)), sha256(bytes) == hash
            else { throw ShardError("a file of the bundle in it is not the one that it names") }
            blobs[hash] = bytes
        }
        return (manifest, blobs)
    }

    /// - Parameters:
    ///   - arms: of the bundle.
    ///   - groupCount: how many groups its split makes.
    public func figures(_ arms: [Arm], groupCount: Int) throws(ShardError) -> FleetFigures {
        var figures = FleetFigures(of: arms, groupCount: groupCount)
        guard let node = root?["figures"] else { throw ShardError("figures: are missing") }
        var archive = Archive(
            node, at: "figures", countMax: Self.countMax(shards: shard.count))
        try figures.archive(&archive, arms)
        let due = UInt64(shard.devices(of: origin.deviceCount).count)
        for arm in figures.arms {
            guard arm.groups.reduce(0, { $0 + $1.devices }) == due else {
                throw ShardError("figures: shard \(shard.text) has \(due) devices")
            }
        }
        return figures
    }

    /// So that the sums over all parts, groups and rows stay far below 2⁶⁴.
    private static func countMax(shards: UInt32) -> UInt64 { (1 << 57) / UInt64(shards) }
}
