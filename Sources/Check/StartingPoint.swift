import JSONText

/// A commented file to begin with.
public struct StartingPoint: Sendable {
    public enum Kind: String, CaseIterable, Sendable { case behavior, strategy, scenario }

    public let kind: Kind
    public let name: String

    /// Bytes of a name.
    public static let nameBytesMax = 64

    /// Why a name will not do.
    public struct Failure: Error, Equatable {
        public let message: String
    }

    /// - Throws: `Failure` where `name` cannot name a file of the kind.
    public init(_ kind: Kind, name: String) throws(Failure) {
        let isPlain = name.utf8.allSatisfy {
            97...122 ~= $0 || 48...57 ~= $0 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard isPlain, let first = name.utf8.first, 97...122 ~= first,
            name.utf8.count <= Self.nameBytesMax
        else {
            throw Failure(
                message: "a name has a-z, 0-9, _ and -, begins with a letter and has at most "
                    + "\(Self.nameBytesMax) characters, not \(quoted(name)); the ending is added, "
                    + "and --in names a folder")
        }
        (self.kind, self.name) = (kind, name)
    }

    public var file: String { name + (kind == .scenario ? ".json5" : ".lua") }

    public var text: String {
        let bytes =
            switch kind {
            case .behavior: PackageResources.behavior_lua
            case .strategy: PackageResources.strategy_lua
            case .scenario: PackageResources.scenario_json5
            }
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: "NAME", omittingEmptySubsequences: false)
        return parts.joined(separator: name)
    }
}
