import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

/// The settings of section 15 that say how long something takes.
@Suite("How long the phone takes")
struct DelaySettingTests {
    /// A phone and the settings it lives under.
    struct Stage {
        var phone = Phone()
        var timers = TimerRow()
        var now = SimTime.start
        let context: AuthorizationContext

        init(_ ios: String = "17.0", _ set: (inout SystemRules) -> Void = { _ in }) throws {
            var rules = SystemRules()
            set(&rules)
            var capabilities = AppCapabilities()
            capabilities.hasWhenInUseText = true
            capabilities.hasAlwaysText = true
            context = AuthorizationContext(
                ios: try #require(IOSVersion(ios)), capabilities: capabilities, rules: rules)
        }

        @discardableResult
        mutating func play(_ events: PhoneEvent...) -> [PhoneEffect] {
            var last: [PhoneEffect] = []
            for event in events {
                last = Array(phone.handle(event, at: now, timers: &timers, in: context))
            }
            return last
        }
    }

    private func unknownStart(_ seconds: Double = 10) throws -> Stage {
        var stage = try Stage("10.0") {
            ($0.undeterminedStart, $0.undeterminedStartErrorSeconds) = (.locationUnknown, seconds)
        }
        stage.play(.opened, .started(.updates))
        return stage
    }

    @Test("A start while Not Determined ends in locationUnknown after that time, once (D11)")
    func unknown() throws {
        for seconds in [0.0, 10, 60] {
            var stage = try unknownStart(seconds)
            #expect(stage.phone.startErrorAt == .start + .seconds(Int64(seconds)))
            if seconds > 0 { #expect(stage.play(.startTimedOut) == [], "before its time") }
            stage.now = stage.phone.startErrorAt
            #expect(stage.play(.startTimedOut) == [.failed(.locationUnknown, .b10)])
            #expect(stage.phone.startErrorAt == .never)
            #expect(stage.play(.startTimedOut) == [])
            stage.play(.requested(.whenInUse), .answered(.allow, isPrecise: true))
            #expect(stage.play(.fixed) == [.delivered(.updates)], "a grant serves it all the same")
        }
        var silent = try Stage("10.0")
        silent.play(.opened, .started(.updates))
        #expect(silent.phone.startErrorAt == .never)
    }

    @Test("A decision, a stop and the end of the process take that error away (D11)")
    func noError() throws {
        let ends: [[PhoneEvent]] = [
            [.requested(.whenInUse), .answered(.dontAllow, isPrecise: true)],
            [.requested(.whenInUse), .answered(.allow, isPrecise: true)],
            [.locationServicesSwitched(false)], [.stopped(.updates)],
            [.processEnded(.terminated), .opened],
        ]
        for events in ends {
            var stage = try unknownStart()
            for event in events { stage.play(event) }
            #expect(stage.phone.startErrorAt == .never, "\(events)")
        }
    }

    @Test("A suspended app hears of that error when it executes again (D11)")
    func suspended() throws {
        var stage = try unknownStart()
        stage.play(.left)
        stage.now = .start + .seconds(5)
        stage.play(.suspensionFellDue)
        #expect(stage.phone.startErrorAt == .never)
        stage.now = .start + .seconds(100)
        stage.play(.opened)
        #expect(stage.phone.startErrorAt == .start + .seconds(10))
    }

    @Test("What was registered before a restart is monitored again after a while (Q6)")
    func reboot() throws {
        for (seconds, other) in [(600.0, 600.0), (3_600, 3_600), (0, 0)] {
            var stage = try Stage { $0.rebootMonitoringDelaySeconds = seconds }
            stage.play(.opened, .requested(.always), .answered(.allowWhileUsing, isPrecise: true))
            stage.play(.settingsChanged(.always))
            stage.play(
                .startedMonitoring(MonitoredRegion(RegionID(0), radiusMeters: 200)),
                .addedCondition(RegionID(1)), .started([.visits, .significantChange]), .rebooted,
                .unlocked)
            let events: [PhoneEvent] = [
                .crossed(RegionID(0), isEntry: true), .visited(isArrival: true),
                .movedSignificantly, .conditionChanged(RegionID(1), isSatisfied: true),
            ]
            if other > 0 {
                stage.now = .start + .milliseconds(Int64(other) * 1_000 - 1)
                for event in events { #expect(stage.play(event) == [], "\(event)") }
            }
            stage.now = .start + .seconds(Int64(other))
            for event in events { #expect(stage.play(event) != [], "\(event)") }
        }
    }

    @Test("A phone that had nothing registered waits for nothing after a restart (Q6)")
    func nothingRegistered() throws {
        var stage = try Stage()
        stage.play(.opened, .requested(.always), .answered(.allowWhileUsing, isPrecise: true))
        stage.play(.settingsChanged(.always), .rebooted, .unlocked, .opened, .started(.visits))
        let visit = LocationEvent.visit(isArrival: true)
        #expect(stage.play(.visited(isArrival: true)) == [.happened(visit)])
    }

    @Test("A new device drops what a restart drops, and keeps or forgets the rest (G14)")
    func migration() throws {
        for keeps in [true, false] {
            var stage = try Stage { $0.migrationKeepsDecisions = keeps }
            stage.play(.opened, .requested(.always), .answered(.allowWhileUsing, isPrecise: true))
            stage.play(.settingsChanged(.always), .started(.visits), .reminderFellDue)
            let effects = stage.play(.migrated)
            #expect(effects.contains(.promptClosed(.backgroundReminder, .g14)))
            #expect(effects.contains(.processEnded(.terminated)))
            #expect(effects.contains(.status(.g14)) == !keeps)
            #expect(stage.phone.authorization.trueStatus == (keeps ? .always : .notDetermined))
            #expect(stage.phone.services == (keeps ? .visits : []))
            #expect(stage.phone.process == .notRunning)

            stage = try Stage { $0.migrationKeepsDecisions = keeps }
            stage.play(.opened, .requested(.whenInUse), .answered(.allowOnce, isPrecise: true))
            stage.play(.locationServicesSwitched(false), .migrated)
            #expect(stage.phone.authorization.trueStatus == .notDetermined, "Q8")
            #expect(!stage.phone.authorization.isLocationServicesOn)
        }
    }

    @Test("Latencies and delays lie between their least and most (RG7, SV5)")
    func spans() throws {
        let stage = try Stage()
        let standard = [0, 0.5, 1].map { stage.context.regionLatency($0) }
        #expect(standard == [.seconds(180), .seconds(240), .seconds(300)])
        let visits = [0, 0.5, 1].map { stage.context.visitDelay($0) }
        #expect(visits == [.seconds(120), .seconds(360), .seconds(600)])
        let other = try Stage {
            ($0.regionLatencyMinSeconds, $0.regionLatencyMaxSeconds) = (10, 30)
            ($0.visitDelayMinSeconds, $0.visitDelayMaxSeconds) = (40, 40)
        }
        #expect(other.context.regionLatency(0.25) == .seconds(15))
        #expect(other.context.visitDelay(0.25) == .seconds(40))
    }
}
