import AuthorizationCore
import SimPrimitives

/// What may be asked of every device at any time, in four bytes: what is visible to the app, what
/// is true, whether the app is installed, and which iOS runs.
public struct DeviceStanding: Hashable, Sendable {
    private let bits: UInt32

    init(visible: VisibleStatus, trueStatus: TrueStatus, isInstalled: Bool, ios: IOSVersion) {
        bits =
            UInt32(visible.place) | UInt32(trueStatus.place) << 4 | (isInstalled ? 1 << 8 : 0)
            | UInt32(ios.major) << 16 | UInt32(ios.minor) << 24
    }

    /// All of it, to be kept.
    public var word: UInt32 { bits }

    /// Nil for what no standing's `word` is.
    public init?(word: UInt32) {
        guard word & 0xF < VisibleStatus.allCases.count,
            word >> 4 & 0xF < TrueStatus.allCases.count, word & 0xFE00 == 0,
            IOSVersion(UInt8(word >> 16 & 0xFF), UInt8(word >> 24)) != nil
        else { return nil }
        bits = word
    }

    public var visible: VisibleStatus { VisibleStatus.allCases[Int(bits & 0xF)] }
    public var trueStatus: TrueStatus { TrueStatus.allCases[Int(bits >> 4 & 0xF)] }
    public var isInstalled: Bool { bits >> 8 & 1 == 1 }
    public var ios: IOSVersion {
        guard let ios = IOSVersion(UInt8(bits >> 16 & 0xFF), UInt8(bits >> 24)) else {
            preconditionFailure("a device runs a version that exists")
        }
        return ios
    }
}

extension Block {
    /// In order of number.
    public func standings() -> [DeviceStanding] {
        devices.indices.map { index in
            DeviceStanding(
                visible: devices[index].visible, trueStatus: devices[index].trueStatus,
                isInstalled: devices[index].isInstalled,
                ios: runner.contexts[Int(devices[index].ios)].ios)
        }
    }
}

extension DeviceCondition {
    /// Whether the condition holds for a device that stood so at an instant.
    ///
    /// - Parameters:
    ///   - persona: the index of the device's.
    ///   - arm: the index of the arm in which it stood so.
    public func holds(
        _ number: UInt32, _ standing: DeviceStanding, persona: Int, arm: Int, day: Int64
    ) -> Bool {
        holds(
            DeviceFacts(
                number: number, visible: standing.visible, trueStatus: standing.trueStatus,
                persona: persona, arm: arm, ios: standing.ios, day: day))
    }
}
