import JSONText

/// Every name that scripts see: what `config/scripting/api.jsonl` says, one JSON object a line.
///
/// The one table behind `locfleet api`, the annotations for editors and the golden list of names;
/// tests hold it to the script bridge, in both directions.
public struct APICatalogue: Sendable {
    public var entries: [Entry]

    public struct Entry: Sendable {
        /// Where it stands: "behavior" and "strategy" for hooks, the class of an object, the name
        /// of a library, "globals", or the globals of one kind of script alone.
        public var owner: String
        public var name: String
        public var kind: Kind
        public var parameters: [Parameter]
        /// In the words of LuaLS, as those of the parameters; nil: nothing.
        public var returns: String?
        /// The first iOS that knows it; nil: all.
        public var since: String?
        public var about: String
    }

    public enum Kind: String, CaseIterable, Sendable { case hook, field, function, method }

    public struct Parameter: Hashable, Sendable {
        public var name: String
        public var type: String
    }

    /// What is wrong with the file.
    public struct Malformed: Error, CustomStringConvertible {
        public var line: Int
        public var reason: String
        public var description: String { "line \(line): \(reason)" }
    }

    /// - Throws: `Malformed` for the first line that is no entry.
    public static func read(_ bytes: [UInt8]) throws(Malformed) -> APICatalogue {
        var entries: [Entry] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            do throws(Reason) {
                entries.append(try Entry(line: Array(line)))
            } catch { throw Malformed(line: index + 1, reason: error.text) }
        }
        return APICatalogue(entries: entries)
    }

    /// In the order of the file, each once.
    public var owners: [String] {
        entries.reduce(into: []) { if !$0.contains($1.owner) { $0.append($1.owner) } }
    }

    public subscript(owner: String) -> [Entry] { entries.filter { $0.owner == owner } }
}

extension APICatalogue.Entry {
    /// Such as `manager:requestLocation()` or `rng.chance(p)`.
    public var signature: String {
        let list = parameters.map(\.name).joined(separator: ", ")
        switch kind {
        case .field: return called
        case .hook, .function, .method: return "\(called)(\(list))"
        }
    }

    /// The name as a script writes it.
    private var called: String {
        switch owner {
        case "behavior", "strategy", "globals", "behavior globals", "strategy globals": name
        case "CLLocationManager": "manager\(kind == .method ? ":" : ".")\(name)"
        case "CLLocationUpdate library": "CLLocationUpdate.\(name)"
        case "CLLocation": "location.\(name)"
        case "CLCircularRegion": "region.\(name)"
        default: owner.lowercased() + (kind == .method ? ":" : ".") + name
        }
    }
}

private struct Reason: Error { var text: String }

extension APICatalogue.Entry {
    fileprivate init(line: [UInt8]) throws(Reason) {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(line, as: .json)
        } catch { throw Reason(text: error.message) }
        guard case .object(let members) = node.value else { throw Reason(text: "no object") }
        var texts: [String: String] = [:]
        parameters = []
        for member in members {
            switch (member.name, member.node.value) {
            case (_, .string(let text)): texts[member.name] = text
            case ("parameters", .array(let nodes)):
                for node in nodes { parameters.append(try APICatalogue.Parameter(node)) }
            default: throw Reason(text: "'\(member.name)' is text, or a list of parameters")
            }
        }
        guard let owner = texts["in"], let name = texts["name"], let about = texts["about"],
            let kind = texts["kind"].flatMap(APICatalogue.Kind.init)
        else { throw Reason(text: "an entry has in, name, kind and about") }
        (self.owner, self.name, self.about, self.kind) = (owner, name, about, kind)
        (returns, since) = (texts["returns"], texts["ios"])
    }
}

extension APICatalogue.Parameter {
    fileprivate init(_ node: JSONNode) throws(Reason) {
        guard case .object(let members) = node.value else { throw Reason(text: "no parameter") }
        (name, type) = ("", "any")
        for member in members {
            guard case .string(let text) = member.node.value else { continue }
            if member.name == "name" { name = text }
            if member.name == "type" { type = text }
        }
    }
}
