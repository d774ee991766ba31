import AuthorizationCore
import Foundation
import Simulation

/// What the rules look at in a property list: XML, binary or old-style.
public struct InfoPlist: Sendable {
    public var capabilities = AppCapabilities()
    /// I5: the keys of NSLocationTemporaryUsageDescriptionDictionary, sorted.
    public var temporaryPurposeKeys: [String] = []
    /// By `UsageText.rawValue`; empty where there is none.
    public var usageTexts = [String](repeating: "", count: UsageText.allCases.count)

    /// - Parameter path: for messages.
    /// - Throws: `malformed_plist`, or `invalid_value` naming the key.
    public init(_ bytes: [UInt8], path: String) throws(BundleError) {
        let keys = try Self.dictionary(bytes, path: path)
        try read(Keys(values: keys, path: path))
    }

    /// - Throws: `malformed_plist`.
    static func dictionary(
        _ bytes: [UInt8], path: String
    ) throws(BundleError) -> [String: Any] {
        if bytes.starts(with: "bplist".utf8), !BinaryPlistSize.isModest(bytes) {
            throw BundleError(
                .malformedPlist, place: path,
                "this binary property list is damaged, or holds more than "
                    + "\(grouped(BinaryPlistSize.valuesMax)) values")
        }
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(
                from: Data(bytes), options: [], format: nil)
        } catch {
            let (reason, line) = reason(of: error, in: bytes)
            throw BundleError(
                .malformedPlist, place: path, line: line,
                "this is no property list (XML, binary or old-style): \(reason)")
        }
        try checkEnds(bytes, path: path)
        guard let keys = root as? [String: Any] else {
            throw BundleError(
                .malformedPlist, place: path,
                "an Info.plist is a dictionary, this is \(kind(of: root))")
        }
        return keys
    }

    /// Foundation takes a file of blanks for an empty list, and does not look at what follows one.
    private static func checkEnds(_ bytes: [UInt8], path: String) throws(BundleError) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.first(where: { !isBlank($0) }) else {
            throw BundleError(.malformedPlist, place: path, "this is no property list: it is empty")
        }
        guard first == UInt8(ascii: "<") || bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        let end = Array("</plist>".utf8)
        if let start = bytes.indices.reversed().first(where: { bytes[$0...].starts(with: end) }),
            let rest = bytes[(start + end.count)...].firstIndex(where: { !isBlank($0) }),
            !bytes[rest...].starts(with: "<!--".utf8)
        {
            throw BundleError(
                .malformedPlist, place: path,
                line: bytes[..<rest].count { $0 == UInt8(ascii: "\n") } + 1,
                "something follows the end of the property list, </plist>")
        }
        if let index = bytes.firstIndex(where: { $0 < 0x20 && !isBlank($0) }) {
            throw BundleError(
                .malformedPlist, place: path,
                line: bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1,
                "XML has no control characters, and here stands the byte \(bytes[index])")
        }
    }

    private mutating func read(_ keys: Keys) throws(BundleError) {
        let whenInUse = try keys.text("NSLocationWhenInUseUsageDescription")
        let legacyAlways = try keys.text("NSLocationAlwaysUsageDescription")
        let always = try keys.text("NSLocationAlwaysAndWhenInUseUsageDescription")
        capabilities.hasWhenInUseText = whenInUse != nil
        capabilities.hasLegacyAlwaysText = legacyAlways != nil
        capabilities.hasAlwaysText = always != nil
        capabilities.isWhenInUseTextEmpty = whenInUse == ""
        capabilities.isLegacyAlwaysTextEmpty = legacyAlways == ""
        capabilities.isAlwaysTextEmpty = always == ""
        usageTexts[UsageText.whenInUse.rawValue] = whenInUse ?? ""
        usageTexts[UsageText.always.rawValue] = always ?? legacyAlways ?? ""
        // I6: a value of another type is ignored as if missing, as on a phone.
        capabilities.isReducedByDefault = keys.isTrue("NSLocationDefaultAccuracyReduced")
        capabilities.hasExplicitSessionKey =
            keys.isTrue("NSLocationRequireExplicitServiceSession")
        capabilities.hasExplicitSessionHeaderKey = keys.isTrue("CLRequireExplicitServiceSession")
        let modes = try keys.texts("UIBackgroundModes")
        capabilities.hasLocationBackgroundMode = modes.contains("location")
        temporaryPurposeKeys = try keys.purposes(
            "NSLocationTemporaryUsageDescriptionDictionary")
    }

    /// Foundation's reason, and its line where it names one.
    ///
    /// It tries the old style after XML and tells of both; what fits is the one that the text
    /// looks like.
    private static func reason(of error: any Error, in bytes: [UInt8]) -> (String, Int?) {
        let facts = (error as NSError).userInfo
        // An opaque CFError: its reason is what its description has in quotes.
        let old = facts["kCFPropertyListOldStyleParsingError"].flatMap { value in
            "\(value)".split(separator: "\"").dropFirst().first.map(String.init)
        }
        let isXML = bytes.drop { $0 <= 0x20 || $0 > 0x7F }.first == UInt8(ascii: "<")
        let reason =
            (isXML ? nil : old) ?? facts["NSDebugDescription"] as? String
            ?? "it is not in a format that can be read"
        let words = reason.split(separator: " ")
        guard let index = words.lastIndex(of: "line"), index + 1 < words.count,
            let line = Int(words[index + 1].filter(\.isNumber))
        else { return (reason, nil) }
        return (reason, line)
    }

    static func kind(of value: Any) -> String {
        if isBoolean(value) { return "a Boolean" }
        switch value {
        case is String: return "text"
        case is NSNumber: return "a number"
        case is Date: return "a date"
        case is Data: return "data"
        case is [String: Any]: return "a dictionary"
        case is [Any]: return "an array"
        default: return "something else"
        }
    }
}

