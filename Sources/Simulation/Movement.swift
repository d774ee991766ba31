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

    /// Rounded to the nearest, as records have it. A plane reaches 33 km from its center, and noise
    /// 10.
    var eastMillimeters: Int32 { Self.rounded(east * 1_000) }
    var northMillimeters: Int32 { Self.rounded(north * 1_000) }

    /// Of a number below 2³¹: added to 1.5 times 2⁵², its whole part is in the low bits.
    @inline(__always)
    private static func rounded(_ number: Double) -> Int32 {
        Int32(truncatingIfNeeded: (number + 0x1.8p52).bitPattern)
    }
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
    /// What a bit of noise is worth: noise is `noiseMeters` times -1 ..< 1, in steps of this.
    let noiseUnit: Double
    let zone: Zone
    private let leavesHome, arrivesAtWork, leavesWork, arrivesHome: Int64
    /// Four at a time: how much of home and of the way to work a center has, and what beside.
    private let fours: [Four]

    private struct Four {
        var ofHome = SIMD4<Double>(repeating: 0)
        var ofWay = SIMD4<Double>(repeating: 0)
        var east = SIMD4<Double>(repeating: 0)
        var north = SIMD4<Double>(repeating: 0)
        /// Negative where there is no region: nothing is inside.
        var radiusSquared = SIMD4<Double>(repeating: -1)
    }

    init(_ movement: Movement, in zone: Zone) {
        noiseMeters = movement.noiseMeters
        noiseUnit = movement.noiseMeters * 0x1p-31
        self.zone = zone
        leavesHome = movement.leavesHome.microseconds
        arrivesAtWork = movement.arrivesAtWork.microseconds
        leavesWork = movement.leavesWork.microseconds
        arrivesHome = movement.arrivesHome.microseconds
        var fours = [Four](repeating: Four(), count: (movement.regions.count + 3) / 4)
        for (index, region) in movement.regions.enumerated() {
            let (four, lane) = (index / 4, index % 4)
            fours[four].radiusSquared[lane] = region.radiusMeters * region.radiusMeters
            switch region.center {
            case .home: fours[four].ofHome[lane] = 1
            case .midpoint: (fours[four].ofHome[lane], fours[four].ofWay[lane]) = (1, 0.5)
            case .work: (fours[four].ofHome[lane], fours[four].ofWay[lane]) = (1, 1)
            case .point(let point):
                (fours[four].east[lane], fours[four].north[lane]) = (point.east, point.north)
            }
        }
        self.fours = fours
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

    /// Where the first four regions of one person lie, and how large they are.
    struct Circles {
        fileprivate var east = SIMD4<Double>(repeating: 0)
        fileprivate var north = SIMD4<Double>(repeating: 0)
        fileprivate var radiusSquared = SIMD4<Double>(repeating: -1)

        /// A bit for each that holds `point`.
        @inline(__always)
        fileprivate func inside(_ point: PlanePoint) -> UInt32 {
            let (east, north) = (point.east - self.east, point.north - self.north)
            let isInside = east * east + north * north .< radiusSquared
            return (isInside[0] ? 1 : 0) | (isInside[1] ? 2 : 0) | (isInside[2] ? 4 : 0)
                | (isInside[3] ? 8 : 0)
        }
    }

    func circles(home: PlanePoint, way: PlanePoint) -> Circles {
        fours.isEmpty ? Circles() : circles(0, home, way)
    }

    private func circles(_ four: Int, _ home: PlanePoint, _ way: PlanePoint) -> Circles {
        let four = fours[four]
        return Circles(
            east: four.east + home.east * four.ofHome + way.east * four.ofWay,
            north: four.north + home.north * four.ofHome + way.north * four.ofWay,
            radiusSquared: four.radiusSquared)
    }

    /// The regions that hold `point`, a bit each.
    @inline(__always)
    func inside(
        _ point: PlanePoint, _ first: Circles, home: PlanePoint, way: PlanePoint
    ) -> UInt32 {
        let inside = first.inside(point)
        return fours.count < 2 ? inside : inside | insideOthers(point, home, way)
    }

    @inline(never)
    private func insideOthers(
        _ point: PlanePoint, _ home: PlanePoint, _ way: PlanePoint
    ) -> UInt32 {
        (1..<fours.count).reduce(0) { inside, four in
            inside | circles(four, home, way).inside(point) << UInt32(4 * four)
        }
    }
}
