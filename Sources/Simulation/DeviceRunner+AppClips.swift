import DeviceCore
import SimPrimitives

/// What the system does to an App Clip by itself: section 12 of the specification.
///
/// The clocks lie beside the devices, and there are none where the app is a full one.
extension DeviceRunner {
    var isAppClip: Bool { !appClips.isEmpty }

    /// Lets the clip's clock see what the phone has just played.
    mutating func noteAppClip(of device: inout Device, at time: SimTime) {
        appClips[indexInBlock].note(
            device.phone, at: time, zone: scenario.zone, in: contexts[Int(device.ios)].value)
        device.timers[.appClip] = appClips[indexInBlock].earliest
    }

    /// X1: a grant ends in the night. X2: a clip that nobody uses is removed.
    mutating func appClipFellDue(
        of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        switch appClips[indexInBlock].take() {
        case .appClipRemoved?:
            emit(.world(.removeAppClip), &device, at: time)
            try remove(.appClipRemoved, from: &device, at: time)
        case let event?: try apply(event, to: &device, at: time)
        case nil: break
        }
    }
}
