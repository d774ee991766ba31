import Foundation
import JSONText

/// Where the files of a scenario come from.
enum FileSource {
    case folders(FileFinder)
    /// The files of a bundle, by kind and name.
    case blobs([BlobKey: [UInt8]])

    struct BlobKey: Hashable {
        let kind: Bundle.Blob.Kind
        let name: String
    }

    func find(
        _ name: String, _ kind: Bundle.Blob.Kind, bytesMax: Int, isTyped: Bool
    ) throws(FileFinder.Failure) -> (path: String, bytes: [UInt8]) {
        switch self {
        case .folders(let finder):
            return try finder.find(name, kind, bytesMax: bytesMax, isTyped: isTyped)
        case .blobs(let blobs):
            guard let bytes = blobs[BlobKey(kind: kind, name: name)] else {
                throw FileFinder.Failure(
                    code: .missingFile, message: "the bundle has no such file")
            }
            guard bytes.count <= bytesMax else {
                throw FileFinder.Failure(
                    code: .tooLarge,
                    message: "a file of this kind has at most \(grouped(bytesMax)) bytes")
            }
            return (name, bytes)
        }
    }
}

/// Finds and reads the files of a scenario: beside it, then in the library.
struct FileFinder {
    /// As the person named it; "" is the current folder.
    let folder: String
    let library: [URL]

    init(scenarioPath: String, library: [URL]) {
        folder = scenarioPath.lastIndex(of: "/").map { String(scenarioPath[...$0]) } ?? ""
        self.library = library
    }

    /// Why a file cannot be used, in words that follow its name.
    struct Failure: Error {
        let code: BundleError.Code
        let message: String
    }

    /// The file `name` and its path, looked up for `kind`.
    ///
    /// - Parameter isTyped: the name stands on the command line: the current folder is looked into
    ///   as well, last; and a path is taken as one.
    func find(
        _ name: String, _ kind: Bundle.Blob.Kind, bytesMax: Int, isTyped: Bool
    ) throws(Failure) -> (path: String, bytes: [UInt8]) {
        if isTyped, Self.isPath(name) { return (name, try Self.read(name, bytesMax: bytesMax)) }
        guard !name.hasPrefix("/"), !name.hasPrefix("~") else {
            throw Failure(
                code: .invalidValue,
                message: "a file is named relative to the scenario or within the library, not by "
                    + "an absolute path")
        }
        var candidates = candidates(name, kind)
        if isTyped, !candidates.contains(name) { candidates.append(name) }
        for path in candidates where FileManager.default.fileExists(atPath: path) {
            return (path, try Self.read(path, bytesMax: bytesMax))
        }
        let places = candidates.joined(separator: ", ")
        let hint = Self.hint(name, candidates)
        let start = "there is no such file" + (hint.isEmpty ? ";" : hint)
        throw Failure(code: .missingFile, message: "\(start) looked for \(places)")
    }

    /// Files of a folder among which a name is looked for.
    private static let neighborsMax = 10_000

    /// `; did you mean "x.lua"?` for the nearest file of the same ending beside one of `paths`, or
    /// of any ending that checks and runs take where `name` has none; else nothing.
    private static func hint(_ name: String, _ paths: [String]) -> String {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let ending = file.lastIndex(of: ".").map { String(file[$0...]) }
        let endings = ending.map { [$0] } ?? [".lua", ".json5", ".plist"]
        let neighbors = paths.flatMap { path -> [String] in
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
            return (files ?? []).prefix(neighborsMax).filter { file in
                endings.contains { file.hasSuffix($0) }
            }
        }.sorted()
        let whole = neighbors.first { near in endings.contains { near == file + $0 } }
        guard let near = whole ?? nearest(to: file, among: neighbors) else { return "" }
        return "; did you mean \(quoted(String(name.dropLast(file.count)) + near))?"
    }

    /// Whether a name on the command line says itself where the file is: seen from the current
    /// folder, as everything that is typed.
    static func isPath(_ name: String) -> Bool {
        ["/", "./", "../"].contains { name.hasPrefix($0) }
    }

    /// Beside the scenario a name may climb with `..`; out of the library it may not.
    private func candidates(_ name: String, _ kind: Bundle.Blob.Kind) -> [String] {
        let beside = folder + name
        guard !name.split(separator: "/").contains("..") else { return [beside] }
        let folders =
            switch kind {
            case .behavior: ["scripts/behaviors", "scripts", "config"]
            case .strategy: ["scripts/strategies", "scripts", "config"]
            case .infoPlist: ["config", "scripts"]
            case .arm: []
            }
        return [beside]
            + library.flatMap { root in
                folders.map { root.appendingPathComponent("\($0)/\(name)").path }
            }
    }

    /// The bytes of one regular file.
    static func read(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8] {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let facts = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            throw Failure(
                code: .missingFile, message: "there is no such file" + hint(path, [path]))
        }
        switch facts[.type] as? FileAttributeType {
        case .typeRegular: break
        case .typeDirectory:
            throw Failure(
                code: .unreadableFile, message: "this is a folder; a file is due here")
        case .typeSymbolicLink:
            throw Failure(
                code: .unreadableFile, message: "this is a link that leads to no file")
        default:
            throw Failure(
                code: .unreadableFile, message: "this is a device or pipe; a file is due here")
        }
        let size = (facts[.size] as? NSNumber)?.intValue ?? 0
        guard size <= bytesMax else {
            throw Failure(
                code: .tooLarge,
                message: "a file of this kind has at most \(grouped(bytesMax)) bytes, this one has "
                    + grouped(size))
        }
        guard let data = FileManager.default.contents(atPath: url.path), data.count <= bytesMax
        else {
            throw Failure(
                code: .unreadableFile, message: "this file cannot be read; check its permissions")
        }
        return [UInt8](data)
    }
}
