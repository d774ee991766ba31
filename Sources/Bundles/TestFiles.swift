import Foundation
import Simulation

/// A file of tests and the files that it names: beside it, then in the library.
public struct TestFiles: Sendable {
    /// As the person named it.
    public let path: String
    private let library: [URL]

    public init(_ path: String, library: [URL]) { (self.path, self.library) = (path, library) }

    /// The file of tests itself.
    public func source() throws(BundleError) -> ScriptSource {
        do throws(FileFinder.Failure) {
            let bytes = try FileFinder.read(path, bytesMax: ScenarioLimits.scriptBytesMax)
            return try Self.text(bytes, name: path)
        } catch { throw BundleError(error.code, place: path, error.message) }
    }

    /// - Parameter key: of the file of tests, for messages.
    /// - Returns: the script under its whole path.
    public func script(
        _ name: String, _ role: ScriptRole, key: String
    ) throws(BundleError) -> ScriptSource {
        let kind: Bundle.Blob.Kind = role == .behavior ? .behavior : .strategy
        do throws(FileFinder.Failure) {
            let found = try finder.find(
                name, kind, bytesMax: ScenarioLimits.scriptBytesMax, isTyped: false)
            return try Self.text(found.bytes, name: Self.plain(found.path))
        } catch {
            throw BundleError(error.code, place: path, key: key, "'\(name)': \(error.message)")
        }
    }

    public func infoPlist(_ name: String, key: String) throws(BundleError) -> InfoPlist {
        let found: (path: String, bytes: [UInt8])
        do throws(FileFinder.Failure) {
            found = try finder.find(
                name, .infoPlist, bytesMax: ScenarioLimits.plistBytesMax, isTyped: false)
        } catch {
            throw BundleError(error.code, place: path, key: key, "'\(name)': \(error.message)")
        }
        return try InfoPlist(found.bytes, path: found.path)
    }

    private var finder: FileFinder { FileFinder(scenarioPath: path, library: library) }

    /// The same path without detours: `tests/../strategies/x.lua` is `strategies/x.lua`.
    private static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            if part == "..", let last = parts.last, last != "..", last != "" {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    private static func text(
        _ bytes: [UInt8], name: String
    ) throws(FileFinder.Failure) -> ScriptSource {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileFinder.Failure(code: .notUTF8, message: "a script is text in UTF-8")
        }
        return ScriptSource(name: name, text: text)
    }
}
