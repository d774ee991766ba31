import DeviceCore
import SimPrimitives

/// The timers of the app's process.
extension DeviceRunner {
    mutating func set(_ timer: AppTimer, at time: SimTime) {
        var timer = timer
        timer.wait = max(timer.wait, Self.reactionMin)
        timers.set(timer, of: indexInBlock, at: time, deviceCount: deviceCount)
    }

    mutating func fireAppTimer(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard let due = timers.takeDue(of: indexInBlock, at: time) else { return }
        try tell(.timer(due.number, isLast: due.isLast), to: &device, at: time)
    }

    /// After each event: a process that executes has its next timer in the row, and one that
    /// executes again has at once what fell due meanwhile.
    mutating func planAppTimer(of device: inout Device, at time: SimTime) {
        guard let due = timers.earliest(of: indexInBlock) else {
            device.timers[.appTimer] = .never
            return
        }
        switch device.phone.process {
        case .foreground, .background: device.timers[.appTimer] = max(due, time)
        case .suspended: device.timers[.appTimer] = .never
        case .notRunning: dropAppTimers(of: &device)
        }
    }

    /// They die with the process, and so does what the script keeps for them.
    mutating func dropAppTimers(of device: inout Device) {
        timers.removeAll(of: indexInBlock)
        device.timers[.appTimer] = .never
        strategy.processEnded(indexInBlock: UInt32(indexInBlock))
    }
}