/// Foundation hands `<true/>` as a Bool and `<integer>1</integer>` as an NSNumber, which would
/// convert.
func isBoolean(_ value: Any) -> Bool { type(of: value) == Bool.self }

private struct Keys {
    let values: [String: Any]
    let path: String

    func text(_ key: String) throws(BundleError) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value as? String else { throw wrong(key, value, "text") }
        guard text.utf8.count <= ScenarioLimits.textBytesMax else {
            throw BundleError(
                .tooLarge, place: path, key: key,
                "a usage text has at most \(grouped(ScenarioLimits.textBytesMax)) bytes, this one "
                    + "has \(grouped(text.utf8.count))")
        }
        return text
    }

    /// A value of another type counts as missing.
    func isTrue(_ key: String) -> Bool {
        values[key].map { isBoolean($0) && $0 as? Bool == true } ?? false
    }

    func texts(_ key: String) throws(BundleError) -> [String] {
        guard let value = values[key] else { return [] }
        guard let items = value as? [Any] else { throw wrong(key, value, "an array of texts") }
        var texts: [String] = []
        for item in items {
            guard let text = item as? String else {
                throw BundleError(
                    .invalidValue, place: path, key: key,
                    "this key takes an array of texts, not one with \(InfoPlist.kind(of: item))")
            }
            texts.append(text)
        }
        return texts
    }

    /// The names in a dictionary of texts, sorted.
    func purposes(_ key: String) throws(BundleError) -> [String] {
        guard let value = values[key] else { return [] }
        guard let purposes = value as? [String: Any] else {
            throw wrong(key, value, "a dictionary of texts")
        }
        let names = purposes.keys.sorted()
        for name in names where !(purposes[name] is String) {
            let kind = purposes[name].map(InfoPlist.kind(of:)) ?? "nothing"
            throw BundleError(
                .invalidValue, place: path, key: "\(key).\(name)",
                "a purpose is a text, not \(kind)")
        }
        guard names.count <= ScenarioLimits.purposeKeysMax else {
            throw BundleError(
                .tooMany, place: path, key: key,
                "there are at most \(ScenarioLimits.purposeKeysMax) purposes, not \(names.count)")
        }
        return names
    }

    private func wrong(_ key: String, _ value: Any, _ accepted: String) -> BundleError {
        BundleError(
            .invalidValue, place: path, key: key,
            "this key takes \(accepted), not \(InfoPlist.kind(of: value))")
    }
}
