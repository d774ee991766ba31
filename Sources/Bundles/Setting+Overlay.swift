import JSONText

/// A path that leads nowhere: what is true, and what exists.
struct PathError: Error { let message: String }

extension Setting {
    /// Puts `new` at a dotted path: names of keys, and names or indices of list elements; `*` is
    /// every element. Objects on the way are made. Whether keys exist is for the decoder to say.
    mutating func overlay(_ key: String, _ new: Setting) throws(PathError) {
        let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.allSatisfy({ !$0.isEmpty }) else {
            throw PathError(message: "a key is names joined by dots, such as app.strategy")
        }
        try place(new, at: path[...], in: "")
    }

    private mutating func place(
        _ new: Setting, at path: ArraySlice<String>, in walked: String
    ) throws(PathError) {
        guard let name = path.first else {
            self = new
            return
        }
        let rest = path.dropFirst()
        let here = walked.isEmpty ? name : "\(walked).\(name)"
        switch value {
        case .null: try placeInTable([], new, name, rest, here)
        case .table(let members): try placeInTable(members, new, name, rest, here)
        case .list(var items):
            for index in try indices(of: name, in: items, walked) {
                try items[index].place(new, at: rest, in: "\(walked).\(index)")
            }
            value = .list(items)
        case .bool, .number, .string:
            throw PathError(message: "\(walked) is \(shown) here and has no part \"\(name)\"")
        }
    }

    private mutating func placeInTable(
        _ members: [Member], _ new: Setting, _ name: String, _ rest: ArraySlice<String>,
        _ here: String
    ) throws(PathError) {
        var members = members
        if let index = members.firstIndex(where: { $0.name == name }) {
            try members[index].setting.place(new, at: rest, in: here)
            if rest.isEmpty { members[index].origin = new.origin }
        } else {
            var made = Setting(.null, new.origin, layer: new.layer)
            if !rest.isEmpty, Self.listKeys.contains(here) {
                throw PathError(message: "\(here) is a list and has no elements here")
            }
            try made.place(new, at: rest, in: here)
            members.append(Member(name: name, origin: new.origin, setting: made))
        }
        value = .table(members)
    }

    private func indices(
        of name: String, in items: [Setting], _ walked: String
    ) throws(PathError) -> [Int] {
        guard !items.isEmpty else {
            throw PathError(message: "\(walked) is a list and has no elements here")
        }
        if name == "*" { return Array(items.indices) }
        let names = items.compactMap { item -> String? in
            guard case .string(let name) = item["name"]?.value else { return nil }
            return name
        }
        if let index = items.firstIndex(where: {
            if case .string(name) = $0["name"]?.value { true } else { false }
        }) {
            return [index]
        }
        if let index = Int(name), items.indices.contains(index) { return [index] }
        let meant = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ";"
        let numbers = "an index of 0 to \(items.count - 1), or * for all"
        let known = names.isEmpty ? numbers : "\(listed(names)), \(numbers)"
        throw PathError(
            message: "\(walked) has no element \(quoted(name))\(meant) there are: \(known)")
    }

    private static let listKeys: Set<String> = [
        "ios", "personas", "app.features", "arms", "interventions", "thresholds", "funnels",
    ]
}

/// Names for a message: all of them, or the first dozens.
func listed(_ names: [String]) -> String {
    let shown = names.prefix(40).joined(separator: ", ")
    return names.count > 40 ? shown + " and \(names.count - 40) more" : shown
}
