import Foundation

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

    private static func isFolder(_ root: URL, _ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let whole = path.isEmpty ? root.path : root.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: whole, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }
}
