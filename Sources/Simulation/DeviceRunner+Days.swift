import SimPrimitives

/// The person's day: an instant of each at which the behavior is asked.
extension DeviceRunner {
    /// Sets the person's instant of local day `day`.
    func planDay(of device: inout Device, from day: Int64) {
        guard hooks(of: device).contains(.eachDay) else { return }
        let zone = scenario.zone
        let start = zone.start(ofDay: day)
        let length = zone.start(ofDay: day + 1) - start
        var random = stream(.day, UInt32(truncatingIfNeeded: day), device)
        let wait = SimDuration(microseconds: Int64(random.uniform() * Double(length.microseconds)))
        device.timers[.day] = start + wait
        device.occasions.day = UInt32(truncatingIfNeeded: day)
    }

    /// Another behavior plays from now on: its days begin where the instant of one is to come, and
    /// the days of one without the hook end.
    func planDayAnew(of device: inout Device, at time: SimTime) {
        guard hooks(of: device).contains(.eachDay) else {
            device.timers.cancel(.day)
            return
        }
        guard !device.timers.isSet(.day) else { return }
        var day = scenario.zone.day(at: time)
        repeat {
            planDay(of: &device, from: day)
            day += 1
        } while device.timers[.day] < time
    }

    mutating func day(of device: inout Device, at time: SimTime) throws(RunFailure) {
        let today = device.occasions.day
        var random = stream(.day, today, device)
        _ = random.uniform()  // That one chose the instant.
        do throws(HookError) {
            try behaviors[behaviorInHand].eachDay(
                view(of: device, at: time), random: &random, acts: &acts)
        } catch { try note(error, of: &device, at: time) }
        planDay(of: &device, from: Int64(today) + 1)
    }
}
