/// Files by themselves, for those who check them.
extension BundleReader {
    /// The ids of the library's list of sources; nil where it has none.
    public var sourceIDs: [String]? { Library.sourceIDs(in: library) }

    /// Where a scenario's file would be found: beside it, then in the library; nil: nowhere.
    public func path(
        of name: String, _ kind: Bundle.Blob.Kind, scenarioPath: String
    ) -> String? {
        let finder = FileFinder(scenarioPath: scenarioPath, library: library)
        do throws(FileFinder.Failure) {
            return try finder.find(name, kind, bytesMax: .max, isTyped: false).path
        } catch { return nil }
    }
}

extension BundleReader {
    /// The bytes of a script that is named on a command line: of the current folder, of the
    /// library, or where its path says.
    public func script(
        typed name: String, _ kind: Bundle.Blob.Kind
    ) throws(BundleError) -> [UInt8] {
        let finder = FileFinder(scenarioPath: "", library: library)
        do throws(FileFinder.Failure) {
            return try finder.find(
                name, kind, bytesMax: ScenarioLimits.scriptBytesMax, isTyped: true
            ).bytes
        } catch { throw BundleError(error.code, place: name, error.message) }
    }
}

/// A file that is named by its path.
public enum NamedFile {
    public static func bytes(_ path: String, bytesMax: Int) throws(BundleError) -> [UInt8] {
        do throws(FileFinder.Failure) {
            return try FileFinder.read(path, bytesMax: bytesMax)
        } catch { throw BundleError(error.code, place: path, error.message) }
    }

    /// The text of a script.
    public static func script(_ path: String) throws(BundleError) -> String {
        let bytes = try bytes(path, bytesMax: ScenarioLimits.scriptBytesMax)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BundleError(.notUTF8, place: path, "a script is text in UTF-8")
        }
        return text
    }
}
