import AuthorizationCore
import DeviceCore
import SimPrimitives

/// The location button, and what time does to an App Clip: section 12 of the specification.
extension Stage {
    /// Every case begins at noon.
    static let zone = Zone(
        name: "UTC", startUnixSeconds: Zone.utc.startUnixSeconds + 12 * 3_600,
        offsets: Zone.utc.offsets)

    /// P13 belongs to the button: no manager takes it away when it is released (J1).
    mutating func tapLocationButton(isReadable: Bool) {
        let hadPrompt = phone.authorization.prompt != nil
        apply(.tappedLocationButton(isReadable: isReadable))
        if !hadPrompt, phone.authorization.prompt != nil { asker = "" }
    }

    /// X2: only what is an App Clip is removed as one.
    mutating func removeAppClip() {
        if context.capabilities.isAppClip { reinstall(.appClipRemoved) }
    }

    /// - Precondition: something is due.
    mutating func playClipClock() {
        now = clipClock.earliest
        switch clipClock.take() {
        case .appClipRemoved: removeAppClip()
        case let event?: apply(event)
        case nil: break
        }
    }
}
