import SimPrimitives

/// A region or a condition, as the app's own identifier stands for it. The caller keeps the names.
public struct PlaceID: Hashable, Sendable {
    public let number: UInt16

    public init(_ number: UInt16) { self.number = number }
}

/// A circular region or a region of beacons.
public struct Region: Hashable, Sendable {
    public var id: PlaceID
    public var radiusMeters: Double
    public var notifiesOnEntry: Bool
    public var notifiesOnExit: Bool

    public init(
        _ id: PlaceID, radiusMeters: Double, notifiesOnEntry: Bool = true, notifiesOnExit: Bool = true
    ) {
        (self.id, self.radiusMeters) = (id, radiusMeters)
        (self.notifiesOnEntry, self.notifiesOnExit) = (notifiesOnEntry, notifiesOnExit)
    }
}

/// What happened at a place. `entered` is also a condition that came true.
public enum PlaceChange: Hashable, Sendable {
    case entered, left
    /// A condition over the limit (M4).
    case unmonitored
}

/// Which place a delivery of `.region` or `.monitor` is about.
public struct PlaceEvent: Hashable, Sendable {
    public var id: PlaceID
    public var change: PlaceChange
}

/// What few phones use, in one box.
struct PhoneExtras: Sendable {
    /// RG1 (documented): more fail.
    static let regionsMax = 20
    /// M4 (documented).
    static let conditionsMax = 20
    /// RG3 (chosen): no figure is published.
    static let regionRadiusMaxMeters = 1_000_000.0

    /// In the order of registration, each id once.
    var regions: [Region] = []
    var conditions: [Condition] = []
    /// Of the held event, and of the last delivery.
    var held: PlaceEvent?
    var delivered: PlaceEvent?
    /// When a reduced position was last computed for updates (AC3).
    var reducedSince: SimTime?

    struct Condition: Hashable, Sendable {
        var id: PlaceID
        var isSatisfied: Bool
    }
}

/// Keeps the rare parts out of the phone: a pointer's worth, and copied only when written.
final class PhoneExtrasBox: Sendable {
    let value: PhoneExtras
    init(_ value: PhoneExtras) { self.value = value }
}

extension Phone {
    /// Identifiers of the monitored regions, in the order of registration.
    public var regions: [PlaceID] { rare.regions.map(\.id) }

    /// The place of the last delivery of `.region` or `.monitor`.
    public var deliveredPlace: PlaceEvent? { rare.delivered }

    /// Reads make no copy that lives; a write makes a new box.
    var rare: PhoneExtras {
        get { extras?.value ?? PhoneExtras() }
        set { extras = PhoneExtrasBox(newValue) }
    }
}
