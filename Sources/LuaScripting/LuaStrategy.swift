import AuthorizationCore
import CLuaShim
import DeviceCore
import SimPrimitives
import Simulation

/// An app whose strategy is written in Lua. See DESIGN, section 4, and the contract.
///
/// A hook that fails has called nothing: what it had begun to call is dropped.
final class LuaStrategy: Strategy {
    let hooks: HookSet
    private let script: LuaScript
    private let frame: UnsafeMutablePointer<clua_frame>

    init(_ state: LuaState, _ script: LoadedScript, number: UInt16, options: UInt32) {
        self.script = LuaScript(state, script, number: number, options: options)
        hooks = self.script.hooks
        frame = state.frame
    }

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {
        frame.pointee.time_microseconds = app.time.microseconds
        frame.pointee.device = app.device.number
        frame.pointee.index = app.indexInBlock
        frame.pointee.options = script.options
        frame.pointee.ios_major = app.ios.major
        frame.pointee.ios_minor = app.ios.minor
        frame.pointee.status = UInt8(app.status.place)
        frame.pointee.accuracy = app.accuracy == .fullAccuracy ? 0 : 1
        frame.pointee.was_launched_by_system = app.wasLaunchedBySystem
        frame.pointee.is_first_launch = app.isFirstLaunch
        frame.pointee.sessions = app.sessions
        frame.pointee.timer_count = Int32(clamping: app.timerCount)
        put(app.objects, app)
        put(event)
        try script.call(event.hook, &random)
        let count = Int(frame.pointee.act_count)
        if count > 0 { append(count, to: &calls) }
    }

    func forget(indexInBlock: UInt32) { clua_forget(script.state.pointer, indexInBlock) }

    func processEnded(indexInBlock: UInt32) {
        clua_end_process(script.state.pointer, indexInBlock)
    }

    /// What the hook is about.
    private func put(_ event: AppEvent) {
        switch event {
        case .launched, .enteredForeground, .enteredBackground, .didChangeAuthorization: break
        case .tapped(let feature): frame.pointee.word = UInt16(feature)
        case .primerAnswered(let id, let answer):
            frame.pointee.word = id.index
            frame.pointee.answer = answer == .continue ? 0 : 1
        case .settingsAlertAnswered(let answer):
            frame.pointee.answer = answer == .openSettings ? 0 : 1
        case .didUpdateLocations(let meters): frame.pointee.accuracy_meters = meters
        case .didFailWithError(let error):
            frame.pointee.word = place(of: error)
        case .monitoringDidFail(let region, let error):
            frame.pointee.word = region.index
            frame.pointee.answer = place(of: error)
        case .timer(let number, let isLast):
            frame.pointee.timer = Int64(number)
            frame.pointee.is_last_time = isLast
        case .didStartMonitoringFor(let region), .didEnterRegion(let region),
            .didExitRegion(let region):
            frame.pointee.word = region.index
        case .didDetermineState(let state, let region):
            frame.pointee.word = region.index
            frame.pointee.answer = UInt16(RegionState.allCases.firstIndex(of: state) ?? 0)
        case .didVisit(let isArrival): frame.pointee.is_arrival = isArrival
        case .didUpdateHeading, .didPauseLocationUpdates, .didResumeLocationUpdates,
            .didReceiveServiceSessionDiagnostic:
            break
        case .didCompleteTemporaryFullAccuracyAuthorization(let error):
            frame.pointee.answer = error.map { place(of: $0) } ?? LuaObjects.noWord
        case .didReceiveMonitorEvent(let condition, let state, let flags):
            frame.pointee.word = condition.index
            frame.pointee.answer = UInt16(ConditionState.allCases.firstIndex(of: state) ?? 0)
            frame.pointee.diagnostics = flags.rawValue
        case .didReceiveLiveUpdate(let meters, let flags):
            frame.pointee.has_position = meters != nil
            frame.pointee.accuracy_meters = meters ?? 0
            frame.pointee.diagnostics = flags.rawValue
        }
    }

    /// The managers of the process, and what else it holds.
    private func put(_ objects: LocationObjectsView?, _ app: borrowing AppView) {
        frame.pointee.manager = app.manager
        guard let objects else {
            frame.pointee.held = 0
            frame.pointee.monitor = LuaObjects.noWord
            frame.pointee.session_diagnostics = 0
            if frame.pointee.managers_filled > 1 { return put([], app) }
            return putOwnManager(app)
        }
        frame.pointee.held = objects.held.rawValue
        frame.pointee.monitor = objects.monitor?.index ?? LuaObjects.noWord
        frame.pointee.session_diagnostics = objects.sessionDiagnostics.rawValue
        put(objects.managers, app)
    }

    private func putOwnManager(_ app: borrowing AppView) {
        var own = LuaObjects.ownManager
        own.allows_background = app.allowsBackgroundUpdates
        frame.pointee.managers.0 = own
        frame.pointee.managers_filled = 1
    }

