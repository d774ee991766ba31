import SimPrimitives

/// When the person opens the app and leaves it: by the behavior's hooks, or by the rhythm of their
/// persona.
extension DeviceRunner {
    @inline(__always)
    func rhythm(of device: borrowing Device) -> Rhythm {
        rhythms[Int(device.persona)]
    }

    /// Asked at birth and after each close; without the hook the persona's rhythm, by default one
    /// opening a day (exponential).
    mutating func planOpening(of device: inout Device, at time: SimTime) throws(RunFailure) {
        let place = enter(.scheduling)
        defer { leave(to: place) }
        var random = stream(.opening, device.occasions.opening, device)
        device.occasions.opening &+= 1
        var wait: SimDuration?
        if hooks(of: device).contains(.nextOpen) {
            do throws(HookError) {
                wait = try behaviors[behaviorInHand].nextOpen(
                    view(of: device, at: time), random: &random, acts: &acts)
            } catch {
                try note(error, of: &device, at: time)
                wait = opening(of: device, &random)
            }
        } else {
            wait = opening(of: device, &random)
        }
        device.timers[.open] = wait.map { time + max($0, Self.sessionMin) } ?? .never
    }

    private mutating func opening(
        of device: borrowing Device, _ random: inout RandomStream
    ) -> SimDuration {
        let mean = rhythm(of: device).openingInterval
        return SimDuration(seconds: random.exponential(mean: mean.seconds)) ?? mean
    }

    /// Without the hook the persona's rhythm, by default 120 s.
    mutating func planClose(of device: inout Device, at time: SimTime) throws(RunFailure) {
        let place = enter(.scheduling)
        defer { leave(to: place) }
        let hasHook = hooks(of: device).contains(.sessionLength)
        let mean = hasHook ? nil : rhythm(of: device).sessionLength
        var length = SimDuration.seconds(120)
        if hasHook || mean != nil {
            var random = stream(.length, device.occasions.length, device)
            device.occasions.length &+= 1
            if let mean {
                length = SimDuration(seconds: random.exponential(mean: mean.seconds)) ?? mean
            } else {
                do throws(HookError) {
                    length = try behaviors[behaviorInHand].sessionLength(
                        view(of: device, at: time), random: &random, acts: &acts)
                } catch { try note(error, of: &device, at: time) }
            }
        }
        device.timers[.close] = time + max(length, Self.sessionMin)
    }
}
