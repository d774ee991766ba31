import AuthorizationCore
import DeviceCore
import SimPrimitives

extension Stage {
    /// Plays a `do` step. A word that no rule here stands for yet is a complaint.
    mutating func perform(_ act: ConformanceCase.Act) -> StepComplaint? {
        let isOn = act.booleans["on"] ?? false
        let span = SimDuration(seconds: act.numbers["seconds"] ?? 0) ?? .zero
        culprit = ["service": .text(act.texts["service"] ?? "updates")]
        if let id = act.texts["id"] { culprit["id"] = .text(id) }
        if act.name == "request_location" { culprit = ["service": .text("request_location")] }
        switch act.name {
        case "launch":
            delegate =
                switch act.texts["delegate"] {
                case "legacy": .legacy
                case "new_only": .newOnly
                default: .both
                }
            restartsServices = act.booleans["restart_services"] ?? true
            open()
        case "foreground": open()
        case "background":
            if phone.process == .foreground {
                apply(.left)
            } else if isWoken {
                endWakeUp()
            }
        case "terminate": apply(.processEnded(.terminated))
        case "force_quit": apply(.processEnded(.forceQuit))
        case "wake":
            apply(.woken)
            isWoken = phone.process == .background
        case "wait":
            let endsWakeUp = isWoken
            pass(span)
            if endsWakeUp { endWakeUp() }
        case "idle": idle()
        case "request_when_in_use": ask(.whenInUse, act)
        case "request_always": ask(.always, act)
        case "create_manager": createManager(act)
        case "release_manager": releaseManager(act.texts["id"] ?? "")
        case "request_state": requestState(of: act.texts["id"] ?? "")
        case "position": move(to: act.texts["id"] ?? "", edgeMeters: act.numbers["edge_m"] ?? 0)
        case "background_app_refresh": apply(.backgroundRefreshSwitched(isOn))
        case "request_temporary_full_accuracy":
            let purpose = act.texts["purpose"] ?? ""
            let hadPrompt = phone.authorization.prompt != nil
            apply(
                .requestedTemporaryFullAccuracy(
                    isPurposeKnown: purposeKeys.contains(purpose)))
            if !hadPrompt { asker = act.texts["manager"] ?? "main" }  // J1
        case "start": return start(act)
        case "stop": return stop(act)
        case "request_location":
            apply(.requestedLocation)
            if phone.isLocationRequested, oneShotDeadline == .never {
                oneShotDeadline = now + timeout
            }
        case "allow_background_updates": apply(.allowedBackgroundUpdates(isOn))
        case "shows_indicator": showsIndicator = isOn
        case "background_session":
            holdsBackgroundSession = isOn
            apply(.heldBackgroundSession(isOn))
        case "service_session": setServiceSession(act, isOn: isOn)
        case "open_monitor": openMonitor()
        case "fix": fix()
        case "drive": drive(span)
        case "event": return detect(act)
        case "tap_location_button":
            tapLocationButton(isReadable: act.booleans["readable"] ?? true)
        case "add_widget": apply(.placedWidget)
        case "remove_app_clip": removeAppClip()
        case "location_services": apply(.locationServicesSwitched(isOn))
        case "pauses_automatically": apply(.pausedAutomatically(isOn))
        case "at_rest": apply(.rested)
        case "reboot":
            isLocked = true
            apply(.rebooted)
        case "unlock":
            isLocked = false
            apply(.unlocked)
        case "location_alert_map": showsMaps = isOn
        case "restrict_location": apply(.restrictionSwitched(isOn))
        case "reset_location_privacy":
            apply(.locationPrivacyReset)
            forgetUse()
        case "reset_app_location":
            apply(.appLocationReset)
            forgetUse()
        case "update_app":
            apply(.processEnded(.terminated))
            let isAppClip = context.capabilities.isAppClip
            context.capabilities = act.plist?.capabilities ?? context.capabilities
            context.capabilities.isAppClip = isAppClip
            purposeKeys = act.plist?.temporaryPurposeKeys ?? purposeKeys
            apply(.appUpdated)
        case "upgrade_os":
            apply(.processEnded(.terminated))
            context.ios = act.texts["to"].flatMap { IOSVersion($0) } ?? context.ios
        case "reinstall": reinstall()
        default: return notYet(act)
        }
        return nil
    }

    private mutating func open() {
        isWoken = false
        apply(.opened)
    }

    /// A process that its services keep running goes on.
    private mutating func endWakeUp() {
        isWoken = false
        guard timers[.suspension] != .never else { return }
        timers[.suspension] = .never
        apply(.suspensionFellDue)
    }

    private func notYet(_ act: ConformanceCase.Act) -> StepComplaint {
        var words = act.name
        for name in ["service", "manager", "thread"] {
            if let word = act.texts[name] { words += " \(name) \(word)" }
        }
        return StepComplaint(expected: words, seen: "not modelled yet: \(words)")
    }

    mutating func answer(_ choice: Choice, isPrecise: Bool?) -> StepComplaint? {
        guard let prompt = phone.authorization.prompt else {
            return StepComplaint(expected: "a prompt to answer", seen: "no prompt on screen")
        }
        guard prompt.kind.offers(choice, on: context.ios) else {
            let choices = prompt.choices(on: context.ios).map(\.rawValue).joined(separator: ", ")
            return StepComplaint(
                expected: "the choice \(choice.rawValue)",
                seen: "\(prompt.kind.rawValue) offers \(choices)")
        }
        apply(.answered(choice, isPrecise: isPrecise ?? true))
        if prompt.kind == .temporaryFullAccuracy { completion = .object(["error": .null]) }
        if prompt.kind == .backgroundReminder { backgroundUse = nil }
        if choice == .settings { apply(.left) }  // P15: the way to Settings leaves the app.
        return nil
    }

