import Foundation
import JSONText

/// The daemon's own configuration: one object of JSON5, with `DaemonKey` for names.
struct DaemonFile {
    /// Read where `--config` names no other, if it is there.
    static let standardPath = "/etc/locfleet/locfleetd.json5"
    private static let bytesMax = 64 << 10

    struct Value {
        let text: String
        /// `FILE:LINE:COLUMN: key`: what a complaint about it begins with.
        let label: String
    }

    let path: String
    private(set) var values: [DaemonKey: Value] = [:]

    /// - Parameter named: the path that somebody chose; nil: the standard one.
    /// - Returns: nil where the standard one is not there.
    static func read(_ named: String?) throws(CommandError) -> DaemonFile? {
        if let named { return try DaemonFile(named) }
        var status = stat()
        if stat(standardPath, &status) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        return try DaemonFile(standardPath)
    }

    private init(_ path: String) throws(CommandError) {
        self.path = path
        let text = try Self.bytes(of: path)
        func complaint(_ offset: Int, _ message: String) -> CommandError {
            CommandError("\(path):\(TextPosition(of: offset, in: text)): \(message)")
        }
        let root: JSONNode
        do throws(JSONError) { root = try JSONReader.read(text, as: .json5) } catch {
            throw CommandError("\(path):\(error.position): \(error.message)")
        }
        guard case .object(let members) = root.value else {
            throw complaint(root.offset, "an object of keys is due here, such as { workers: 2 }")
        }
        for member in members {
            guard let key = DaemonKey(rawValue: member.name) else {
                let known = DaemonKey.allCases.map(\.rawValue)
                let near = nearest(to: member.name, among: known)
                throw complaint(
                    member.offset,
                    "unknown key \(quoted(printable(member.name)))"
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; there are \(known.joined(separator: ", "))"))
            }
            // Whoever takes a path from it would end it there.
            guard member.node.string?.utf8.contains(0) != true else {
                throw complaint(member.node.offset, "\(key.rawValue) has a NUL character in it")
            }
            guard let value = Self.text(member.node, as: key.form) else {
                throw complaint(member.node.offset, "\(key.rawValue) is \(key.form.rawValue)")
            }
            values[key] = Value(
                text: value,
                label: "\(path):\(TextPosition(of: member.node.offset, in: text)): \(key.rawValue)")
        }
        if let both = values[.state], values[.noState]?.text == "true" {
            throw CommandError("\(both.label) and no_state contradict each other; take one")
        }
    }

    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        // Anything but a file might never end, or never begin.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw CommandError("\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("\(path): this is no file")
        }
        guard status.st_size <= bytesMax else {
            throw CommandError(
                "\(path): the daemon's file has at most \(bytesMax) bytes, this one has "
                    + "\(status.st_size)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do { return Array(try file.read(upToCount: bytesMax) ?? Data()) } catch {
            throw CommandError("\(path): \(error.localizedDescription)")
        }
    }

    private static func text(_ node: JSONNode, as form: DaemonKey.Form) -> String? {
        switch form {
        case .text: node.string
        case .path: node.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
        case .number: node.number
        case .flag: node.bool.map { "\($0)" }
        }
    }
}
