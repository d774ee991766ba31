import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What happens to the world at one instant: to every device that is meant, or to a share of them.
///
/// Takes effect after every event before its instant and before any event at it.
public struct Intervention: Hashable, Sendable {
    public var at: SimTime
    public var condition: DeviceCondition
    /// Of the devices that are meant, by a draw of each device's own: above 0, at most 1.
    public var share: Double
    public var action: InterventionAction

    public init(
        at: SimTime, condition: DeviceCondition = .constant(true), share: Double = 1,
        _ action: InterventionAction
    ) {
        (self.at, self.condition) = (at, condition)
        (self.share, self.action) = (share, action)
    }
}

/// What an intervention does to a device.
public enum InterventionAction: Hashable, Sendable {
    /// The person does this.
    case act(PhoneAct)
    /// The system ends the process.
    case terminate
    /// A new version of the app is installed, with this one of `Scenario.updates`.
    case updateApp(Int)

    /// The word of scenarios and of the wire.
    public var kind: Kind {
        switch self {
        case .act(let act): act.kind
        case .terminate: .terminate
        case .updateApp: .updateApp
        }
    }

    /// Raw values are the words of `do`: append, never rename.
    public enum Kind: String, CaseIterable, Sendable {
        case settings, precise, terminate, reboot, reinstall
        case locationServices = "location_services"
        case restrictLocation = "restrict_location"
        case resetLocationPrivacy = "reset_location_privacy"
        case forceQuit = "force_quit"
        case deleteApp = "delete_app"
        case upgradeOS = "upgrade_os"
        case backgroundAppRefresh = "background_app_refresh"
        case updateApp = "update_app"
        case placeWidget = "place_widget"
        case tapLocationButton = "tap_location_button"
        case migrateDevice = "migrate_device"
    }
}

extension PhoneAct {
    fileprivate var kind: InterventionAction.Kind {
        switch self {
        case .settings: .settings
        case .precise: .precise
        case .locationServices: .locationServices
        case .restriction: .restrictLocation
        case .resetLocationPrivacy: .resetLocationPrivacy
        case .forceQuit: .forceQuit
        case .reboot: .reboot
        case .deleteApp: .deleteApp
        case .reinstall: .reinstall
        case .backgroundRefresh: .backgroundAppRefresh
        case .upgradeOS: .upgradeOS
        case .migrateDevice: .migrateDevice
        case .placeWidget: .placeWidget
        case .tapLocationButton: .tapLocationButton
        }
    }
}