    private func put(_ managers: [LocationManager], _ app: borrowing AppView) {
        if managers.isEmpty, frame.pointee.managers_filled <= 1 { return putOwnManager(app) }
        let count = max(1, managers.count)
        let left = Int(frame.pointee.managers_filled)  // By the call before, of another device.
        frame.pointee.managers_filled = UInt8(count)
        for slot in 0..<max(count, left) {
            var manager = clua_manager()
            if slot < managers.count, slot == 0 || managers[slot].name != nil {
                manager = clua_manager(managers[slot])
            } else if slot == 0 {
                manager = LuaObjects.ownManager
                manager.allows_background = app.allowsBackgroundUpdates
            }
            LuaObjects.put(manager, at: slot, in: frame)
        }
    }

    private func place(of error: LocationError) -> UInt16 {
        UInt16(LocationError.allCases.firstIndex(of: error) ?? 0)
    }

    private func append(_ count: Int, to calls: inout [AppCall]) {
        withUnsafeBytes(of: &frame.pointee.acts) { bytes in
            for act in bytes.bindMemory(to: clua_act.self).prefix(count) {
                let call = AppCall(act)
                if call.isOfManager, act.manager != 0 { calls.append(.by(manager: act.manager)) }
                calls.append(call)
            }
        }
    }
}

extension AppTimer {
    fileprivate init(_ act: clua_act) {
        self.init(
            number: UInt64(act.number), wait: SimDuration(microseconds: act.microseconds),
            period: act.period == 0 ? nil : SimDuration(microseconds: act.period))
    }
}

extension ScriptMetric {
    init(_ act: clua_act) {
        let isCount = clua_act_kind(UInt32(act.kind)) == CLUA_COUNT
        self =
            isCount
            ? .count(NameID(act.word), UInt64(act.number)) : .observe(NameID(act.word), act.value)
    }
}

extension AppCall {
    /// Whether the slot in the act says who calls. Else it says what is made or let go of.
    fileprivate var isOfManager: Bool {
        switch self {
        case .createManager, .releaseManager: false
        default: true
        }
    }

    fileprivate init(_ act: clua_act) {
        let name = NameID(act.word)
        switch clua_act_kind(UInt32(act.kind)) {
        case CLUA_REQUEST_WHEN_IN_USE:
            self = act.is_on ? .requestOffMain(.whenInUse) : .requestWhenInUseAuthorization
        case CLUA_REQUEST_ALWAYS:
            self = act.is_on ? .requestOffMain(.always) : .requestAlwaysAuthorization
        case CLUA_REQUEST_FULL_ACCURACY:
            self = .requestTemporaryFullAccuracyAuthorization(purpose: name)
        case CLUA_REQUEST_LOCATION: self = .requestLocation
        case CLUA_START: self = .start(ServiceSet(rawValue: act.word))
        case CLUA_STOP: self = .stop(ServiceSet(rawValue: act.word))
        case CLUA_START_MONITORING:
            self = .startMonitoring(CircularRegion(act))
        case CLUA_STOP_MONITORING: self = .stopMonitoring(name)
        case CLUA_ALLOW_BACKGROUND: self = .setAllowsBackgroundLocationUpdates(act.is_on)
        case CLUA_SHOW_PRIMER: self = .showPrimer(id: name)
        case CLUA_SHOW_SETTINGS_ALERT: self = .showSettingsAlert
        case CLUA_FEATURE_DONE: self = .featureDone(name, outcome: NameID(act.other))
        case CLUA_MILESTONE: self = .milestone(name)
        case CLUA_REQUEST_STATE: self = .requestState(name)
        case CLUA_PAUSE_AUTOMATICALLY: self = .setPausesLocationUpdatesAutomatically(act.is_on)
        case CLUA_SHOW_INDICATOR: self = .setShowsBackgroundLocationIndicator(act.is_on)
        case CLUA_DESIRE_ACCURACY:
            self = .setDesiredAccuracy(DesiredAccuracy.allCases[Int(act.word)])
        case CLUA_CREATE_MANAGER: self = .createManager(slot: act.manager, name)
        case CLUA_RELEASE_MANAGER: self = .releaseManager(slot: act.manager)
        case CLUA_HOLD_SERVICE_SESSION:
            let key = act.other == LuaObjects.noWord ? nil : NameID(act.other)
            self = .holdServiceSession(LuaObjects.accesses[Int(act.word)], purpose: key)
        case CLUA_END_SERVICE_SESSION:
            self = .endServiceSession(LuaObjects.accesses[Int(act.word)])
        case CLUA_HOLD_BACKGROUND_SESSION: self = .holdBackgroundActivitySession(act.is_on)
        case CLUA_OPEN_MONITOR: self = .openMonitor(name)
        case CLUA_ADD_CONDITION: self = .addCondition(CircularRegion(act))
        case CLUA_REMOVE_CONDITION: self = .removeCondition(name)
        case CLUA_SET_TIMER: self = .setTimer(AppTimer(act))
        case CLUA_CANCEL_TIMER: self = .cancelTimer(UInt64(act.number))
        case CLUA_COUNT, CLUA_OBSERVE: self = .metric(ScriptMetric(act))
        default: preconditionFailure("a strategy's hook calls what an app can call")
        }
    }
}
