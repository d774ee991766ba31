import AuthorizationCore
import JSONText

/// Keys and their types: LI6, LI7, and names that iOS does not know.
extension Checks {
    mutating func checkForm() {
        for key in list.keyLines.repeats { noteRepeat(key) }
        for wrong in facts.wrongTypes { checkType(wrong) }
        for key in facts.present { checkUse(of: key) }
        for entry in list.entries { checkName(entry.key) }
        for mode in facts.modes { checkMode(mode) }
    }

    private mutating func checkType(_ wrong: PlistFacts.WrongType) {
        if let element = wrong.element { return noteElement(element, wrong) }
        let effect =
            switch wrong.key {
            case .reduced: "iOS ignores it, and Precise stays on (I6)"
            case .modes: "no background mode is read from it (I7)"
            case .temporary: "there is no such purpose for iOS (I5)"
            default: "it is as good as missing (\(wrong.key.rule.rawValue))"
            }
        let example =
            switch wrong.key {
            case .reduced, .explicitSession, .explicitSessionOfHeader: "<true/>"
            case .modes: "<array><string>location</string></array>"
            case .temporary where wrong.path.count == 1:
                "<dict><key>Purpose</key><string>Why …</string></dict>"
            default: "<string>Why …</string>"
            }
        let isOld = list.format == .oldStyle && example == "<true/>"
        note(
            .ignoredType, .error, versions { wrong.key.counts(on: $0.ios) }, path: wrong.path,
            "This key takes \(wrong.accepted), not \(wrong.kind): \(effect).",
            mend: isOld
                ? "Write the list as XML: the old style has no Booleans. There: \(example)."
                : "Write \(example).")
    }

    /// I7: what counts is whether the array has `location`, whatever else is in it.
    private mutating func noteElement(_ element: Int, _ wrong: PlistFacts.WrongType) {
        let others = facts.modes.map { "'\(printable($0))'" }.joined(separator: ", ")
        note(
            .ignoredType, .warning, outlooks.map(\.ios), path: wrong.path,
            "Element \(element) of this array is \(wrong.kind), not a string: it names no mode. "
                + (facts.modes.isEmpty
                    ? "So there is none (I7)." : "The others count: \(others) (I7)."),
            mend: "Take element \(element) (\(wrong.kind)) out, or write a mode in its place as a "
                + "string, such as <string>audio</string>.")
    }

    /// Only where it would have chosen the versions.
    mutating func checkMinimum() {
        let taken =
            "so all versions that the rules know are looked at, \(VersionChoice.all[0]) to "
            + "\(VersionChoice.all[VersionChoice.all.count - 1])."
        let path = ["MinimumOSVersion"]
        switch facts.minimum {
        case .none, .version, .older: return
        case .variable(let name):
            note(
                .unusableMinimum, .information, outlooks.map(\.ios), path: path,
                "MinimumOSVersion is \(name), which the build fills in, \(taken)",
                mend: "Name the versions, as in --ios 15.. for iOS 15 and later.")
        case .unusable(let what):
            note(
                .unusableMinimum, .warning, outlooks.map(\.ios), path: path,
                "MinimumOSVersion is \(what), \(taken)",
                mend: "Write a version that there is, such as <string>15.0</string>, or name the "
                    + "versions, as in --ios 15.. for iOS 15 and later.")
        }
    }

    /// LI7
    private mutating func checkUse(of key: LocationKey) {
        guard !outlooks.contains(where: { key.counts(on: $0.ios) }) else { return }
        let (reason, mend) =
            switch key {
            case .usage:
                (
                    "From iOS 8 on this key enables nothing (I1).",
                    "Take it out; each request has a text of its own."
                )
            case .legacyAlways:
                (
                    "From iOS 11 on this key does nothing: \(LocationKey.always.rawValue) has "
                        + "taken its place (I3, I4).",
                    "Take it out, unless iOS 8 to 10 are supported too."
                )
            case .always:
                (
                    "Before iOS 11 this key does nothing: there "
                        + "\(LocationKey.legacyAlways.rawValue) counts (I3, I4).",
                    "Add \(LocationKey.legacyAlways.rawValue)."
                )
            default:
                (
                    "None of the versions looks at this key (\(key.rule.rawValue)).",
                    "Take it out, or keep it for newer versions."
                )
            }
        note(
            .obsoleteKey, .information, outlooks.map(\.ios), path: [key.rawValue], reason,
            mend: mend)
    }

    /// A key that looks like one about location, and is none.
    private mutating func checkName(_ key: String) {
        let known = LocationKey.allCases.map(\.rawValue)
        guard !known.contains(key) else { return }
        let shown = LocationKey.allCases.first { $0.displayName?.lowercased() == key.lowercased() }
        if let shown {
            note(
                .unknownKey, .warning, outlooks.map(\.ios), path: [key],
                "This is what Xcode shows in the place of a key. In a file iOS does not know it.",
                mend: "Name it \(shown.rawValue).")
            return
        }
        let lower = key.lowercased()
        let isAlike = known.contains { $0.lowercased() == lower }
        guard lower.hasPrefix("nslocation") || isAlike else { return }
        let near =
            known.first { $0.lowercased() == lower } ?? nearest(to: key, among: known)
            ?? known.max { Self.likeness($0, key) < Self.likeness($1, key) }
        note(
            .unknownKey, .warning, outlooks.map(\.ios), path: [key],
            "iOS has no key of this name, so it does nothing.",
            mend: near.map { "Did you mean \($0)?" } ?? "Take it out.")
    }

    /// Letters in common at both ends.
    private static func likeness(_ one: String, _ other: String) -> Int {
        let start = zip(one, other).prefix { $0 == $1 }.count
        return start + zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    }

    private static let modes = [
        "audio", "bluetooth-central", "bluetooth-peripheral", "external-accessory", "fetch",
        "location", "nearby-interaction", "network-authentication", "newsstand-content",
        "processing", "push-to-talk", "remote-notification", "voip",
    ]

    private mutating func checkMode(_ mode: String) {
        guard !Self.modes.contains(mode) else { return }
        let near = Self.likelyMode(for: mode)
        note(
            .unknownMode, .warning, outlooks.map(\.ios), path: [LocationKey.modes.rawValue],
            "iOS has no background mode '\(printable(mode))'.",
            mend: near.map { "Write <string>\($0)</string>?" } ?? "Take it out.")
    }

    /// The mode that `mode` is, or seems to be meant for.
    static func likelyMode(for mode: String) -> String? {
        if modes.contains(mode) { return mode }
        let lower = mode.lowercased()
        return modes.first { lower.contains($0) } ?? nearest(to: lower, among: modes)
    }
}
