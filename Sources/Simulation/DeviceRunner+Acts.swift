import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What the person does to the phone: by a behavior, or since an intervention says so.
extension DeviceRunner {
    /// - Returns: false where there is nothing to act on: no app, no widgets on this iOS, no button
    ///   in sight, or a version as new already.
    @discardableResult
    mutating func carryOut(
        _ act: PhoneAct, of device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        switch act {
        case .locationServices(let on):
            emit(.settings(.locationServices(on)), &device, at: time)
            try apply(.locationServicesSwitched(on), to: &device, at: time)
        case .restriction(let on):
            emit(.world(on ? .restrictionOn : .restrictionOff), &device, at: time)
            try apply(.restrictionSwitched(on), to: &device, at: time)
        case .resetLocationPrivacy:
            emit(.world(.resetLocationPrivacy), &device, at: time)
            try apply(.locationPrivacyReset, to: &device, at: time)
        case .reboot:
            emit(.world(.reboot), &device, at: time)
            try restart(&device, at: time)
        case .migrateDevice:
            emit(.world(.migrateDevice), &device, at: time)
            try apply(.migrated, to: &device, at: time)
        case .upgradeOS(let version):
            guard contexts[Int(device.ios)].ios < version else { return false }
            try restart(&device, at: time)
            device.ios = contextIndex(of: version, plist: plists[Int(device.ios)])
            emit(.upgraded(version), &device, at: time)
        case .settings, .precise, .forceQuit, .deleteApp, .reinstall, .backgroundRefresh,
            .placeWidget, .tapLocationButton:
            guard device.isInstalled else { return false }
            return try carryOutOnApp(act, of: &device, at: time)
        }
        return true
    }

    private mutating func carryOutOnApp(
        _ act: PhoneAct, of device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        switch act {
        case .settings(let row):
            emit(.settings(.row(row)), &device, at: time)
            try apply(.settingsChanged(row), to: &device, at: time)
        case .precise(let on):
            emit(.settings(.precise(on)), &device, at: time)
            try apply(.preciseSwitched(on), to: &device, at: time)
        case .forceQuit:
            let isInAppSwitcher =
                device.installation != .neverLaunched && !device.phone.isForceQuit
            guard isInAppSwitcher else { return false }
            emit(.world(.forceQuit), &device, at: time)
            try apply(.processEnded(.forceQuit), to: &device, at: time)
        case .deleteApp: try delete(of: &device, at: time)
        case .reinstall(let wait):
            try delete(of: &device, at: time)
            device.timers[.reinstall] = time + max(wait, Self.reinstallMin)
        case .backgroundRefresh(let on):
            emit(
                .world(on ? .backgroundRefreshOn : .backgroundRefreshOff), &device, at: time)
            try apply(.backgroundRefreshSwitched(on), to: &device, at: time)
        case .placeWidget:
            // X4. *Assumed*: an App Clip brings no widget that wants location.
            guard contexts[Int(device.ios)].ios >= .v14, !isAppClip else { return false }
            emit(.world(.placeWidget), &device, at: time)
            try apply(.placedWidget, to: &device, at: time)
        case .tapLocationButton:
            guard isLocationButtonInSight(of: device) else { return false }
            emit(.world(.tapLocationButton), &device, at: time)
            device.tappedAt = time
            try apply(.tappedLocationButton(isReadable: true), to: &device, at: time)
        case .locationServices, .restriction, .resetLocationPrivacy, .reboot, .upgradeOS,
            .migrateDevice:
            break
        }
        return true
    }

    /// X7: the button stands in the app, and what covers the app covers the button.
    private func isLocationButtonInSight(of device: Device) -> Bool {
        contexts[Int(device.ios)].ios >= .v15 && device.phone.process == .foreground
            && device.phone.authorization.prompt == nil && device.ownScreen == .none
    }

    /// Q8. The first unlock comes with it: nobody leaves a phone locked for long. *Assumed*.
    private mutating func restart(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        try apply(.rebooted, to: &device, at: time)
        try apply(.unlocked, to: &device, at: time)
    }

    private mutating func delete(of device: inout Device, at time: SimTime) throws(RunFailure) {
        emit(.world(.deleteApp), &device, at: time)
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
        let (day, open) = (device.timers[.day], device.timers[.open])
        device.timers.removeAll()
        (device.timers[.day], device.timers[.open]) = (day, open)
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
