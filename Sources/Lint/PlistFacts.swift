import AuthorizationCore
import Bundles
import JSONText

/// A key of an Info.plist that has to do with location.
enum LocationKey: String, CaseIterable {
    case whenInUse = "NSLocationWhenInUseUsageDescription"
    case always = "NSLocationAlwaysAndWhenInUseUsageDescription"
    case legacyAlways = "NSLocationAlwaysUsageDescription"
    case usage = "NSLocationUsageDescription"
    case temporary = "NSLocationTemporaryUsageDescriptionDictionary"
    case reduced = "NSLocationDefaultAccuracyReduced"
    case explicitSession = "NSLocationRequireExplicitServiceSession"
    /// D12: the name in the header.
    case explicitSessionOfHeader = "CLRequireExplicitServiceSession"
    case modes = "UIBackgroundModes"

    /// I1 to I9: whether iOS looks at it there.
    func counts(on ios: IOSVersion) -> Bool {
        switch self {
        case .whenInUse, .modes: true
        case .legacyAlways: ios < .v11
        case .always: ios >= .v11
        case .usage: false
        case .temporary, .reduced: ios >= .v14
        case .explicitSession, .explicitSessionOfHeader: ios >= .v18
        }
    }

    /// I1 to I9
    var rule: RuleID {
        switch self {
        case .usage: .i1
        case .whenInUse: .i2
        case .legacyAlways: .i3
        case .always: .i4
        case .temporary: .i5
        case .reduced: .i6
        case .modes: .i7
        case .explicitSession, .explicitSessionOfHeader: .i9
        }
    }

    /// What Xcode shows in the place of the key.
    var displayName: String? {
        switch self {
        case .whenInUse: "Privacy - Location When In Use Usage Description"
        case .always: "Privacy - Location Always and When In Use Usage Description"
        case .legacyAlways: "Privacy - Location Always Usage Description"
        case .usage: "Privacy - Location Usage Description"
        case .temporary: "Privacy - Location Temporary Usage Description Dictionary"
        case .reduced: "Privacy - Location Default Accuracy Reduced"
        case .modes: "Required background modes"
        case .explicitSession, .explicitSessionOfHeader: nil
        }
    }
}

/// What iOS makes of an Info.plist: a value of the wrong type is as good as none (I6, LI6).
struct PlistFacts {
    struct Text {
        var key: LocationKey
        /// Of an entry of the temporary dictionary.
        var purpose: String?
        var text: String

        var path: [String] { [key.rawValue] + (purpose.map { [$0] } ?? []) }
    }

    struct WrongType {
        var key: LocationKey
        var path: [String]
        var accepted: String
        var kind: String
        /// Of an array in which this one element is of another type; from 1.
        var element: Int?
    }

    /// MinimumOSVersion, which a built app has.
    enum Minimum: Equatable {
        case none
        case version(IOSVersion)
        /// Older than the rules: they hold for all versions that they know.
        case older
        /// In words: what it is instead.
        case unusable(String)
        /// A build fills it in.
        case variable(String)
    }

    private(set) var capabilities = AppCapabilities()
    private(set) var texts: [Text] = []
    /// In the order of their names.
    private(set) var purposes: [String] = []
    private(set) var modes: [String] = []
    private(set) var wrongTypes: [WrongType] = []
    private(set) var present: [LocationKey] = []
    /// CFBundleDisplayName and CFBundleName: they name no feature.
    private(set) var appNames: [String] = []
    private(set) var minimum = Minimum.none
    /// Xcode writes keys of its own into the list of an app that it builds.
    let isBuilt: Bool

    init(_ list: PropertyList) {
        let ofBuilds = ["BuildMachineOSBuild", "DTPlatformName", "DTSDKName", "DTXcode"]
        isBuilt = list.entries.contains { ofBuilds.contains($0.key) }
        for key in LocationKey.allCases {
            guard let value = list[key.rawValue] else { continue }
            present.append(key)
            switch key {
            case .whenInUse, .always, .legacyAlways, .usage: read(text: value, key)
            case .temporary: readPurposes(value)
            case .reduced, .explicitSession, .explicitSessionOfHeader: read(flag: value, key)
            case .modes: readModes(value)
            }
        }
        for key in ["CFBundleDisplayName", "CFBundleName"] {
            if case .text(let name) = list[key] { appNames.append(name) }
        }
        if let value = list["MinimumOSVersion"] { minimum = Self.minimum(value) }
    }

    private static func minimum(_ value: PropertyList.Value) -> Minimum {
        guard case .text(let text) = value else { return .unusable("\(value.kind), not text") }
        if let name = PurposeText.variables(in: text).names.first { return .variable(name) }
        let shown = "'\(printable(String(text.prefix(40))))'"
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? UInt8($0) : nil }
        guard let major = numbers.first, numbers.count == parts.count, numbers.count <= 3 else {
            return .unusable("\(shown), which is no version")
        }
        let minor = numbers.count > 1 ? numbers[1] : 0
        if let version = IOSVersion(major, minor) { return .version(version) }
        let all = VersionChoice.all
        if major < all[0].major { return .older }
        let isNewer = major > all[all.count - 1].major
        return .unusable(
            isNewer
                ? "\(shown), and the rules end with \(all[all.count - 1])"
                : "\(shown), a version that there never was")
    }

    func has(_ key: LocationKey) -> Bool { present.contains(key) }

    private mutating func read(text value: PropertyList.Value, _ key: LocationKey) {
        guard case .text(let text) = value else { return refuse(value, key, "a string") }
        texts.append(Text(key: key, text: text))
        switch key {
        case .whenInUse: capabilities.hasWhenInUseText = true
        case .always: capabilities.hasAlwaysText = true
        case .legacyAlways: capabilities.hasLegacyAlwaysText = true
        default: break
        }
    }

    private mutating func readPurposes(_ value: PropertyList.Value) {
        guard case .dictionary(let entries) = value else {
            return refuse(value, .temporary, "a dictionary of strings")
        }
        for entry in entries {
            guard case .text(let text) = entry.value else {
                refuse(entry.value, .temporary, "a string", within: entry.key)
                continue
            }
            purposes.append(entry.key)
            texts.append(Text(key: .temporary, purpose: entry.key, text: text))
        }
    }

    private mutating func read(flag value: PropertyList.Value, _ key: LocationKey) {
        guard case .boolean(let isOn) = value else { return refuse(value, key, "a Boolean") }
        if key == .reduced { capabilities.isReducedByDefault = isOn }
    }

    private mutating func readModes(_ value: PropertyList.Value) {
        guard case .list(let items) = value else {
            return refuse(value, .modes, "an array of strings")
        }
        for (index, item) in items.enumerated() {
            if case .text(let mode) = item {
                modes.append(mode)
            } else {
                refuse(item, .modes, "an array of strings", element: index + 1)
            }
        }
        capabilities.hasLocationBackgroundMode = modes.contains("location")
    }

    private mutating func refuse(
        _ value: PropertyList.Value, _ key: LocationKey, _ accepted: String,
        within name: String? = nil, element: Int? = nil
    ) {
        wrongTypes.append(
            WrongType(
                key: key, path: [key.rawValue] + (name.map { [$0] } ?? []), accepted: accepted,
                kind: value.kind, element: element))
    }
}
