import Foundation
import JSONText
import SimPrimitives

/// Reads a scenario with the files it names.
public struct BundleReader: Sendable {
    private let library: [URL]
    private let outline: ScriptOutline

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
            root = try tree(text, path)
            try overrides.lay(over: &root)
        } catch {
            return .refused(error, others: [])
        }
        let complaints = Complaints(file: path, text: text)
        guard let decoded = decoder(path, complaints).decode(root) else {
            return refused(complaints, path)
        }
        var arms: [(name: String, sha256: String)] = []
        let armComplaints = Complaints(file: path, text: text)
        for arm in decoded.later.arms {
            if let manifest = manifest(of: arm, over: root, path, text, armComplaints) {
                arms.append((arm.name, sha256(Array(manifest.utf8))))
            }
        }
        guard armComplaints.isEmpty else { return refused(armComplaints, path) }
        let manifest = Manifest.text(of: decoded, arms: arms)
        let notYet = decoded.later.given.map { key, field in
            let (place, position) = complaints.place(of: field.setting.origin)
            return Bundle.NotYet(
                key: key, place: place, line: position?.line, column: position?.column)
        }
        return .read(
            Bundle(
                scenario: decoded.scenario, sha256: sha256(Array(manifest.utf8)),
                manifest: manifest, blobs: decoded.blobs,
                notYet: notYet))
    }

    private func refused(_ complaints: Complaints, _ path: String) -> Attempt {
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
            complaints: complaints, loader: ScriptLoader(finder, outline), baseName: base)
    }

    /// The manifest of the scenario with an arm laid over it; nil after a complaint.
    private func manifest(
        of arm: LaterParts.Arm, over root: Setting, _ path: String, _ text: [UInt8],
        _ complaints: Complaints
    ) -> String? {
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
        guard let decoded = decoder(path, own).decode(tree) else {
            complaints.take(own, arm: arm.name)
            return nil
        }
        return Manifest.text(of: decoded, arms: [])
    }

    private func bytes(_ path: String) throws(BundleError) -> [UInt8] {
        do throws(FileFinder.Failure) {
            return try FileFinder.read(path, bytesMax: ScenarioLimits.scenarioBytesMax)
        } catch {
            throw BundleError(error.code, place: path, error.message)
        }
    }

    private func tree(_ text: [UInt8], _ path: String) throws(BundleError) -> Setting {
        do throws(JSONError) {
            return Setting(try JSONReader.read(text, as: .json5))
        } catch {
            throw BundleError(
                .malformedJSON, place: path, line: error.position.line,
                column: error.position.column, error.message)
        }
    }
}

extension Overrides {
    func lay(over root: inout Setting) throws(BundleError) {
        if let devices { try set("devices", .number("\(devices)"), "--devices", &root) }
        if let seed { try set("seed", .number("\(seed)"), "--seed", &root) }
        if let days {
            let most = ScenarioLimits.durationMax.seconds / 86_400
            guard days > 0, days <= most else {
                throw BundleError(
                    .invalidValue, place: "--days",
                    "a fleet lives for more than 0 and at most \(grouped(most)) days, not "
                        + grouped(days))
            }
            let micros = SimDuration(microseconds: Int64((days * 86_400_000_000).rounded()))
            try set("duration", .string(micros.inExactUnits), "--days", &root)
        }
        guard sets.count <= ScenarioLimits.setsMax else {
            throw BundleError(
                .tooMany, place: "--set", "at most \(ScenarioLimits.setsMax) may be given")
        }
        for (key, value) in sets {
            let option = "--set \(key)"
            let setting = try Setting(typed: value, option)
            try set(key, setting.value, option, &root)
        }
    }

    private func set(
        _ key: String, _ value: Setting.Value, _ option: String, _ root: inout Setting
    ) throws(BundleError) {
        let setting = Setting(value, .option(option)).given(by: .option(option), layer: 1)
        do throws(PathError) {
            try root.overlay(key, setting)
        } catch {
            throw BundleError(.unknownKey, place: option, error.message)
        }
    }
}

extension Setting {
    /// The VALUE of `--set`: JSON5, and a bare word is text.
    fileprivate init(typed text: String, _ option: String) throws(BundleError) {
        do throws(JSONError) {
            self = Setting(try JSONReader.read(Array(text.utf8), as: .json5))
        } catch {
            let first = text.unicodeScalars.first { $0 != " " }
            guard let first, !"{[\"'".unicodeScalars.contains(first) else {
                throw BundleError(
                    .malformedJSON, place: option,
                    "the value is JSON5 or a bare word; at \(error.position): \(error.message)")
            }
            self = Setting(.string(text), .option(option))
        }
    }
}
