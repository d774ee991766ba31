import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What happens to the world at one instant: to every device that is meant, or to a share of them.
///
/// Takes effect after every event before its instant and before any event at it.
public struct Intervention: Hashable, Sendable {
    public var at: SimTime
    public var condition: DeviceCondition
    /// The condition as it was written; empty where all devices are meant.
    public var conditionText: String
    /// Of the devices that are meant, by a draw of each device's own: above 0, at most 1.
    public var share: Double
    public var action: InterventionAction
    /// Of the new Info.plist or script, as it was named; empty for any other action.
    public var file = ""

    public init(
        at: SimTime, condition: DeviceCondition = .constant(true), where text: String = "",
        share: Double = 1, _ action: InterventionAction
    ) {
        (self.at, self.condition, conditionText) = (at, condition, text)
        (self.share, self.action) = (share, action)
    }
}

/// On how many devices an intervention has acted.
public struct InterventionReach: Hashable, Sendable {
    /// Devices that were meant and drawn, and on which it could be done.
    public var devices: UInt64
    /// Meant and drawn as well, but it could not be done there.
    public var ignored: UInt64

    public init(devices: UInt64 = 0, ignored: UInt64 = 0) {
        (self.devices, self.ignored) = (devices, ignored)
    }

    public static func + (left: InterventionReach, right: InterventionReach) -> InterventionReach {
        InterventionReach(
            devices: left.devices + right.devices, ignored: left.ignored + right.ignored)
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
    /// The app plays this strategy from now on: an update of the app.
    case strategy(ScriptChange)
    /// The person behaves so from now on.
    case behavior(ScriptChange)
    /// Options of the behavior, or of the strategy, have these values from now on.
    case options([OptionSetting])
    case appOptions([OptionSetting])

    /// The word of scenarios and of the wire.
    public var kind: Kind {
        switch self {
        case .act(let act): act.kind
        case .terminate: .terminate
        case .updateApp: .updateApp
        case .strategy: .strategy
        case .behavior: .behavior
        case .options: .options
        case .appOptions: .appOptions
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
        case strategy, behavior, options
        case appOptions = "app_options"

        /// What clients can ask for: they have no Info.plist to bring.
        public static let askable = allCases.filter { $0 != .updateApp }
    }

    /// The script that it brings, if it brings one.
    public var change: ScriptChange? {
        switch self {
        case .strategy(let change), .behavior(let change): change
        case .options, .appOptions, .act, .terminate, .updateApp: nil
        }
    }

    /// Whether devices have another script or other options afterwards.
    public var recasts: Bool {
        switch self {
        case .strategy, .behavior, .options, .appOptions: true
        case .act, .terminate, .updateApp: false
        }
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
        // `Kind` has no word for them, so no scenario and no client can bring one.
        case .milestone, .metric: preconditionFailure("an intervention acts on the phone")
        }
    }
}
