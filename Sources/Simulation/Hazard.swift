import SimPrimitives

/// What comes to every device at random, again and again, independent of all else: a Poisson
/// process for each device.
public struct Hazard: Hashable, Sendable {
    /// Mean of the exponential intervals: above 0.
    public var meanInterval: SimDuration
    /// It does nothing to a device for which this does not hold then.
    public var condition: DeviceCondition
    /// The condition as it was written; empty where all devices are meant.
    public var conditionText: String
    public var action: InterventionAction
    /// Of the new Info.plist, as the scenario names it; empty for any other action.
    public var file = ""

    public init(
        meanInterval: SimDuration, condition: DeviceCondition = .constant(true),
        where text: String = "", _ action: InterventionAction
    ) {
        (self.meanInterval, self.condition, conditionText) = (meanInterval, condition, text)
        self.action = action
    }
}

/// How often a hazard came, by what became of it.
public struct HazardCounts: Hashable, Sendable {
    /// It came, be the device meant or not.
    public var came: UInt64 = 0
    /// Of these: the device was meant, and it could be done.
    public var acted: UInt64 = 0

    public init(came: UInt64 = 0, acted: UInt64 = 0) { (self.came, self.acted) = (came, acted) }

    public static func + (left: HazardCounts, right: HazardCounts) -> HazardCounts {
        HazardCounts(came: left.came + right.came, acted: left.acted + right.acted)
    }
}

extension DeviceRunner {
    /// Sets the instant of the next hazard: of all together, whose rates add up.
    func planHazard(of device: inout Device, at time: SimTime) {
        guard !scenario.hazards.isEmpty else { return }
        var random = stream(.hazard, hazardCounts[indexInBlock], device)
        let rate = scenario.hazards.reduce(0) { $0 + 1 / $1.meanInterval.seconds }
        device.timers[.hazard] =
            SimDuration(seconds: random.exponential(mean: 1 / rate)).map { time + $0 } ?? .never
    }

    mutating func hazardFellDue(of device: inout Device, at time: SimTime) throws(RunFailure) {
        let index = drawnHazard(of: device)
        let hazard = scenario.hazards[index]
        hazardCounts[indexInBlock] &+= 1
        planHazard(of: &device, at: time)
        let isMeant = hazard.condition.holds(facts(of: device, index: indexInBlock, at: time))
        var hasActed = false
        if isMeant { hasActed = try act(hazard.action, on: &device, at: time) }
        let counts = HazardCounts(came: 1, acted: hasActed ? 1 : 0)
        let group = Int(device.group)
        tallies[group].metrics.hazards[index] = tallies[group].metrics.hazards[index] + counts
    }

    /// Which one it is: each by its share of the rates.
    private func drawnHazard(of device: borrowing Device) -> Int {
        guard scenario.hazards.count > 1 else { return 0 }
        var random = stream(.hazard, hazardCounts[indexInBlock], device)
        _ = random.exponential()  // That chose the instant.
        let rates = scenario.hazards.map { 1 / $0.meanInterval.seconds }
        var rest = random.uniform() * rates.reduce(0, +)
        for (index, rate) in rates.enumerated() {
            if rest < rate { return index }
            rest -= rate
        }
        return rates.count - 1
    }
}
