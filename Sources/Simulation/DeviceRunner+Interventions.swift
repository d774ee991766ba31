import AuthorizationCore
import DeviceCore
import SimPrimitives

extension DeviceRunner {
    /// - Parameter index: its number within the block.
    func facts(of device: borrowing Device, index: Int, at time: SimTime) -> DeviceFacts {
        DeviceFacts(
            number: device.id.number, visible: device.visible, trueStatus: device.trueStatus,
            persona: Int(device.persona), arm: arm, ios: contexts[Int(device.ios)].ios,
            day: scenario.zone.day(at: time),
            options: casts.behaviors[behavior(of: device, index: index)].options)
    }

    /// Lets an intervention act on a device, if it means it.
    ///
    /// - Parameters:
    ///   - number: counts the run's interventions: each draws its own share of the devices.
    ///   - moves: which casts follow on which.
    /// - Returns: whether it could be done; nil where the device was not meant or not drawn.
    mutating func intervene(
        _ intervention: Intervention, number: UInt32, _ moves: CastMoves,
        on device: inout Device, index: Int
    ) throws(RunFailure) -> Bool? {
        let time = intervention.at
        guard intervention.condition.holds(facts(of: device, index: index, at: time)),
            isDrawn(intervention.share, number, device)
        else { return nil }
        takeInHand(index, device)
        let isDone =
            intervention.action.recasts
            ? try recast(intervention.action, moves, &device, at: time)
            : try act(intervention.action, on: &device, at: time)
        guard isDone else { return false }
        try carryOut(of: &device, at: time)
        planFix(of: &device, at: time)
        if timers.areUsed { planAppTimer(of: &device, at: time) }
        return true
    }

    private func isDrawn(_ share: Double, _ number: UInt32, _ device: borrowing Device) -> Bool {
        guard share < 1 else { return true }
        var random = stream(.intervention, number, device)
        return random.uniform() < share
    }

    /// - Returns: false where it could not be done.
    mutating func act(
        _ action: InterventionAction, on device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        switch action {
        case .act(let act): return try carryOut(act, of: &device, at: time)
        case .terminate:
            guard device.isInstalled, device.phone.process != .notRunning else { return false }
            try apply(.processEnded(.terminated), to: &device, at: time)
        case .updateApp(let plist):
            guard device.isInstalled else { return false }
            try apply(.processEnded(.terminated), to: &device, at: time)
            device.ios = contextIndex(of: contexts[Int(device.ios)].ios, plist: plist)
            emit(.world(.updateApp), &device, at: time)
            try apply(.appUpdated, to: &device, at: time)  // G11
        case .strategy, .behavior, .options, .appOptions: return false  // No hazard does.
        }
        return true
    }
}
