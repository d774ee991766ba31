import Foundation
import TestSupport
import Testing

/// The text files of the project.
enum SourceFiles {
    struct Line {
        /// `file:number`, from the project's root.
        let place: String
        let text: String

        /// The line without what follows `//`. Also cuts at a `//` in a string: a blunt net.
        var code: Substring {
            text.prefix(upTo: text.range(of: "//")?.lowerBound ?? text.endIndex)
        }
    }

    static let sourceEndings = ["swift", "c", "h", "lua", "sh", ""]

    /// Files under `folder`, from the project's root, in the order of their paths.
    static func paths(under folder: String, endings: [String] = sourceEndings) throws -> [String] {
        let base = projectRoot.appending(path: folder)
        let found = try FileManager.default.subpathsOfDirectory(
            atPath: base.path(percentEncoded: false))
        #expect(!found.isEmpty, "\(folder) is empty or has moved")
        return found.sorted().map { "\(folder)/\($0)" }.filter { path in
            let url = projectRoot.appending(path: path)
            return endings.contains(url.pathExtension) && !isFolder(url)
        }
    }

    static func lines(under folder: String, endings: [String] = sourceEndings) throws -> [Line] {
        try paths(under: folder, endings: endings).flatMap { try lines(of: $0) }
    }

    static func lines(of path: String) throws -> [Line] {
        let text = try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
            Line(place: "\(path):\($0.offset + 1)", text: String($0.element))
        }
    }

    /// The modules that a folder of Swift files imports, each with a place.
    static func imports(under folder: String) throws -> [(module: String, place: String)] {
        try lines(under: folder, endings: ["swift"]).compactMap { line in
            let words = line.code.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy({ $0.hasPrefix("@") || Self.access.contains(String($0)) }
                )
            else { return nil }
            return (String(words[index + 1].prefix { $0 != "." }), line.place)
        }
    }

    private static let access = ["public", "package", "internal", "private", "fileprivate"]

    static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }
}
