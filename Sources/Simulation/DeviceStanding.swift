import AuthorizationCore
import SimPrimitives

/// What may be asked of every device at any time, in four bytes: what is visible to the app, what
/// is true, whether the app is installed, which iOS runs, and how the person behaves.
public struct DeviceStanding: Hashable, Sendable {
    private let bits: UInt32

    /// - Parameter behavior: index into `CastTable.behaviors`: 4,096 at most.
    init(
        visible: VisibleStatus, trueStatus: TrueStatus, isInstalled: Bool, ios: IOSVersion,
        behavior: Int
    ) {
        bits =
            UInt32(visible.place) | UInt32(trueStatus.place) << 3 | (isInstalled ? 1 << 6 : 0)
            | UInt32(ios.major) << 7 | UInt32(ios.minor) << 13 | UInt32(behavior) << 18
    }

    /// All of it, to be kept.
    public var word: UInt32 { bits }

    /// Nil for what no standing's `word` is.
    public init?(word: UInt32) {
        guard word & 0x7 < VisibleStatus.allCases.count,
            word >> 3 & 0x7 < TrueStatus.allCases.count, word >> 18 < CastTable.countMax,
            IOSVersion(UInt8(word >> 7 & 0x3F), UInt8(word >> 13 & 0x1F)) != nil
        else { return nil }
        bits = word
    }

    public var visible: VisibleStatus { VisibleStatus.allCases[Int(bits & 0x7)] }
    public var trueStatus: TrueStatus { TrueStatus.allCases[Int(bits >> 3 & 0x7)] }
    public var isInstalled: Bool { bits >> 6 & 1 == 1 }
    public var ios: IOSVersion {
        guard let ios = IOSVersion(UInt8(bits >> 7 & 0x3F), UInt8(bits >> 13 & 0x1F)) else {
            preconditionFailure("a device runs a version that exists")
        }
        return ios
    }
    /// Index into `CastTable.behaviors`.
    var behavior: Int { Int(bits >> 18) }
}

extension Block {
    /// In order of number.
    public func standings() -> [DeviceStanding] {
        devices.indices.map { index in
            DeviceStanding(
                visible: devices[index].visible, trueStatus: devices[index].trueStatus,
                isInstalled: devices[index].isInstalled,
                ios: runner.contexts[Int(devices[index].ios)].ios,
                behavior: runner.behavior(of: devices[index], index: index))
        }
    }
}

extension DeviceCondition {
    /// Whether the condition holds for a device that stood so at an instant.
    ///
    /// - Parameters:
    ///   - persona: the index of the device's.
    ///   - arm: the index of the arm in which it stood so.
    ///   - casts: of that arm, then.
    public func holds(
        _ number: UInt32, _ standing: DeviceStanding, persona: Int, arm: Int, day: Int64,
        casts: CastTable
    ) -> Bool {
        holds(
            DeviceFacts(
                number: number, visible: standing.visible, trueStatus: standing.trueStatus,
                persona: persona, arm: arm, ios: standing.ios, day: day,
                options: casts.options(ofBehavior: standing.behavior)))
    }
}
