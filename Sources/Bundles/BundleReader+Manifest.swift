import JSONText
import Simulation

extension BundleReader {
    /// Reads a bundle back from its manifest and blobs, as it travels to the daemon.
    ///
    /// - Parameter blob: the bytes of a hash; nil where they are not there.
    /// - Throws: what is missing or wrong. A manifest must be in the very form that this version
    ///   writes: else its hash would name something else.
    public func read(
        manifest: [UInt8], blob: (String) -> [UInt8]?
    ) throws(BundleError) -> Bundle {
        let (base, hashes) = try decode(manifest, "bundle", arm: nil, blob)
        var arms: [(name: String, decoded: DecodedScenario)] = []
        let names = [Arm.baseName] + hashes.map(\.name)
        for (name, hash) in hashes {
            guard let bytes = blob(hash) else {
                throw BundleError(
                    .missingFile, place: "bundle", key: "arms",
                    "blob \(hash) of arm "
                        + "\(quoted(name)) is missing")
            }
            let place = "bundle arm \(quoted(name))"
            let (decoded, _) = try decode(bytes, place, arm: (name, names), blob)
            guard decoded.scenario.canBeArm(of: base.scenario) else {
                throw BundleError(
                    .invalidValue, place: place,
                    "an arm has the people, time and funnels of its scenario; this one does not")
            }
            arms.append((name, decoded))
        }
        let bundle = Bundle(base, arms: arms)
        guard bundle.manifest.utf8.elementsEqual(manifest) else {
            throw BundleError(
                .invalidValue, place: "bundle",
                "this is not the form in which this version writes a bundle; make it anew from "
                    + "the scenario")
        }
        return bundle
    }

    private typealias ArmHash = (name: String, sha256: String)

    private func decode(
        _ manifest: [UInt8], _ place: String, arm: (name: String, all: [String])?,
        _ blob: (String) -> [UInt8]?
    ) throws(BundleError) -> (DecodedScenario, arms: [ArmHash]) {
        let complaints = Complaints(file: place, text: manifest)
        var root = try Self.tree(manifest, place)
        guard case .table(let members) = root.value else {
            throw BundleError(.invalidValue, place: place, "a bundle is an object")
        }
        let own = ["manifest", "files", "arms"]
        let head = Fields(
            members.filter { own.contains($0.name) }, path: "", origin: root.origin, complaints)
        _ = head.require("manifest", "the version of the form")?
            .integer("the version of a bundle's form", in: Manifest.version...Manifest.version)
        let files = self.files(head.require("files", "the files with their hashes"), blob)
        let arms = self.arms(head.require("arms", "the arms with their hashes"))
        head.finish()
        root.value = .table(members.filter { !own.contains($0.name) })
        var decoder = ScenarioDecoder(
            complaints: complaints, loader: ScriptLoader(.blobs(files), outline, library: library),
            baseName: "")
        decoder.arm = arm ?? (Arm.baseName, [Arm.baseName] + arms.map(\.name))
        guard complaints.isEmpty, let decoded = decoder.decode(root) else {
            throw complaints.errors[0]
        }
        return (decoded, arms)
    }

    private func files(
        _ field: Field?, _ blob: (String) -> [UInt8]?
    ) -> [FileSource.BlobKey: [UInt8]] {
        var files: [FileSource.BlobKey: [UInt8]] = [:]
        for entry in field?.list("files", max: ScenarioLimits.filesMax) ?? [] {
            guard let fields = entry.fields() else { continue }
            let kind = fields.require("kind", "what it is for")?
                .word(among: Bundle.Blob.Kind.allCases.map(\.rawValue))
            let name = fields.require("name", "its name")?.text("a file name")
            let hash = fields.require("sha256", "its hash")?.text("a hash")
            fields.finish()
            guard let kind = kind.flatMap(Bundle.Blob.Kind.init), let name, let hash else {
                continue
            }
            guard let bytes = blob(hash) else {
                entry.complain("blob \(quoted(hash)) of \(quoted(name)) is missing", .missingFile)
                continue
            }
            files[FileSource.BlobKey(kind: kind, name: name)] = bytes
        }
        return files
    }

    private func arms(_ field: Field?) -> [ArmHash] {
        var names: Set<String> = [Arm.baseName]
        return (field?.list("arms", max: ScenarioLimits.armsMax) ?? []).compactMap { entry in
            guard let fields = entry.fields() else { return nil }
            let name = fields.require("name", "its name")?.name("an arm's name")
            let hash = fields.require("sha256", "its hash")?.text("a hash")
            fields.finish()
            guard let name, let hash else { return nil }
            guard names.insert(name).inserted else {
                entry.complain("an arm's name stands here twice, or is \"base\"", .duplicateName)
                return nil
            }
            return (name, hash)
        }
    }
}
