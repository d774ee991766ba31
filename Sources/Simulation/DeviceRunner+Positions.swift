import DeviceCore
import SimPrimitives

/// Positions: where a device is when one reaches the app.
extension DeviceRunner {
    /// A position reached the app: where the device is, as the phone measures it.
    mutating func locate(_ device: inout Device, at time: SimTime) {
        var fixes = FixRun(device, self, at: time)
        fixes.locate(&device, at: time, &self)
        fixes.settle(device, &self)
    }

    /// Plays the positions of standard updates from `time` on, as long as nothing else is due and
    /// each is like the one before.
    ///
    /// The state of the phone does not change meanwhile, so `Phone.handle` need not be asked: what
    /// follows from such a position is a place, a record and a count. `planFix` says when it is so.
    ///
    /// - Returns: how many there were.
    mutating func runRoutineFixes(
        of device: inout Device, from time: SimTime, until limit: SimTime
    ) -> UInt64 {
        var fixes = FixRun(device, self, at: time)
        let interval = fixInterval(of: device.phone.process)
        let bound = device.timers.bound(of: .fix, before: limit)
        var time = time
        repeat {
            fixes.locate(&device, at: time, &self)
            time = time + interval
        } while time < bound
        fixes.settle(device, &self)
        device.timers[.fix] = time
        return fixes.count
    }
}

/// Positions of one device, one after the other: what does not change between them is looked up
/// once.
private struct FixRun {
    private let plan: MovementPlan
    private let isMoving: Bool
    private let isForeground: Bool
    private let home: PlanePoint
    private let way: PlanePoint
    private var row = Whereabouts()
    private(set) var count: UInt64 = 0
    /// Chance for two positions: the second half is that of every other one.
    private var bits = Philox.Counter()
    private let key: Philox.Key
    private var clock: Zone.DayStretch
    private let circles: MovementPlan.Circles

    @inline(__always)
    init(_ device: borrowing Device, _ runner: borrowing DeviceRunner, at time: SimTime) {
        plan = runner.movement
        key = runner.key
        isForeground = device.phone.process == .foreground
        isMoving = !runner.whereabouts.isEmpty
        guard isMoving else {
            (home, way, clock) = (.zero, .zero, Zone.DayStretch())
            circles = MovementPlan.Circles()
            return
        }
        row = runner.whereabouts[runner.indexInBlock]
        home = row.home
        let work = row.work
        way = PlanePoint(east: work.east - home.east, north: work.north - home.north)
        clock = plan.zone.dayStretch(at: time)
        circles = plan.circles(home: home, way: way)
        if row.fixCount & 1 == 1 { drawBits(device.id) }
    }

    @inline(__always)
    private mutating func drawBits(_ device: DeviceID) {
        let counter = Philox.Counter(
            device.number, RandomPurpose.position.rawValue, row.fixCount >> 1, 0)
        bits = Philox.bits(counter, key: key)
    }

    @inline(__always)
    mutating func locate(
        _ device: inout Device, at time: SimTime, _ runner: inout DeviceRunner
    ) {
        count &+= 1
        guard isMoving else { return }
        let isSecond = row.fixCount & 1 == 1
        if !isSecond { drawBits(device.id) }
        row.fixCount &+= 1
        if !clock.covers(time) { clock = plan.zone.dayStretch(at: time) }
        let share = plan.wayToWork(at: clock.timeOfDay(at: time))
        let (x, y) = isSecond ? (bits.z, bits.w) : (bits.x, bits.y)
        let point = PlanePoint(
            east: home.east + way.east * share - plan.noiseMeters + Double(x) * plan.noiseUnit,
            north: home.north + way.north * share - plan.noiseMeters + Double(y) * plan.noiseUnit)
        device.digest.addFix(point, at: time)
        if runner.keepsRecords { runner.note(point, device, at: time) }
        device.recordCount &+= 1
        let inside = plan.inside(point, circles, home: home, way: way)
        if inside != row.inside {
            runner.cross(from: row.inside, to: inside, &device, at: time)
            row.inside = inside
        }
    }

    @inline(__always)
    func settle(_ device: borrowing Device, _ runner: inout DeviceRunner) {
        if isMoving { runner.whereabouts[runner.indexInBlock] = row }
        let group = Int(device.group)
        if isForeground {
            runner.tallies[group].metrics.activity.fixesForeground += count
        } else {
            runner.tallies[group].metrics.activity.fixesBackground += count
        }
    }
}

extension DeviceRunner {
    @inline(never)
    fileprivate mutating func note(
        _ point: PlanePoint, _ device: borrowing Device, at time: SimTime
    ) {
        keep(
            .fix(
                eastMillimeters: point.eastMillimeters, northMillimeters: point.northMillimeters),
            device, at: time)
    }

    @inline(never)
    fileprivate mutating func cross(
        from before: UInt32, to inside: UInt32, _ device: inout Device, at time: SimTime
    ) {
        let group = Int(device.group)
        var changed = before ^ inside
        while changed != 0 {
            let region = changed.trailingZeroBitCount
            changed &= changed - 1
            let isEntry = inside >> region & 1 == 1
            let id = regionNames[region]
            emit(.crossing(region: id, isEntry: isEntry), &device, at: time)
            if isEntry {
                tallies[group].metrics.activity.regionEntries += 1
            } else {
                tallies[group].metrics.activity.regionExits += 1
            }
        }
    }
}
