import AuthorizationCore
import JSONText

/// The plain values of a case, each with one message for what it should be.
extension CaseReader {
    func object(_ node: JSONNode, _ place: String) throws(ConformanceError) -> [String: JSONNode] {
        guard case .object(let members) = node.value else {
            throw error("\(place) is an object, not \(node.value.kind)")
        }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.node) })
    }

    func list(_ node: JSONNode, _ place: String) throws(ConformanceError) -> [JSONNode] {
        guard case .array(let items) = node.value else {
            throw error("\(place) is a list, not \(node.value.kind)")
        }
        return items
    }

    func text(_ node: JSONNode, _ place: String) throws(ConformanceError) -> String {
        guard case .string(let text) = node.value else {
            throw error("\(place) is a string, not \(node.value.kind)")
        }
        return text
    }

    func boolean(_ node: JSONNode, _ place: String) throws(ConformanceError) -> Bool {
        guard case .bool(let value) = node.value else {
            throw error("\(place) is true or false, not \(node.value.kind)")
        }
        return value
    }

    /// Infinite where it is written as too large for a `Double`: every range leaves that out.
    func number(_ node: JSONNode, _ place: String) throws(ConformanceError) -> Double {
        guard case .number(let text) = node.value, let number = Double(text) else {
            throw error("\(place) is a number, not \(node.value.kind)")
        }
        return number
    }

    func version(_ text: String, in place: String) throws(ConformanceError) -> IOSVersion {
        guard let version = IOSVersion(text) else {
            throw error("\(place): there is no iOS '\(text)'; versions are 8.0 to 18.7 and 26.0 on")
        }
        return version
    }

    func required(
        _ name: String, of members: [String: JSONNode], in place: String
    ) throws(ConformanceError) -> JSONNode {
        guard let node = members[name] else { throw error("\(place) needs \(name)") }
        return node
    }

    /// One of `words`, or an error with the nearest.
    func word(
        _ text: String, among words: [String], in place: String
    ) throws(ConformanceError) -> String {
        if words.contains(text) { return text }
        if let near = nearest(to: text, among: words) {
            throw error("\(place): unknown '\(text)'; did you mean '\(near)'?")
        }
        throw error("\(place): unknown '\(text)'; there are \(words.joined(separator: ", "))")
    }

    func check(
        _ members: [String: JSONNode], among known: [String], of place: String
    ) throws(ConformanceError) {
        for name in members.keys.sorted() where !known.contains(name) {
            let hint = nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
            throw error("\(place) has no key '\(name)'\(hint)")
        }
    }

    // MARK: - Info.plist

    /// What the rules look at. Other keys are taken and have no effect, as on a phone.
    func plist(
        _ members: [String: JSONNode]
    ) throws(ConformanceError) -> ConformanceCase.Plist {
        var result = ConformanceCase.Plist()
        for (name, path) in Self.texts {
            // LI6: a text that is no string counts for none.
            guard case .string? = members[name]?.value else { continue }
            result.capabilities[keyPath: path] = true
        }
        for (name, path) in Self.switches {
            // I6: of another type it is ignored.
            guard case .bool(let on)? = members[name]?.value else { continue }
            result.capabilities[keyPath: path] = on
        }
        if let node = members["UIBackgroundModes"] {
            for mode in try list(node, "plist: UIBackgroundModes") {
                if try text(mode, "plist: UIBackgroundModes") == "location" {
                    result.capabilities.hasLocationBackgroundMode = true
                }
            }
        }
        let purposes = "NSLocationTemporaryUsageDescriptionDictionary"
        // LI6: what is no dictionary of strings counts for none.
        if case .object(let entries)? = members[purposes]?.value {
            let texts = entries.filter { if case .string = $0.node.value { true } else { false } }
            result.temporaryPurposeKeys = texts.map(\.name).sorted()
        }
        return result
    }

    private static var switches: [(String, WritableKeyPath<AppCapabilities, Bool>)] {
        [
            ("NSLocationDefaultAccuracyReduced", \.isReducedByDefault),
            ("NSLocationRequireExplicitServiceSession", \.hasExplicitSessionKey),
            ("CLRequireExplicitServiceSession", \.hasExplicitSessionHeaderKey),
        ]
    }

    private static var texts: [(String, WritableKeyPath<AppCapabilities, Bool>)] {
        [
            ("NSLocationWhenInUseUsageDescription", \.hasWhenInUseText),
            ("NSLocationAlwaysUsageDescription", \.hasLegacyAlwaysText),
            ("NSLocationAlwaysAndWhenInUseUsageDescription", \.hasAlwaysText),
        ]
    }
}
