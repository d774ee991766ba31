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

    /// How far on the way from home to work, in 0 ... 1.
    ///
    /// - Parameter local: microseconds since local midnight.
    @inlinable
    func wayToWork(at local: Int64) -> Double {
        let (start, end) = (leavesHome.microseconds, arrivesHome.microseconds)
        if local < start || local >= end { return 0 }
        if local < arrivesAtWork.microseconds {
            return Double(local - start) / Double(arrivesAtWork.microseconds - start)
        }
        if local < leavesWork.microseconds { return 1 }
        return Double(end - local) / Double(end - leavesWork.microseconds)
    }
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

    @inlinable
    static func + (left: PlanePoint, right: PlanePoint) -> PlanePoint {
        PlanePoint(east: left.east + right.east, north: left.north + right.north)
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

extension DeviceRunner {
    /// A position reached the app: where the device is, as the phone measures it.
    mutating func locate(_ device: inout Device, at time: SimTime) {
        guard let movement = scenario.movement else { return }
        var random = stream(.position, whereabouts[indexInBlock].fixCount, device)
        let day = scenario.zone.timeOfDay(at: time)
        let row = whereabouts[indexInBlock]
        let (home, work) = (row.home, row.work)
        let way = movement.wayToWork(at: day)
        let bits = random.next()
        let width = 2 * movement.noiseMeters
        let east =
            home.east + (work.east - home.east) * way - movement.noiseMeters
            + Double(bits >> 32) * (width * 0x1p-32)
        let north =
            home.north + (work.north - home.north) * way - movement.noiseMeters
            + Double(bits & 0xffff_ffff) * (width * 0x1p-32)
        let inside = movement.regions(around: PlanePoint(east: east, north: north), home, work)
        let before = row.inside
        whereabouts[indexInBlock].fixCount &+= 1
        whereabouts[indexInBlock].inside = inside
        emit(
            .fix(
                eastMillimeters: Int32((east * 1_000).rounded()),
                northMillimeters: Int32((north * 1_000).rounded())), &device, at: time)
        let group = Int(device.group)
        if device.phone.process == .foreground {
            tallies[group].metrics.activity.fixesForeground += 1
        } else {
            tallies[group].metrics.activity.fixesBackground += 1
        }
        if inside != before { cross(from: before, to: inside, &device, at: time) }
    }

    private mutating func cross(
        from before: UInt32, to inside: UInt32, _ device: inout Device, at time: SimTime
    ) {
        let group = Int(device.group)
        for region in 0..<UInt32(32) where (before ^ inside) >> region & 1 == 1 {
            let isEntry = inside >> region & 1 == 1
            let id = regionNames[Int(region)]
            emit(.crossing(region: id, isEntry: isEntry), &device, at: time)
            if isEntry {
                tallies[group].metrics.activity.regionEntries += 1
            } else {
                tallies[group].metrics.activity.regionExits += 1
            }
        }
    }
}

extension Movement {
    /// The regions that hold `point`, a bit each.
    @inline(__always)
    fileprivate func regions(
        around point: PlanePoint, _ home: PlanePoint, _ work: PlanePoint
    ) -> UInt32 {
        var inside: UInt32 = 0
        for index in regions.indices {
            let center =
                switch regions[index].center {
                case .home: home
                case .work: work
                case .midpoint:
                    PlanePoint(
                        east: (home.east + work.east) * 0.5, north: (home.north + work.north) * 0.5)
                case .point(let point): point
                }
            let (east, north) = (point.east - center.east, point.north - center.north)
            let radius = regions[index].radiusMeters
            if east * east + north * north < radius * radius { inside |= 1 << UInt32(index) }
        }
        return inside
    }
}
