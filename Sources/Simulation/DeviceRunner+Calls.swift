import AuthorizationCore
import DeviceCore
import SimPrimitives

extension DeviceRunner {
    /// Calls a hook of the app's, if it has that one. What it asks for waits until the event's
    /// effects are done.
    @inline(__always)
    mutating func tell(
        _ event: AppEvent, to device: inout Device, at time: SimTime, manager: UInt8 = 0
    ) throws(RunFailure) {
        // A timer brings its function along.
        guard strategyHooks.contains(event.hook) || event.hook == .timer else { return }
        try call(event, of: &device, at: time, manager)
    }

    @inline(never)
    private mutating func call(
        _ event: AppEvent, of device: inout Device, at time: SimTime, _ manager: UInt8
    ) throws(RunFailure) {
        // The same event may have ended the process: nobody is there to be told.
        guard device.phone.process != .notRunning else { return }
        guard hooksAtEvent < Self.hooksPerEventMax else {
            if hooksAtEvent == Self.hooksPerEventMax {
                hooksAtEvent += 1
                calls.removeAll(keepingCapacity: true)
                callsDone = 0
                let place = ScriptFailurePlace(
                    script: UInt16(casts.strategies[strategyInHand].script), hook: event.hook,
                    code: .budgetExhausted, line: 0)
                let message =
                    "the app answers its own callbacks without end: "
                    + "\(Self.hooksPerEventMax) hooks at one instant"
                try note(ScriptFailure(place: place, message: message), of: &device, at: time)
            }
            return
        }
        hooksAtEvent += 1
        let ios = contexts[Int(device.ios)].ios
        let objects = holdsNothing(device) ? nil : objectsView(of: device, at: time)
        var random = stream(.app, device.occasions.app, device)
        device.occasions.app &+= 1
        let first = calls.count
        do throws(HookError) {
            try strategy.handle(
                event,
                AppView(
                    device: device.id, indexInBlock: UInt32(indexInBlock), ios: ios,
                    status: device.phone.authorization.visibleStatus,
                    accuracy: accuracyRead(by: device),
                    allowsBackgroundUpdates: device.phone.allowsBackgroundUpdates,
                    wasLaunchedBySystem: device.phone.wasLaunchedBySystem,
                    sessions: device.sessions,
                    isFirstLaunch: device.installation != .launchedOften, time: time,
                    timerCount: timers.count(of: indexInBlock), manager: manager,
                    objects: objects),
                random: &random, calls: &calls)
            if calls.count > first { noteAtOnce(from: first, of: device, at: time) }
        } catch { try note(error, of: &device, at: time) }
    }

    /// `accuracyAuthorization`. The context is asked where Precise is off alone: it is large.
    @inline(__always)
    private func accuracyRead(by device: borrowing Device) -> Accuracy {
        device.phone.authorization.isPreciseOn
            ? .fullAccuracy
            : device.phone.authorization.accuracy(in: contexts[Int(device.ios)].value)
    }

    /// Carries out what the scripts asked for at this instant, and what follows from that.
    @inline(__always)
    mutating func carryOut(of device: inout Device, at time: SimTime) throws(RunFailure) {
        if calls.isEmpty && acts.isEmpty { return }
        try carryOutAll(of: &device, at: time)
    }

    private mutating func carryOutAll(of device: inout Device, at time: SimTime) throws(RunFailure)
    {
        while true {
            if callsDone < calls.count {
                let call = calls[callsDone]
                callsDone += 1
                if case .by(let manager) = call {
                    try carryOutNext(by: manager, of: &device, at: time)
                } else {
                    try carryOut(call, of: &device, at: time)
                }
            } else if !acts.isEmpty {
                let act = acts.removeFirst()
                try carryOut(act, of: &device, at: time)
            } else {
                break
            }
        }
        calls.removeAll(keepingCapacity: true)
        callsDone = 0
    }

    private mutating func carryOutNext(
        by manager: UInt8, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let call = calls[callsDone]
        callsDone += 1
        let isAlive = locationObjects[indexInBlock]?.isAlive(Int(manager)) ?? false
        guard isAlive else { return }
        callingManager = manager
        defer { callingManager = 0 }
        try carryOut(call, of: &device, at: time)
    }

