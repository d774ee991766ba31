import DeviceCore
import SimPrimitives

/// Positions: where a device is when one reaches the app.
extension DeviceRunner {
    /// A position reached the app: where the device is, as the phone measures it.
    mutating func locate(_ device: inout Device, at time: SimTime) {
        var fixes = FixRun(device, self)
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
        var fixes = FixRun(device, self)
        let interval = fixInterval(of: device.phone.process)
        let bound = device.timers.bound(of: .fix, before: limit)
        var (time, count) = (time, UInt64(0))
        repeat {
            fixes.locate(&device, at: time, &self)
            count += 1
            time = time + interval
        } while time < bound
        fixes.settle(device, &self)
        device.timers[.fix] = time
        return count
    }

    /// Between two positions, where accuracy is full.
    func fixInterval(of process: ProcessState) -> SimDuration {
        var interval = scenario.delays.updateInterval
        if process != .foreground {
            interval = scenario.delays.backgroundUpdateInterval ?? interval
        }
        return max(interval, Self.reactionMin)
    }
}

/// Positions of one device, one after the other: what does not change between them is looked up
/// once.
private struct FixRun {
    private let isMoving: Bool
    private let isForeground: Bool
    private let home: PlanePoint
    private let way: PlanePoint
    private let noise: Double
    private var row = Whereabouts()
    private var count: UInt64 = 0

    @inline(__always)
    init(_ device: borrowing Device, _ runner: borrowing DeviceRunner) {
        isForeground = device.phone.process == .foreground
        isMoving = !runner.whereabouts.isEmpty
        guard isMoving else {
            (home, way, noise) = (.zero, .zero, 0)
            return
        }
        row = runner.whereabouts[runner.indexInBlock]
        home = row.home
        let work = row.work
        way = PlanePoint(east: work.east - home.east, north: work.north - home.north)
        noise = runner.movement.noiseMeters
    }

    @inline(__always)
    mutating func locate(
        _ device: inout Device, at time: SimTime, _ runner: inout DeviceRunner
    ) {
        count += 1
        guard isMoving else { return }
        var random = runner.stream(.position, row.fixCount, device.id)
        row.fixCount &+= 1
        let share = runner.movement.wayToWork(at: runner.movement.zone.timeOfDay(at: time))
        let bits = random.next()
        let unit = noise * 0x1p-31
        let east = home.east + way.east * share - noise + Double(bits >> 32) * unit
        let north = home.north + way.north * share - noise + Double(bits & 0xffff_ffff) * unit
        device.digest.addFix(
            eastMillimeters: Int32(east * 1_000), northMillimeters: Int32(north * 1_000), at: time)
        if runner.keepsRecords { runner.note(east, north, device, at: time) }
        device.recordCount += 1
        let inside = runner.movement.inside(
            PlanePoint(east: east, north: north), home: home, way: way)
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
        _ east: Double, _ north: Double, _ device: borrowing Device, at time: SimTime
    ) {
        let fix = RecordContent.fix(
            eastMillimeters: Int32(east * 1_000), northMillimeters: Int32(north * 1_000))
        records.append(
            Record(time: time, device: device.id, ordinal: device.recordCount, content: fix))
    }

    @inline(never)
    fileprivate mutating func cross(
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
