/// A version of iOS: what selects the rules.
///
/// Apple numbered the release after 18 as 26, so 19 to 25 never existed.
public struct IOSVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let major: UInt8
    public let minor: UInt8

    /// Every major version that the specification covers, with the last minor version of each.
    /// The newest is open: its minors are still appearing.
    public static let released: [(major: UInt8, minorMax: UInt8)] = [
        (8, 4), (9, 3), (10, 3), (11, 4), (12, 5), (13, 7), (14, 8), (15, 8), (16, 7), (17, 7),
        (18, 7), (26, 9),
    ]

    /// A version that exists, or nil.
    public init?(_ major: UInt8, _ minor: UInt8) {
        guard let known = Self.released.first(where: { $0.major == major }),
            minor <= known.minorMax
        else { return nil }
        (self.major, self.minor) = (major, minor)
    }

    /// Reads "17" or "17.6". Nil when that is no version, or one that never existed.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { $0.utf8.allSatisfy { 48...57 ~= $0 } && $0.count <= 2 }
        guard isPlain, parts.count <= 2, let major = UInt8(parts[0]),
            let minor = parts.count == 2 ? UInt8(parts[1]) : 0
        else { return nil }
        self.init(major, minor)
    }

    @usableFromInline init(unchecked major: UInt8, _ minor: UInt8) {
        (self.major, self.minor) = (major, minor)
    }

    @inlinable public static var v9: IOSVersion { IOSVersion(unchecked: 9, 0) }
    @inlinable public static var v11: IOSVersion { IOSVersion(unchecked: 11, 0) }
    @inlinable public static var v13: IOSVersion { IOSVersion(unchecked: 13, 0) }
    @inlinable public static var v13_4: IOSVersion { IOSVersion(unchecked: 13, 4) }
    @inlinable public static var v14: IOSVersion { IOSVersion(unchecked: 14, 0) }
    @inlinable public static var v15: IOSVersion { IOSVersion(unchecked: 15, 0) }
    @inlinable public static var v17: IOSVersion { IOSVersion(unchecked: 17, 0) }
    @inlinable public static var v17_2: IOSVersion { IOSVersion(unchecked: 17, 2) }
    @inlinable public static var v18: IOSVersion { IOSVersion(unchecked: 18, 0) }
    @inlinable public static var v26: IOSVersion { IOSVersion(unchecked: 26, 0) }

    @inlinable
    public static func < (left: IOSVersion, right: IOSVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    public var description: String { "\(major).\(minor)" }
}