    private mutating func carryOut(
        _ call: AppCall, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        // A process that has ended calls nothing.
        guard device.phone.process != .notRunning else { return }
        switch call {
        case .requestWhenInUseAuthorization:
            try apply(.requested(.whenInUse), to: &device, at: time)
        case .requestAlwaysAuthorization: try apply(.requested(.always), to: &device, at: time)
        case .requestOffMain(let access):
            try apply(.requestedOffMain(access), to: &device, at: time)
        case .requestTemporaryFullAccuracyAuthorization(let purpose):
            let isKnown = temporaryPurposeKeys(of: device).contains(names[purpose])
            locationObjects[indexInBlock]?.accuracyAsker = callingManager
            try apply(
                .requestedTemporaryFullAccuracy(isPurposeKnown: isKnown), to: &device, at: time)
        case .requestLocation: try requestLocation(of: &device, at: time)
        case .start(let service): try start(service, of: &device, at: time)
        case .stop(let service):
            try stop(service, of: &device, at: time, manager: callingManager)
        case .startMonitoring(let region):
            let monitored = MonitoredRegion(
                RegionID(region.id.index), radiusMeters: region.radiusMeters)
            try apply(.startedMonitoring(monitored), to: &device, at: time)
            guard device.phone.regions.contains(monitored) else { return }
            try tell(
                .didStartMonitoringFor(region: region.id), to: &device, at: time,
                manager: callingManager)
        case .stopMonitoring(let id):
            try apply(.stoppedMonitoring(RegionID(id.index)), to: &device, at: time)
        case .requestState(let region):
            // RG5: where a device lies to a region is known once devices move.
            try tell(
                .didDetermineState(.unknown, region: region), to: &device, at: time,
                manager: callingManager)
        case .setAllowsBackgroundLocationUpdates, .setPausesLocationUpdatesAutomatically,
            .setShowsBackgroundLocationIndicator, .setDesiredAccuracy:
            try set(call, of: &device, at: time)
        case .by: break  // `carryOutNext` has done it.
        case .createManager(let slot, _): try createManager(slot: slot, of: &device, at: time)
        case .releaseManager(let slot): try releaseManager(slot: slot, of: &device, at: time)
        case .holdServiceSession, .endServiceSession, .holdBackgroundActivitySession,
            .openMonitor, .addCondition, .removeCondition:
            try hold(call, of: &device, at: time)
        case .showPrimer(let id): show(.primer(id: id), on: &device, at: time)
        case .showSettingsAlert: show(.settingsAlert, on: &device, at: time)
        case .featureDone(let feature, let outcome):
            emit(.feature(feature, outcome: outcome), &device, at: time)
            tallies[Int(device.group)].count(feature: feature, outcome: outcome)
            guard names[outcome] == "success" else { return }
            for funnel in funnels.indices {
                advance(
                    funnel, funnels[funnel].feature(feature), group: device.group, at: time)
            }
        case .milestone(let name):
            emit(.milestone(name), &device, at: time)
            reached(name, device, at: time)
        case .setTimer, .cancelTimer: break  // `noteAtOnce` has done it.
        case .metric(let metric): add(metric, of: device)
        }
    }

    /// Does what the next hook must find done, before the calls of the event are carried out:
    /// managers are there from the call on, and so are timers. Of these the script keeps the
    /// functions, so none may be lost where calls are dropped.
    private mutating func noteAtOnce(
        from first: Int, of device: borrowing Device, at time: SimTime
    ) {
        for index in first..<calls.count {
            switch calls[index] {
            case .createManager(let slot, let name): noteManager(slot: slot, name, of: device)
            case .setTimer(let timer): set(timer, at: time)
            case .cancelTimer(let number): timers.cancel(number, of: indexInBlock)
            default: break
            }
        }
    }

    /// Counts a milestone that is recorded.
    mutating func reached(_ milestone: NameID, _ device: borrowing Device, at time: SimTime) {
        tallies[Int(device.group)].count(milestone: milestone)
        for funnel in funnels.indices {
            advance(
                funnel, funnels[funnel].milestone(milestone), group: device.group, at: time)
        }
    }

    /// An own screen covers the app in the foreground. A second one replaces the first.
    private func show(_ screen: Device.OwnScreen, on device: inout Device, at time: SimTime) {
        guard device.phone.process == .foreground else { return }
        device.ownScreen = screen
        device.timers[.ownScreenAnswer] = time + max(scenario.delays.answer, Self.reactionMin)
    }

    private mutating func requestLocation(
        of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let wasPending = device.phone.isLocationRequested
        try apply(.requestedLocation, to: &device, at: time)
        noteLocationRequest(of: device)
        guard device.phone.isLocationRequested, !wasPending else { return }
        var random = stream(.noise, device.occasions.noise, device)
        device.occasions.noise &+= 1
        device.willPositionFail = random.uniform() < scenario.delays.positionFailureShare
        let timeout = SimDuration(seconds: scenario.rules.oneShotTimeoutSeconds) ?? .seconds(10)
        device.timers[.oneShot] =
            time
            + max(
                device.willPositionFail ? timeout : min(scenario.delays.position, timeout),
                Self.reactionMin)
    }
}
