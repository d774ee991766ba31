import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What would come of an act of the person's: asked of the rules before it is carried out.
extension DeviceRunner {
    /// - Returns: why it cannot be done, or by which rule it is done and changes nothing; empty
    ///   where it changes something.
    func outlook(for act: PhoneAct, on device: borrowing Device) -> RecordNote {
        let ios = contexts[Int(device.ios)].ios
        switch act {
        case .resetLocationPrivacy, .reboot, .migrateDevice, .milestone, .metric:
            return RecordNote()
        case .locationServices(let on): return asking(.locationServicesSwitched(on), on: device)
        case .restriction(let on): return asking(.restrictionSwitched(on), on: device)
        case .upgradeOS(let version):
            return ios < version ? RecordNote() : RecordNote(ignored: .notNewer)
        case .settings, .precise, .forceQuit, .deleteApp, .reinstall, .backgroundRefresh,
            .placeWidget, .tapLocationButton:
            guard device.isInstalled else { return RecordNote(ignored: .notInstalled) }
        }
        switch act {
        case .settings(let row): return asking(.settingsChanged(row), on: device)
        case .precise(let on):
            guard ios >= .v14 else { return RecordNote(ignored: .notOnThisIOS, rule: .ac14) }
            return asking(.preciseSwitched(on), on: device)
        case .forceQuit:
            let isInAppSwitcher =
                device.installation != .neverLaunched && !device.phone.isForceQuit
            return isInAppSwitcher ? RecordNote() : RecordNote(ignored: .notInAppSwitcher)
        case .placeWidget:
            guard ios >= .v14 else { return RecordNote(ignored: .notOnThisIOS, rule: .x4) }
            // *Assumed*: an App Clip brings no widget that wants location.
            if isAppClip { return RecordNote(ignored: .choiceNotOffered, rule: .x4) }
            var note = asking(.placedWidget, on: device)
            note.ignored = nil  // It is placed, whether or not it is given positions.
            return note
        case .tapLocationButton:
            guard ios >= .v15 else { return RecordNote(ignored: .notOnThisIOS, rule: .x7) }
            guard isLocationButtonInSight(of: device) else {
                return RecordNote(ignored: .notOnScreen, rule: .x7)
            }
            var note = asking(.tappedLocationButton(isReadable: true), on: device)
            note.ignored = nil
            return note
        case .deleteApp, .reinstall, .backgroundRefresh, .locationServices, .restriction,
            .resetLocationPrivacy, .reboot, .migrateDevice, .upgradeOS, .milestone, .metric:
            return RecordNote()
        }
    }

    /// What the permission rules say. What is so already can be chosen again, and changes nothing
    /// (S10).
    private func asking(_ event: AuthorizationEvent, on device: borrowing Device) -> RecordNote {
        let transition = Authorization.reduce(
            device.phone.authorization, event, in: contexts[Int(device.ios)].value)
        guard case .ignore(let reason) = transition.effect else { return RecordNote() }
        return RecordNote(
            ignored: reason == .nothingToDo ? nil : reason, rule: transition.rule)
    }

    /// X7: the button stands in the app, and what covers the app covers the button.
    private func isLocationButtonInSight(of device: borrowing Device) -> Bool {
        device.phone.process == .foreground && device.phone.authorization.prompt == nil
            && device.ownScreen == .none
    }
}

extension PhoneAct {
    /// As it is recorded, if it is. To install again is to delete first.
    var content: RecordContent? {
        switch self {
        case .settings(let row): .settings(.row(row))
        case .precise(let on): .settings(.precise(on))
        case .locationServices(let on): .settings(.locationServices(on))
        case .restriction(let on): .world(on ? .restrictionOn : .restrictionOff)
        case .resetLocationPrivacy: .world(.resetLocationPrivacy)
        case .reboot: .world(.reboot)
        case .migrateDevice: .world(.migrateDevice)
        case .upgradeOS(let version): .upgraded(version)
        case .forceQuit: .world(.forceQuit)
        case .deleteApp, .reinstall: .world(.deleteApp)
        case .backgroundRefresh(let on):
            .world(on ? .backgroundRefreshOn : .backgroundRefreshOff)
        case .placeWidget: .world(.placeWidget)
        case .tapLocationButton: .world(.tapLocationButton)
        case .milestone(let name): .milestone(name)
        case .metric: nil
        }
    }
}
