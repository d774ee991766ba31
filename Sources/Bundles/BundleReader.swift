import Foundation
import JSONText
import SimPrimitives
import Simulation

/// Reads a scenario with the files it names, or a bundle that was made of one.
public struct BundleReader: Sendable {
    let library: [URL]
    let outline: ScriptOutline

    /// - Parameters:
    ///   - library: folders to look in after the scenario's own; see `Library.roots`.
    ///   - outline: reads what options a script declares; what it throws is passed on as text.
    public init(library: [URL], outline: @escaping ScriptOutline) {
        (self.library, self.outline) = (library, outline)
    }

    /// - Parameter scenarioPath: as the person typed it; messages repeat it.
    /// - Throws: the first of `problems`.
    public func read(
        scenarioPath: String, overrides: Overrides = Overrides()
    ) throws(BundleError) -> Bundle {
        switch attempt(scenarioPath, overrides) {
        case .read(let bundle): return bundle
        case .refused(let first, _): throw first
        }
    }

    /// Everything that is wrong, in the order of the text; what the command line gave comes first.
    public func problems(
        scenarioPath: String, overrides: Overrides = Overrides()
    ) -> [BundleError] {
        switch attempt(scenarioPath, overrides) {
        case .read: []
        case .refused(let first, let others): [first] + others
        }
    }

    private enum Attempt {
        case read(Bundle)
        case refused(BundleError, others: [BundleError])
    }

    private func attempt(_ path: String, _ overrides: Overrides) -> Attempt {
        let text: [UInt8]
        var root: Setting
        do throws(BundleError) {
            text = try bytes(path)
            root = try Self.tree(text, path)
            try overrides.lay(over: &root)
        } catch {
            return .refused(error, others: [])
        }
        let complaints = Complaints(file: path, text: text)
        var decoder = decoder(path, complaints)
        decoder.arm = (Arm.baseName, [Arm.baseName] + overrides.namesOfArms(in: root))
        decoder.armsLeftOut = overrides.namesOfArmsLeftOut(in: root)
        guard let base = decoder.decode(root) else {
            guard let arm = overrides.unknownArm(in: root) else { return refused(complaints) }
            return .refused(arm, others: complaints.errors)
        }
        let armComplaints = Complaints(file: path, text: text)
        let settings = overrides.chosenArms(of: base.arms, armComplaints)
        var arms: [(name: String, decoded: DecodedScenario)] = []
        for arm in settings {
            let names = [Arm.baseName] + settings.map(\.name)
            if let decoded = decode(
                arm, names, decoder.armsLeftOut, over: root, base, path, text, armComplaints)
            {
                arms.append((arm.name, decoded))
            }
        }
        guard armComplaints.isEmpty else { return refused(armComplaints) }
        return .read(Bundle(base, arms: arms))
    }

    private func refused(_ complaints: Complaints) -> Attempt {
        let errors = complaints.errors
        guard let first = errors.first else {
            preconditionFailure("a scenario that cannot be decoded has been complained about")
        }
        return .refused(first, others: Array(errors.dropFirst()))
    }

    private func decoder(_ path: String, _ complaints: Complaints) -> ScenarioDecoder {
        let finder = FileFinder(scenarioPath: path, library: library)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let base = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        return ScenarioDecoder(
            complaints: complaints,
            loader: ScriptLoader(.folders(finder), outline, library: library),
            baseName: base)
    }

    /// The scenario with an arm laid over it; nil after a complaint.
    private func decode(
        _ arm: ArmSettings, _ names: [String], _ leftOut: [String], over root: Setting,
        _ base: DecodedScenario, _ path: String, _ text: [UInt8], _ complaints: Complaints
    ) -> DecodedScenario? {
        var tree = root
        if case .table(let members) = tree.value {
            tree.value = .table(members.filter { $0.name != "arms" })
        }
        for (key, origin, field) in arm.sets {
            do throws(PathError) {
                try tree.overlay(key, field.setting.given(layer: 2))
            } catch {
                complaints.add(.unknownKey, origin, key: field.path, error.message)
                return nil
            }
        }
        let own = Complaints(file: path, text: text)
        var decoder = decoder(path, own)
        (decoder.arm, decoder.armsLeftOut) = ((arm.name, names), leftOut)
        let decoded = decoder.decode(tree)
        if let decoded { decoder.checkPeople(of: decoded.scenario, against: base.scenario, arm) }
        complaints.take(own, arm: arm.name)
        return own.isEmpty ? decoded : nil
    }

    private func bytes(_ path: String) throws(BundleError) -> [UInt8] {
        do throws(FileFinder.Failure) {
            return try FileFinder.read(path, bytesMax: ScenarioLimits.scenarioBytesMax)
        } catch {
            throw BundleError(error.code, place: path, error.message)
        }
    }

    static func tree(_ text: [UInt8], _ path: String) throws(BundleError) -> Setting {
        do throws(JSONError) {
            return Setting(try JSONReader.read(text, as: .json5))
        } catch {
            throw BundleError(
                .malformedJSON, place: path, line: error.position.line,
                column: error.position.column, error.message)
        }
    }
}

extension Bundle {
    /// Joins a decoded scenario and its arms under one hash.
    init(_ base: DecodedScenario, arms: [(name: String, decoded: DecodedScenario)]) {
        var blobs = base.blobs
        var hashes: [(name: String, sha256: String)] = []
        var manifests: [Blob] = []
        for (name, decoded) in arms {
            for blob in decoded.blobs where !blobs.contains(blob) { blobs.append(blob) }
            let bytes = Array(Manifest.text(of: decoded, arms: []).utf8)
            let hash = Bundles.sha256(bytes)
            hashes.append((name, hash))
            manifests.append(Blob(name: name, kind: .arm, sha256: hash, bytes: bytes))
        }
        let manifest = Manifest.text(of: base, arms: hashes)
        self.init(
            arms: [Arm(name: Arm.baseName, scenario: base.scenario)]
                + arms.map { Arm(name: $0.name, scenario: $0.decoded.scenario) },
            sha256: Bundles.sha256(Array(manifest.utf8)), manifest: manifest,
            blobs: blobs + manifests)
    }
}
