import AuthorizationCore
import DeviceCore
import SimPrimitives

extension DeviceRunner {
    func facts(of device: Device, at time: SimTime) -> DeviceFacts {
        DeviceFacts(
            number: device.id.number, visible: device.visible, trueStatus: device.trueStatus,
            persona: Int(device.persona), arm: arm, ios: contexts[Int(device.ios)].ios,
            day: scenario.zone.day(at: time))
    }

    /// Lets an intervention act on a device, if it means it.
    ///
    /// - Parameters:
    ///   - number: counts the run's interventions: each draws its own share of the devices.
    /// - Returns: whether the device was meant, drawn, and in a state to be acted on.
    mutating func intervene(
        _ intervention: Intervention, number: UInt32, on device: inout Device, index: Int
    ) throws(RunFailure) -> Bool {
        let time = intervention.at
        guard intervention.condition.holds(facts(of: device, at: time)),
            isDrawn(intervention.share, number, device)
        else { return false }
        (indexInBlock, hooksAtEvent) = (index, 0)
        guard try act(intervention.action, on: &device, at: time) else { return false }
        try carryOut(of: &device, at: time)
        planFix(of: &device, at: time)
        return true
    }

    private func isDrawn(_ share: Double, _ number: UInt32, _ device: Device) -> Bool {
        guard share < 1 else { return true }
        var random = stream(.intervention, number, device)
        return random.uniform() < share
    }

    /// - Returns: false where there is nothing to act on: no app, or a version as new already.
    private mutating func act(
        _ action: InterventionAction, on device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        switch action {
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
            // The first unlock comes with it: nobody leaves a phone locked for long. Assumed.
            emit(.world(.reboot), &device, at: time)
            try apply(.rebooted, to: &device, at: time)
            try apply(.unlocked, to: &device, at: time)
        case .migrateDevice:
            emit(.world(.migrateDevice), &device, at: time)
            try apply(.migrated, to: &device, at: time)
        case .upgradeOS(let version):
            guard contexts[Int(device.ios)].ios < version else { return false }
            try apply(.processEnded(.terminated), to: &device, at: time)
            device.ios = contextIndex(of: version, plist: plists[Int(device.ios)])
            emit(.upgraded(version), &device, at: time)
        case .settings, .precise, .forceQuit, .terminate, .deleteApp, .reinstall,
            .backgroundRefresh, .updateApp:
            guard device.isInstalled else { return false }
            return try actOnApp(action, of: &device, at: time)
        }
        return true
    }

    private mutating func actOnApp(
        _ action: InterventionAction, of device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        switch action {
        case .settings(let row): acts.append(.settings(row))
        case .precise(let on): acts.append(.precise(on))
        case .deleteApp: acts.append(.deleteApp)
        case .reinstall(let wait): acts.append(.reinstall(after: wait))
        case .forceQuit, .terminate:
            guard device.phone.process != .notRunning else { return false }
            if action == .forceQuit {
                acts.append(.forceQuit)
            } else {
                try apply(.processEnded(.terminated), to: &device, at: time)
            }
        case .backgroundRefresh(let on):
            emit(
                .world(on ? .backgroundRefreshOn : .backgroundRefreshOff), &device, at: time)
            try apply(.backgroundRefreshSwitched(on), to: &device, at: time)
        case .updateApp(let plist):
            try apply(.processEnded(.terminated), to: &device, at: time)
            device.ios = contextIndex(of: contexts[Int(device.ios)].ios, plist: plist)
            emit(.world(.updateApp), &device, at: time)
            try apply(.appUpdated, to: &device, at: time)  // G11
        case .locationServices, .restriction, .resetLocationPrivacy, .reboot, .upgradeOS,
            .migrateDevice:
            break
        }
        return true
    }
}
