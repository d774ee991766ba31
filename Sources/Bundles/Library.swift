import Foundation
import JSONText

/// Where the files that ship are: scripts and examples that scenarios name.
public enum Library {
    /// Names folders, separated by colons, and nothing else is looked at then.
    public static let environmentKey = "LOCFLEET_LIBRARY"

    /// The roots to look in, in order.
    ///
    /// `LOCFLEET_LIBRARY` where it is set; else the nearest folder above the executable that holds
    /// both `scripts/behaviors` and `config` (a checkout); else where packages install, as far
    /// as those exist.
    public static func roots(
        executable: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [URL] {
        if let named = environment[environmentKey], !named.isEmpty {
            return named.split(separator: ":").map {
                URL(fileURLWithPath: String($0), isDirectory: true)
            }
        }
        var folder = executable.resolvingSymlinksInPath().standardizedFileURL
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if isFolder(folder, "scripts/behaviors"), isFolder(folder, "config") { return [folder] }
        }
        return ["/usr/local/share/locfleet", "/usr/share/locfleet"]
            .map { URL(fileURLWithPath: $0, isDirectory: true) }
            .filter { isFolder($0, "") }
    }

    /// The list of figures that scripts name as the sources of their defaults.
    public static let sourcesFile = "config/sources/behaviour-sources.json"

    /// The ids of that list, from the first of `roots` that has it; nil where none has.
    static func sourceIDs(in roots: [URL]) -> [String]? {
        for root in roots {
            guard let data = try? Data(contentsOf: root.appendingPathComponent(sourcesFile)),
                let list = try? JSONReader.read(Array(data), as: .json),
                case .array(let entries) = list.value
            else { continue }
            return entries.compactMap { entry in
                guard case .object(let members) = entry.value,
                    case .string(let id)? = members.first(where: { $0.name == "id" })?.node.value
                else { return nil }
                return id
            }
        }
        return nil
    }

    private static func isFolder(_ root: URL, _ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let whole = path.isEmpty ? root.path : root.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: whole, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }
}
