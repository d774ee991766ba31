import AuthorizationCore
import DeviceCore
import SimPrimitives

/// A CLLocationManager of the app's process: what belongs to the object (B17, C7).
public struct LocationManager: Hashable, Sendable {
    /// The name that the script gave it; nil in the slot of the app's own, and in a free one.
    public var name: NameID?
    public var allowsBackgroundUpdates = false
    public var pausesAutomatically = true
    public var showsIndicator = false
    public var desiredAccuracy = DesiredAccuracy.best
    /// What it has started itself.
    var services: ServiceSet = []
    var isLocationRequested = false
    /// Its delegate has heard for the first time (C1).
    var hasHeard = false
    /// The status in its last callback, for delegates that hear of it alone.
    var toldStatus: VisibleStatus?

    public init(name: NameID? = nil) { self.name = name }
}

/// What a process has made of CoreLocation beside a manager with Apple's defaults.
///
/// It dies with the process. Few fleets have any, so they lie in a table beside the devices.
struct LocationObjects: Hashable, Sendable {
    /// Managers of one process, the app's own included. Apple names no limit; *chosen*.
    static let managerCountMax = 8

    /// By slot. The first is the app's own.
    var managers = [LocationManager()]
    /// The slot of the manager that raised the prompt on screen (J1), and of the one whose request
    /// for full accuracy waits.
    var asker: UInt8 = 0
    var accuracyAsker: UInt8 = 0
    /// The name of the monitor that is open.
    var monitor: NameID?
    /// What the service sessions have said last.
    var toldDiagnostics: DiagnosticFlags = []

    /// The slots of the managers that `isMeant`, a bit each.
    func slots(where isMeant: (LocationManager) -> Bool) -> UInt8 {
        var slots: UInt8 = 0
        for slot in managers.indices where isAlive(slot) && isMeant(managers[slot]) {
            slots |= 1 << UInt8(slot)
        }
        return slots
    }

    func isAlive(_ slot: Int) -> Bool {
        managers.indices.contains(slot) && (slot == 0 || managers[slot].name != nil)
    }

    /// Makes a manager in that slot.
    mutating func create(_ slot: Int, _ name: NameID) {
        while managers.count <= slot { managers.append(LocationManager()) }
        managers[slot] = LocationManager(name: name)
    }

}

/// The objects of a block's devices: nothing at all until the first of them has any.
struct LocationObjectsTable {
    private var rows: [LocationObjects?] = []
    private let deviceCount: Int

    init(deviceCount: Int) { self.deviceCount = deviceCount }

    var isEmpty: Bool { rows.isEmpty }

    subscript(device: Int) -> LocationObjects? {
        get { rows.isEmpty ? nil : rows[device] }
        _modify {
            if rows.isEmpty {
                var objects: LocationObjects?
                yield &objects
                guard objects != nil else { return }
                rows = [LocationObjects?](repeating: nil, count: deviceCount)
                rows[device] = objects
            } else {
                yield &rows[device]
            }
        }
    }

    var bytes: Int {
        rows.reduce(arrayBytes(rows)) { $0 + ($1.map { arrayBytes($0.managers) } ?? 0) }
    }
}

/// The objects of the app's process, as its script sees them.
public struct LocationObjectsView: Sendable {
    /// By slot; one without a name is free. Empty: the app's own manager alone, as it was made.
    public var managers: [LocationManager] = []
    public var held: HeldObjects = []
    /// The name of the monitor that is open.
    public var monitor: NameID?
    /// What the service sessions say of their state now (iOS 18).
    public var sessionDiagnostics: DiagnosticFlags = []

    public init() {}
}

/// Objects that a process holds one of at most.
public struct HeldObjects: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let whenInUseSession = HeldObjects(rawValue: 1)
    public static let alwaysSession = HeldObjects(rawValue: 2)
    public static let backgroundActivitySession = HeldObjects(rawValue: 4)
    public static let monitor = HeldObjects(rawValue: 8)
    public static let liveUpdates = HeldObjects(rawValue: 16)
}

/// Where a device is to a region. Raw values are Apple's words.
public enum RegionState: String, CaseIterable, Sendable {
    case unknown, inside, outside
}

/// Apple's constants for `desiredAccuracy`.
public enum DesiredAccuracy: String, CaseIterable, Sendable {
    case best = "kCLLocationAccuracyBest"
    case bestForNavigation = "kCLLocationAccuracyBestForNavigation"
    case nearestTenMeters = "kCLLocationAccuracyNearestTenMeters"
    case hundredMeters = "kCLLocationAccuracyHundredMeters"
    case kilometer = "kCLLocationAccuracyKilometer"
    case threeKilometers = "kCLLocationAccuracyThreeKilometers"
    case reduced = "kCLLocationAccuracyReduced"

    /// What positions come as at best; nil: as under reduced accuracy (AC6). *Assumed*: the system
    /// gives what was asked for and no better.
    var meters: Double? {
        switch self {
        case .best, .bestForNavigation: 0
        case .nearestTenMeters: 10
        case .hundredMeters: 100
        case .kilometer: 1_000
        case .threeKilometers: 3_000
        case .reduced: nil
        }
    }
}
