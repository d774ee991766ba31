import AuthorizationCore
import CLuaShim
import Simulation

/// How objects of CoreLocation's cross the bridge.
enum LuaObjects {
    static let noWord = UInt16(CLUA_NO_WORD)
    static let managerCountMax = Int(CLUA_MANAGERS_MAX)
    /// In the order of their vocabulary, and of the bits of `HeldObjects`.
    static let accesses = [Access.whenInUse, .always]

    /// The app's own manager, as it is made.
    static var ownManager: clua_manager {
        var manager = clua_manager()
        (manager.is_alive, manager.pauses_automatically) = (true, true)
        return manager
    }

    static func put(
        _ manager: clua_manager, at slot: Int, in frame: UnsafeMutablePointer<clua_frame>
    ) {
        withUnsafeMutableBytes(of: &frame.pointee.managers) { bytes in
            bytes.bindMemory(to: clua_manager.self)[slot] = manager
        }
    }
}

extension clua_manager {
    init(_ manager: LocationManager) {
        self.init(
            is_alive: true, was_released: false, allows_background: manager.allowsBackgroundUpdates,
            pauses_automatically: manager.pausesAutomatically,
            shows_indicator: manager.showsIndicator,
            desired_accuracy: UInt8(
                DesiredAccuracy.allCases.firstIndex(of: manager.desiredAccuracy) ?? 0),
            name: manager.name?.index ?? LuaObjects.noWord)
    }
}

extension CircularRegion {
    init(_ act: clua_act) {
        self.init(
            NameID(act.word), latitudeDegrees: act.latitude_degrees,
            longitudeDegrees: act.longitude_degrees, radiusMeters: act.radius_meters)
    }
}
