import Foundation
import JSONText

/// A file of `config/bench`, in JSON5.
struct BenchFile {
    static let acceptance = "config/bench/acceptance.json5"
    static let exactCounts = "config/bench/exact-counts.json5"
    static let thresholds = "config/bench/thresholds.json5"
    static let recorded = "config/bench/recorded.json"

    let path: String
    let root: JSONNode
    private let text: [UInt8]

    init(_ path: String) throws(CommandError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(
                "\(path) cannot be read: run locfleet-bench in the project's folder")
        }
        (self.path, text) = (path, Array(data))
        do throws(JSONError) { root = try JSONReader.read(text, as: .json5) } catch {
            throw CommandError("\(path):\(error.position): \(error.message)")
        }
    }

    /// The member of that name, which is due.
    func number(_ name: String, of node: JSONNode) throws(CommandError) -> Double {
        let member = try due(name, of: node)
        guard let number = member.number.flatMap(Double.init), number.isFinite, number >= 0 else {
            throw complaint("\(quoted(name)) is a number from 0 on", at: member)
        }
        return number
    }

    /// The same as a whole number.
    func count(_ name: String, of node: JSONNode) throws(CommandError) -> UInt64 {
        let member = try due(name, of: node)
        guard let count = member.number.flatMap({ UInt64($0) }) else {
            throw complaint("\(quoted(name)) is a whole number from 0 on", at: member)
        }
        return count
    }

    private func due(_ name: String, of node: JSONNode) throws(CommandError) -> JSONNode {
        guard let member = node[name] else {
            throw complaint("\(quoted(name)) is due here, a number", at: node)
        }
        return member
    }

    func members(of node: JSONNode) throws(CommandError) -> [JSONMember] {
        guard let members = node.members else { throw complaint("an object is due here", at: node) }
        return members
    }

    func items(of node: JSONNode) throws(CommandError) -> [JSONNode] {
        guard let items = node.array else { throw complaint("a list is due here", at: node) }
        return items
    }

    /// Refuses members that nothing reads.
    func refuseOthers(than known: [String], in node: JSONNode) throws(CommandError) {
        guard let other = try members(of: node).first(where: { !known.contains($0.name) }) else {
            return
        }
        let near = nearest(to: other.name, among: known)
        let hint = near.map { "did you mean \(quoted($0))?" } ?? known.joined(separator: ", ")
        throw complaint("no member is called \(quoted(other.name)): \(hint)", at: other.node)
    }

    func complaint(_ message: String, at node: JSONNode) -> CommandError {
        CommandError("\(path):\(TextPosition(of: node.offset, in: text)): \(message)")
    }
}

extension JSONNode {
    /// Of an object; nil where it is none.
    var members: [JSONMember]? { if case .object(let members) = value { members } else { nil } }
}