    private var timeout: SimDuration {
        SimDuration(seconds: context.rules.oneShotTimeoutSeconds) ?? .seconds(10)
    }

    /// An idle moment: the deferred prompts that are due appear (V4, R2, R4).
    private mutating func idle() {
        if phone.authorization.isConfirmDue {
            apply(.confirmFellDue)
            return
        }
        guard let backgroundUse else { return }
        if context.ios < .v13, remindersShown > 0, !context.rules.legacyReminderRepeats { return }
        let days =
            remindersShown == 0
            ? context.rules.reminderFirstDays : context.rules.reminderIntervalDays
        if (now - backgroundUse).seconds >= days * 86_400 { apply(.reminderFellDue) }
    }

    /// The app goes with all it held, and comes anew: by the person, or by the system (X2).
    mutating func reinstall(_ event: PhoneEvent = .reinstalled) {
        apply(.processEnded(.deleted))
        apply(event)
        (appServices, holdsBackgroundSession) = ([], false)
        (heldSessions, usesMonitor, conditionPlaces, reports) = ([], false, [:], [])
        forgetUse()
    }

    /// G9, G10, G15: the use that a reminder would tell of is cleared with the other flags.
    private mutating func forgetUse() { (backgroundUse, remindersShown) = (nil, 0) }

    // MARK: - Services

    /// What the test app starts again by itself in its next process.
    private static let restarted: ServiceSet = [
        .updates, .significantChange, .visits, .liveUpdates,
    ]

    static let serviceSets: KeyValuePairs<String, ServiceSet> = [
        "updates": .updates, "significant_change": .significantChange, "visits": .visits,
        "live_updates": .liveUpdates, "heading": .heading, "ranging": .ranging,
    ]

    private static func serviceSet(_ name: String?) -> ServiceSet? {
        serviceSets.first { $0.key == name }?.value
    }

    private mutating func start(_ act: ConformanceCase.Act) -> StepComplaint? {
        if act.texts["service"] == "region" {
            for text in Self.names(act) {
                let id = region(text)
                culprit["id"] = .text(text)
                apply(
                    .startedMonitoring(
                        MonitoredRegion(
                            id, radiusMeters: act.numbers["radius_m"] ?? 200,
                            notifiesOnEntry: act.booleans["notify_on_entry"] ?? true,
                            notifiesOnExit: act.booleans["notify_on_exit"] ?? true)))
                watch(text)
            }
            return nil
        }
        if act.texts["service"] == "monitor" {
            startMonitor(act)
            return nil
        }
        guard let set = Self.serviceSet(act.texts["service"]) else { return notYet(act) }
        if set == .ranging { ranged.append(act.texts["id"] ?? "") }
        if set == .updates { wantsReduced = act.texts["desired_accuracy"] == "reduced" }
        if set == .updates || set == .liveUpdates { reducedPositionAt = nil }
        if set == .significantChange { significantChangeAt = nil }
        if Self.restarted.contains(set) { appServices.formUnion(set) }
        startedHere.formUnion(set)
        apply(.started(set))
        if set == .significantChange, hasCachedPosition { moveSignificantly() }  // SV2
        return nil
    }

    private mutating func stop(_ act: ConformanceCase.Act) -> StepComplaint? {
        if act.texts["service"] == "region" {
            for name in Self.names(act) { apply(.stoppedMonitoring(region(name))) }
            return nil
        }
        if act.texts["service"] == "monitor" {
            stopMonitor(act)
            return nil
        }
        guard let set = Self.serviceSet(act.texts["service"]) else { return notYet(act) }
        if set == .ranging { ranged.removeAll { $0 == act.texts["id"] } }
        guard set != .ranging || ranged.isEmpty else { return nil }
        appServices.subtract(set)
        startedHere.subtract(set)
        apply(.stopped(set))
        return nil
    }

    private mutating func detect(_ act: ConformanceCase.Act) -> StepComplaint? {
        switch act.texts["service"] {
        case "significant_change": moveSignificantly()
        case "visits":
            report(.visited(isArrival: act.texts["kind"] != "departure"), after: visitDelay)
        case "region":
            let isEntry = act.texts["kind"] == "enter"
            place(act.texts["id"] ?? "", isInside: isEntry)
            report(
                .crossed(region(act.texts["id"] ?? ""), isEntry: isEntry), after: regionLatency)
        case "monitor":
            detectCondition(act)
        case "heading": apply(.headingChanged)
        case "ranging":
            guard let id = act.texts["id"], ranged.contains(id) else { break }
            culprit["id"] = .text(id)
            apply(.beaconsRanged)
        default: return notYet(act)
        }
        return nil
    }

    // MARK: - Positions

    mutating func fix() {
        hasCachedPosition = true
        let wasRunning = phone.process != .notRunning
        apply(.fixed)
        // K3: the position that has started the app reaches what the app has started.
        if !wasRunning, phone.process != .notRunning { apply(.fixed) }
        if phone.isLocationRequested {
            oneShotDeadline = .never
            apply(.oneShotAnswered)
        }
    }
}
