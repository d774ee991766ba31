import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What the person does to the phone: by a behavior, or since an intervention says so.
///
/// What cannot be done is recorded like the rest, with the reason in its note.
extension DeviceRunner {
    /// - Returns: false where it could not be done: no app, no such row or switch, no button in
    ///   sight, or a version as new already.
    @discardableResult
    mutating func carryOut(
        _ act: PhoneAct, of device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        let note = outlook(for: act, on: device)
        let isPossible = note.ignored == nil
        // An upgrade is there once the phone has restarted.
        if isPossible, case .upgradeOS = act { try restart(&device, at: time) }
        if let content = act.content { emit(content, &device, at: time, note: note) }
        guard isPossible else { return false }
        switch act {
        case .settings(let row): try apply(.settingsChanged(row), to: &device, at: time)
        case .precise(let on): try apply(.preciseSwitched(on), to: &device, at: time)
        case .locationServices(let on):
            try apply(.locationServicesSwitched(on), to: &device, at: time)
        case .restriction(let on): try apply(.restrictionSwitched(on), to: &device, at: time)
        case .resetLocationPrivacy: try apply(.locationPrivacyReset, to: &device, at: time)
        case .reboot: try restart(&device, at: time)
        case .migrateDevice: try apply(.migrated, to: &device, at: time)
        case .upgradeOS(let version):
            device.ios = contextIndex(of: version, plist: plists[Int(device.ios)])
        case .forceQuit: try apply(.processEnded(.forceQuit), to: &device, at: time)
        case .deleteApp: try delete(of: &device, at: time)
        case .reinstall(let wait):
            try delete(of: &device, at: time)
            device.timers[.reinstall] = time + max(wait, Self.reinstallMin)
        case .backgroundRefresh(let on):
            try apply(.backgroundRefreshSwitched(on), to: &device, at: time)
        case .placeWidget: try apply(.placedWidget, to: &device, at: time)
        case .tapLocationButton:
            device.tappedAt = time
            try apply(.tappedLocationButton(isReadable: true), to: &device, at: time)
        case .milestone(let name): reached(name, device, at: time)
        case .metric(let metric): add(metric, of: device)
        }
        return true
    }

    /// Q8. The first unlock comes with it: nobody leaves a phone locked for long. *Assumed*.
    private mutating func restart(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        try apply(.rebooted, to: &device, at: time)
        try apply(.unlocked, to: &device, at: time)
    }

    private mutating func delete(of device: inout Device, at time: SimTime) throws(RunFailure) {
        try remove(.reinstalled, from: &device, at: time)
        device.timers[.open] = .never
    }

    /// The app is gone from the device, and all that it had saved; the next opening is still due.
    ///
    /// - Parameter event: why the phone forgets it (G10, X2).
    mutating func remove(
        _ event: PhoneEvent, from device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        try apply(.processEnded(.deleted), to: &device, at: time)
        try apply(event, to: &device, at: time)
        strategy.forget(indexInBlock: UInt32(indexInBlock))
        let kept = [TimerRow.Slot.day, .open, .hazard].map { ($0, device.timers[$0]) }
        device.timers.removeAll()
        for (slot, instant) in kept { device.timers[slot] = instant }
        if isAppClip { appClips[indexInBlock] = AppClipClock() }
        device.installation = .absent
        let group = Int(device.group)
        tallies[group].metrics.installed -= 1
        tallies[group].metrics.visible[device.visible.place] -= 1
        tallies[group].metrics.trueStatus[device.trueStatus.place] -= 1
    }

    /// The app comes back to the device.
    mutating func install(_ device: inout Device, at time: SimTime) {
        device.installation = .neverLaunched
        device.sessions = 0
        emit(.installed, &device, at: time)
        let group = Int(device.group)
        tallies[group].metrics.installed += 1
        tallies[group].metrics.visible[device.visible.place] += 1
        tallies[group].metrics.trueStatus[device.trueStatus.place] += 1
    }
}
