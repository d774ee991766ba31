import Bundles
import Foundation

/// A file that ships beside the executable.
enum LibraryFile {
    static var roots: [URL] {
        Library.roots(executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
    }

    /// Its bytes and its path: a short one where the current folder is the library.
    static func read(_ name: String) throws(CommandError) -> (bytes: [UInt8], path: String) {
        for root in roots {
            let url = root.appending(path: name)
            guard let data = try? Data(contentsOf: url) else { continue }
            let here = URL(filePath: FileManager.default.currentDirectoryPath)
            let isHere = root.standardizedFileURL.path == here.standardizedFileURL.path
            return (Array(data), isHere ? name : url.path)
        }
        throw CommandError(
            "\(name) is not in the library; \(Library.environmentKey) names its folders")
    }
}
