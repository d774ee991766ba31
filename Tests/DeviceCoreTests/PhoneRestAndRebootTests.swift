import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

@Suite("A phone at rest, after a reboot, and under a session that outlives its process")
struct PhoneRestAndRebootTests {
    /// One phone and its clock.
    struct Stage {
        var phone = Phone()
        var timers = TimerRow()
        var now = SimTime.start
        let context: AuthorizationContext

        init(_ answer: Choice) throws {
            var capabilities = AppCapabilities()
            capabilities.hasWhenInUseText = true
            capabilities.hasAlwaysText = true
            capabilities.hasLocationBackgroundMode = true
            context = AuthorizationContext(
                ios: try #require(IOSVersion("17.0")), capabilities: capabilities)
            play(.opened)
            play(.requested(.whenInUse))
            play(.answered(answer, isPrecise: true))
        }

        @discardableResult
        mutating func play(_ event: PhoneEvent) -> [PhoneEffect] {
            Array(phone.handle(event, at: now, timers: &timers, in: context))
        }

        mutating func wait(seconds: Int64) {
            let end = now + .seconds(seconds)
            while let (time, slot) = timers.next(before: end) {
                timers[slot] = .never
                now = time
                play(slot == .useEnd ? .useEndFellDue : .suspensionFellDue)
            }
            now = end
        }
    }

    @Test("Updates pause at rest out of the foreground, until the app starts them again (B13)")
    func paused() throws {
        var stage = try Stage(.allowWhileUsing)
        stage.play(.allowedBackgroundUpdates(true))
        stage.play(.started(.updates))
        stage.play(.rested)
        #expect(stage.play(.fixed) == [.delivered(.updates)], "in the foreground they go on")
        stage.play(.left)
        stage.play(.rested)
        #expect(stage.phone.process == .background)
        #expect(stage.play(.fixed) == [])
        stage.play(.opened)
        #expect(stage.play(.fixed) == [])
        stage.play(.started(.updates))
        #expect(stage.play(.fixed) == [.delivered(.updates)])
    }

    @Test("Live updates resume with the next movement (L1)")
    func live() throws {
        var stage = try Stage(.allowWhileUsing)
        stage.play(.started(.liveUpdates))
        stage.play(.rested)
        #expect(stage.play(.fixed) == [])
        stage.play(.moved)
        #expect(stage.play(.fixed) == [.delivered(.liveUpdates)])
    }

    @Test("A session outlives its process if the next one makes it again at once (K3)")
    func remade() throws {
        for isRemade in [true, false] {
            var stage = try Stage(.allowOnce)
            stage.play(.heldBackgroundSession(true))
            stage.play(.left)
            stage.wait(seconds: 3_600)
            stage.play(.processEnded(.terminated))
            stage.wait(seconds: 3_600)
            #expect(stage.phone.authorization.decision == .allowOnce)
            let effects = stage.play(.fixed)
            #expect(effects.contains(.processStarted(bySystem: true)))
            if isRemade { stage.play(.heldBackgroundSession(true)) }
            stage.wait(seconds: 3_600)
            #expect(stage.phone.hasBackgroundSession == isRemade)
            #expect(
                stage.phone.authorization.decision == (isRemade ? .allowOnce : .notDetermined))
        }
    }

    @Test("A reboot keeps what lasts, and nothing comes before the first unlock (Q8, B15)")
    func reboot() throws {
        let visit = LocationEvent.visit(isArrival: true)
        var stage = try Stage(.allowWhileUsing)
        stage.play(.settingsChanged(.always))
        stage.play(.started(.visits))
        stage.play(.reminderFellDue)
        #expect(stage.phone.authorization.prompt != nil)
        stage.play(.rebooted)
        #expect(stage.phone.authorization.prompt == nil, "J6 ends here")
        #expect(stage.phone.authorization.decision == .always)
        #expect(stage.play(.visited(isArrival: true)) == [])
        #expect(stage.play(.reminderFellDue) == [], "J6: not before the unlock")
        stage.play(.unlocked)
        #expect(stage.play(.visited(isArrival: true)) == [], "Q6")
        stage.wait(seconds: 600)
        #expect(stage.play(.visited(isArrival: true)).contains(.happened(visit)))

        stage = try Stage(.allowOnce)
        stage.play(.rebooted)
        #expect(stage.phone.authorization.decision == .notDetermined)
    }
}
