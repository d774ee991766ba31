import ControlProtocol
import Foundation
import JSONText
import LuaScripting
import Reports
import StateStore

/// What `--version` says: of the program, of the commit that it was built from, and of the
/// libraries that a run or a state depends on.
struct ProgramVersion {
    let program: String
    var version = Report.productVersion
    var commit = BuildCommit.current
    var lua = luaRelease.replacingOccurrences(of: "Lua ", with: "")
    var sqlite = sqliteVersion

    init(of program: String) { self.program = program }

    /// Prints it, as JSON where that is asked for.
    ///
    /// - Parameter words: those after `--version`.
    static func show(
        _ program: String, _ words: [String], on terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let words = words.filter { $0 != "--version" }
        if let stray = words.first(where: { $0 != "--json" }) {
            throw CommandError("--version takes nothing but --json, not '\(stray)'")
        }
        let version = ProgramVersion(of: program)
        try terminal.print(words.isEmpty ? version.text : version.json)
        return .done
    }

    var text: String {
        """
        \(program) \(version)
        commit \(commit ?? "unknown")
        Lua \(lua)
        SQLite \(sqlite)

        """
    }

    var json: String {
        JSONLine.object {
            $0.member("program", program)
            $0.member("version", version)
            $0.member("commit", commit)
            $0.member("lua", lua)
            $0.member("sqlite", sqlite)
        } + "\n"
    }
}

/// The commit that a program was built from, as far as what lies beside it says so.
///
/// Of an installed one that is `share/locfleet/commit` beside its `bin`, which `scripts/package`
/// writes. In a checkout it is the commit that is checked out, and a program that was not built
/// anew since is older. Nothing is compiled in: a file that is written at each commit would be
/// built again at each, and the tree never be clean.
enum BuildCommit {
    static var current: String? {
        of(executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
    }

    static func of(executable: URL) -> String? {
        let bin = executable.deletingLastPathComponent()
        let installed = bin.deletingLastPathComponent().appending(path: "share/locfleet/commit")
        if let word = word(of: installed) { return word }
        var folder = bin
        while folder.path.count > 1 {
            if let git = gitFolder(in: folder) { return head(in: git) }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// Of a checkout, or of a worktree, whose `.git` is a file.
    private static func gitFolder(in folder: URL) -> URL? {
        let git = folder.appending(path: ".git")
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: git.path, isDirectory: &isFolder) else {
            return nil
        }
        guard !isFolder.boolValue, let text = line(of: git), text.hasPrefix("gitdir: ") else {
            return git
        }
        return URL(filePath: String(text.dropFirst("gitdir: ".count)), relativeTo: folder)
    }

    private static func head(in git: URL) -> String? {
        guard let head = line(of: git.appending(path: "HEAD")) else { return nil }
        guard head.hasPrefix("ref: ") else { return checked(head) }
        let name = String(head.dropFirst("ref: ".count))
        let common =
            line(of: git.appending(path: "commondir"))
            .map { URL(filePath: $0, relativeTo: git.appending(path: "")) } ?? git
        if let word = word(of: common.appending(path: name)) { return word }
        let packed = try? String(
            contentsOf: common.appending(path: "packed-refs"), encoding: .utf8)
        return packed?.split(separator: "\n").first { $0.hasSuffix(" " + name) }
            .flatMap { checked(String($0.prefix { $0 != " " })) }
    }

    private static func word(of file: URL) -> String? { line(of: file).flatMap(checked) }

    private static func line(of file: URL) -> String? {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }

    /// Also `-dirty` at its end, of a package that was made of a changed tree.
    private static func checked(_ text: String) -> String? {
        let isCommit = text.wholeMatch(of: /[0-9a-f]{7,64}(-dirty)?/) != nil
        return isCommit ? text : nil
    }
}
