import Foundation
import JSONText
import Simulation

/// Reads the Lua of a device and what it declares.
public typealias ScriptOutline =
    @Sendable (_ source: String, _ name: String, _ role: ScriptRole) throws -> [DeclaredOption]

/// The files of one scenario, each read once.
///
/// A class, because personas and the app add to the same list.
final class ScriptLoader {
    struct Script {
        let name: String
        let role: ScriptRole
        /// Index into `Scenario.scripts`.
        let index: Int
        let options: [DeclaredOption]
    }

    private(set) var sources: [ScriptSource] = []
    /// What each of them declares.
    private(set) var declarations: [[DeclaredOption]] = []
    /// How many of them interventions have brought, and what those declare.
    private var broughtCount = 0
    private(set) var brought: [ScriptOption] = []
    /// What interventions update the app to.
    private(set) var updates: [AppUpdate] = []
    /// Scripts first, in the order of `sources`.
    var blobs: [Bundle.Blob] { scriptBlobs + plistBlobs }
    private var scriptBlobs: [Bundle.Blob] = []
    private var plistBlobs: [Bundle.Blob] = []
    private let files: FileSource
    private let outline: ScriptOutline
    private let library: [URL]
    /// Nil where the script has been complained about.
    private var loaded: [Bundle.Blob.Kind: [String: Script?]] = [:]

    /// - Parameter library: where the list of sources is.
    init(_ files: FileSource, _ outline: @escaping ScriptOutline, library: [URL] = []) {
        (self.files, self.outline, self.library) = (files, outline, library)
    }

    private lazy var sourceIDs = Library.sourceIDs(in: library).map(Set.init)

    /// Whether a default has a source that the list of sources does not know.
    func isUnknown(source: String) -> Bool {
        guard !source.isEmpty, let known = sourceIDs else { return false }
        return !known.contains(source)
    }

    /// The script that `field` names; nil after a complaint.
    func script(_ field: Field, _ role: ScriptRole) -> Script? {
        guard let name = field.text("a script's file name") else { return nil }
        let kind: Bundle.Blob.Kind = role == .behavior ? .behavior : .strategy
        if let known = loaded[kind]?[name] { return known }
        let script = load(name, kind, role, field)
        loaded[kind, default: [:]][name] = .some(script)
        return script
    }

    /// A script that an intervention brings; nil after a complaint.
    func broughtScript(_ field: Field, _ role: ScriptRole) -> Script? {
        let known = sources.count
        guard let script = script(field, role) else { return nil }
        if sources.count > known { broughtCount += 1 }
        guard broughtCount <= ScenarioLimits.scriptsBroughtMax else {
            field.complain(
                "interventions bring at most \(ScenarioLimits.scriptsBroughtMax) scripts", .tooMany)
            return nil
        }
        for option in script.options where !brought.contains(where: { $0.name == option.name }) {
            brought.append(ScriptOption(name: option.name, value: option.value, isAssumed: false))
        }
        return script
    }

    /// The property list that `field` names; nil after a complaint.
    func infoPlist(_ field: Field) -> InfoPlist? {
        guard let name = field.text("a file name"),
            let (path, bytes) = bytes(name, .infoPlist, ScenarioLimits.plistBytesMax, field)
        else { return nil }
        do throws(BundleError) {
            let plist = try InfoPlist(bytes, path: path)
            add(Self.shown(name, field), .infoPlist, bytes)
            return plist
        } catch {
            field.complaints.add(error, for: field.setting.origin)
            return nil
        }
    }

    /// The place among `updates` of the property list that `field` names; nil after a complaint.
    func update(_ field: Field) -> Int? {
        if case .blobs(let blobs) = files, blobs.isEmpty {
            field.complain("only a scenario updates an app: a client sends no files with it")
            return nil
        }
        guard let plist = infoPlist(field) else { return nil }
        let update = AppUpdate(
            capabilities: plist.capabilities, temporaryPurposeKeys: plist.temporaryPurposeKeys)
        if let known = updates.firstIndex(of: update) { return known }
        guard updates.count < ScenarioLimits.updatesMax else {
            field.complain(
                "an app is updated to at most \(ScenarioLimits.updatesMax) Info.plists", .tooMany)
            return nil
        }
        updates.append(update)
        return updates.count - 1
    }

    /// A path that was typed is of this machine: a bundle has the file's own name.
    private static func shown(_ name: String, _ field: Field) -> String {
        guard field.setting.isTyped, FileFinder.isPath(name) else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    private func load(
        _ name: String, _ kind: Bundle.Blob.Kind, _ role: ScriptRole, _ field: Field
    ) -> Script? {
        guard let (path, bytes) = bytes(name, kind, ScenarioLimits.scriptBytesMax, field) else {
            return nil
        }
        let complaints = field.complaints
        if let place = firstByteNotUTF8(in: bytes) {
            let position = TextPosition(of: place, in: bytes)
            complaints.add(
                BundleError(
                    .notUTF8, place: path, line: position.line, column: position.column,
                    "this byte is not UTF-8, and a script is"), for: field.setting.origin)
            return nil
        }
        let source = String(decoding: bytes, as: UTF8.self)
        let name = Self.shown(name, field)
        if scriptBlobs.contains(where: { $0.kind == kind && $0.name == name && $0.bytes != bytes })
        {
            field.complain(
                "there is another file called \(quoted(name)) in this bundle; rename one",
                .duplicateName)
            return nil
        }
        let options: [DeclaredOption]
        do {
            options = try outline(source, name, role)
        } catch {
            complaints.add(Self.refusal("\(error)", name, path), for: field.setting.origin)
            return nil
        }
        sources.append(ScriptSource(name: name, text: source))
        declarations.append(options)
        add(name, kind, bytes)
        return Script(name: name, role: role, index: sources.count - 1, options: options)
    }

    private func bytes(
        _ name: String, _ kind: Bundle.Blob.Kind, _ bytesMax: Int, _ field: Field
    ) -> (path: String, bytes: [UInt8])? {
        do throws(FileFinder.Failure) {
            return try files.find(
                name, kind, bytesMax: bytesMax, isTyped: field.setting.isTyped)
        } catch {
            field.complain("\(quoted(name)): \(error.message)", error.code)
            return nil
        }
    }

    private func add(_ name: String, _ kind: Bundle.Blob.Kind, _ bytes: [UInt8]) {
        let blob = Bundle.Blob(name: name, kind: kind, sha256: sha256(bytes), bytes: bytes)
        guard kind == .infoPlist else {
            scriptBlobs.append(blob)
            return
        }
        if !plistBlobs.contains(blob) { plistBlobs.append(blob) }
    }

    /// What the bridge says of a script, with the script's path in the place of its name.
    private static func refusal(_ said: String, _ name: String, _ path: String) -> BundleError {
        let text = said.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard text.hasPrefix("\(name):") else { return BundleError(.script, place: path, text) }
        let rest = text.dropFirst(name.count + 1)
        let digits = rest.prefix { "0"..."9" ~= $0 }
        let message = rest.dropFirst(digits.count).drop { $0 == ":" || $0 == " " }
        return BundleError(.script, place: path, line: Int(digits), String(message))
    }
}
