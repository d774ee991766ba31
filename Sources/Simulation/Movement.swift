import SimPrimitives

/// Where people are: between a home and a place of work, day by day, in a plane of meters around
/// `origin`.
///
/// A model to be reckoned with by hand: the day of the reference workload. Both places are drawn
/// once a person, each coordinate a whole number of meters, uniform over a square. *Assumed*.
public struct Movement: Hashable, Sendable {
    /// The center of the plane.
    public var origin: Coordinate
    /// Half the side of the square around `origin` in which people live and work: 1 ... 32,767.
    public var halfWidthMeters: Int32 = 10_000
    /// Of the local day. The way is walked at an even pace from one to the next.
    public var leavesHome = SimDuration.hours(8)
    public var arrivesAtWork = SimDuration.hours(9)
    public var leavesWork = SimDuration.hours(17)
    public var arrivesHome = SimDuration.hours(18)
    /// How far a position is off at most, on each axis, evenly: 0 ... 10,000.
    public var noiseMeters = 20.0
    /// What the app looks at with each position it gets.
    public var regions: [CheckedRegion] = []

    public init(origin: Coordinate) { self.origin = origin }
}

/// WGS 84, in degrees.
public struct Coordinate: Hashable, Sendable {
    /// -90 ... 90
    public var latitude: Double
    /// -180 ... 180
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// A place in the plane around `Movement.origin`: meters to the east and to the north.
public struct PlanePoint: Hashable, Sendable {
    public var east: Double
    public var north: Double

    @inlinable
    public init(east: Double, north: Double) { (self.east, self.north) = (east, north) }

    static let zero = PlanePoint(east: 0, north: 0)
}

/// A circle that the app compares its positions with.
public struct CheckedRegion: Hashable, Sendable {
    public enum Center: Hashable, Sendable {
        case home, work
        /// Half the way between them.
        case midpoint
        case point(PlanePoint)
    }

    public var id: String
    public var center: Center
    /// Inside is what is nearer than this: above 0.
    public var radiusMeters: Double

    public init(_ id: String, _ center: Center, radiusMeters: Double) {
        (self.id, self.center, self.radiusMeters) = (id, center, radiusMeters)
    }
}

/// One person's places, and what the app knows of them: a row beside each device that moves.
struct Whereabouts {
    /// Home east and north, work east and north, in whole meters.
    private var anchors: SIMD4<Int16>
    /// Positions so far: the occasion of the next one's noise.
    var fixCount: UInt32 = 0
    /// The regions that the last position lay in, a bit each.
    var inside: UInt32 = 0

    /// - Parameter random: of purpose `.anchors`.
    init(_ movement: borrowing Movement, _ random: inout RandomStream) {
        let half = Double(movement.halfWidthMeters)
        var anchors = SIMD4<Int16>()
        for index in 0..<4 {
            let drawn = Int32(random.uniform() * 2 * half)
            anchors[index] = Int16(drawn - movement.halfWidthMeters)
        }
        self.anchors = anchors
    }

    init() { anchors = SIMD4<Int16>() }

    var home: PlanePoint { PlanePoint(east: Double(anchors[0]), north: Double(anchors[1])) }
    var work: PlanePoint { PlanePoint(east: Double(anchors[2]), north: Double(anchors[3])) }
}

/// A `Movement` as the loop needs it: one object, so that looking at it copies nothing.
final class MovementPlan: Sendable {
    let noiseMeters: Double
    let zone: Zone
    private let leavesHome, arrivesAtWork, leavesWork, arrivesHome: Int64
    /// A region's center is `fixed` plus so much of home and of the way to work.
    private let regions: [Region]

    private struct Region {
        var ofHome: Double
        var ofWay: Double
        var fixed: PlanePoint
        var radiusSquared: Double
    }

    init(_ movement: Movement, in zone: Zone) {
        noiseMeters = movement.noiseMeters
        self.zone = zone
        leavesHome = movement.leavesHome.microseconds
        arrivesAtWork = movement.arrivesAtWork.microseconds
        leavesWork = movement.leavesWork.microseconds
        arrivesHome = movement.arrivesHome.microseconds
        regions = movement.regions.map { region in
            let squared = region.radiusMeters * region.radiusMeters
            return switch region.center {
            case .home: Region(ofHome: 1, ofWay: 0, fixed: .zero, radiusSquared: squared)
            case .midpoint: Region(ofHome: 1, ofWay: 0.5, fixed: .zero, radiusSquared: squared)
            case .work: Region(ofHome: 1, ofWay: 1, fixed: .zero, radiusSquared: squared)
            case .point(let point):
                Region(ofHome: 0, ofWay: 0, fixed: point, radiusSquared: squared)
            }
        }
    }

    /// How far on the way from home to work, in 0 ... 1.
    ///
    /// - Parameter local: microseconds since local midnight.
    @inline(__always)
    func wayToWork(at local: Int64) -> Double {
        if local < leavesHome || local >= arrivesHome { return 0 }
        if local < arrivesAtWork {
            return Double(local - leavesHome) / Double(arrivesAtWork - leavesHome)
        }
        if local < leavesWork { return 1 }
        return Double(arrivesHome - local) / Double(arrivesHome - leavesWork)
    }

    /// The regions that hold `point`, a bit each.
    @inline(__always)
    func inside(_ point: PlanePoint, home: PlanePoint, way: PlanePoint) -> UInt32 {
        var inside: UInt32 = 0
        var bit: UInt32 = 1
        for region in regions {
            let east =
                point.east
                - (region.fixed.east + home.east * region.ofHome + way.east * region.ofWay)
            let north =
                point.north
                - (region.fixed.north + home.north * region.ofHome + way.north * region.ofWay)
            if east * east + north * north < region.radiusSquared { inside |= bit }
            bit <<= 1
        }
        return inside
    }
}
