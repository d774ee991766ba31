import AuthorizationCore

/// One case: a device, an app, and what both must show.
public struct ConformanceCase: Sendable {
    public var id: String
    public var title: String
    public var versions: [IOSVersion]
    /// The same as the case writes them: "18" or "18.0".
    public var versionTexts: [String]
    public var plist: Plist
    public var isAppClip: Bool
    public var steps: [Step]
    /// The same as they stand in the file, long ones cut.
    public var stepTexts: [String]
    /// Ids of the rules that it exercises.
    public var rules: [String]
    /// Its file, as the person named it, and its line in it, from 1.
    public var file: String
    public var line: Int
    /// What is allowed and looks like a slip of the pen, whatever the phone does.
    public var notes: [ConformanceNote] = []

    /// The part of the id before its number.
    public var family: String {
        guard let dash = id.lastIndex(of: "-") else { return id }
        return String(id[..<dash])
    }

    /// The keys of an Info.plist that matter.
    public struct Plist: Hashable, Sendable {
        public var capabilities = AppCapabilities()
        public var temporaryPurposeKeys: [String] = []
    }

    public enum Step: Sendable {
        case act(Act)
        /// `isPrecise` nil: the Precise switch is left alone.
        case answer(Choice, isPrecise: Bool?)
        case settings(SettingsRow)
        case precise(Bool)
        case expect([Expectation])
    }

    /// A `do`, with its members checked against the vocabulary.
    public struct Act: Sendable {
        public var name: String
        var texts: [String: String] = [:]
        var numbers: [String: Double] = [:]
        var booleans: [String: Bool] = [:]
        var plist: Plist?
    }

    /// One key of an `expect`, and its value as it stands.
    public struct Expectation: Sendable {
        public var key: String
        var value: Value
    }

    /// A value to compare with: JSON without positions.
    indirect enum Value: Hashable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])
    }
}

/// Something that fails nothing and that the person may not have meant.
public struct ConformanceNote: Hashable, Sendable {
    /// From 1; 0: the case as a whole.
    public var step: Int
    public var text: String
}

/// Why a file holds no conformance cases.
public struct ConformanceError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1.
    public let line: Int
    public let reason: String

    public var description: String { "\(file):\(line): \(reason)" }
}
