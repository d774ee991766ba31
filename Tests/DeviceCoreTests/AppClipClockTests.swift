import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

@Suite("An App Clip on its phone")
struct AppClipClockTests {
    /// A phone with a clip in a zone, and the clock beside it.
    private struct Stage {
        var phone = Phone()
        var timers = TimerRow()
        var clock = AppClipClock()
        var now: SimTime
        let zone: Zone
        let context: AuthorizationContext

        init(_ zone: Zone, startHours: Int64, removalDays: Double = 30) {
            var capabilities = AppCapabilities()
            capabilities.hasWhenInUseText = true
            capabilities.isAppClip = true
            var rules = SystemRules()
            rules.appClipRemovalDays = removalDays
            context = AuthorizationContext(ios: .v17, capabilities: capabilities, rules: rules)
            now = .start + .hours(startHours)
            self.zone = zone
        }

        mutating func play(_ event: PhoneEvent) {
            _ = phone.handle(event, at: now, timers: &timers, in: context)
            clock.note(phone, at: now, zone: zone, in: context)
        }

        mutating func grant() {
            play(.opened)
            play(.requested(.whenInUse))
            play(.answered(.allowWhileUsing, isPrecise: true))
        }
    }

    private static func zone(_ offsets: [(hours: Int64, secondsFromUTC: Int32)]) -> Zone {
        Zone(
            name: "a zone", startUnixSeconds: Zone.utc.startUnixSeconds,
            offsets: offsets.map {
                Zone.Offset(from: .start + .hours($0.hours), secondsFromUTC: $0.secondsFromUTC)
            })
    }

    // Columns: changes of the clock, the hour of the grant and the hour of its end, from the start.
    // swift-format-ignore
    private static let nights: [(changes: [(hours: Int64, secondsFromUTC: Int32)], granted: Int64, ends: Int64)] = [
        ([(0, 0)], 12, 28),
        ([(0, 0)], 2, 28),
        ([(0, 0)], 23, 28),
        ([(0, 3_600)], 12, 27),
        ([(0, 0), (25, 3_600)], 12, 27),  // The clock goes forward at one in the morning.
        ([(0, 3_600), (25, 0)], 12, 28),  // And back.
    ]

    @Test("loses a lasting grant at four in the morning of the next local day (X1, app-clip-01)")
    func fourInTheMorning() {
        for (changes, granted, ends) in Self.nights {
            var stage = Stage(Self.zone(changes), startHours: granted)
            #expect(stage.clock.earliest == .never)
            stage.grant()
            #expect(stage.clock.earliest == .start + .hours(ends), "\(changes), \(granted)")
            #expect(stage.clock.take() == .appClipGrantEnded)
            stage.play(.appClipGrantEnded)
            #expect(stage.phone.authorization.decision == .notDetermined)
            #expect(stage.clock.take() == nil)
        }
    }

    @Test("counts each grant anew, and forgets a grant that went before")
    func anew() {
        var stage = Stage(.utc, startHours: 12)
        stage.grant()
        stage.play(.settingsChanged(.never))
        #expect(stage.clock.earliest == .never)
        stage.now = .start + .hours(25)
        stage.play(.settingsChanged(.whileUsing))
        #expect(stage.clock.earliest == .start + .hours(52))
    }

    @Test("is removed after so many days out of the foreground, with all it held (X2, app-clip-03)")
    func removal() {
        var stage = Stage(.utc, startHours: 12, removalDays: 2)
        stage.play(.opened)
        stage.play(.tappedLocationButton(isReadable: true))
        stage.play(.answered(.allow, isPrecise: true))
        stage.play(.started(.visits))
        #expect(stage.clock.earliest == .never)
        stage.play(.left)
        #expect(stage.clock.earliest == .start + .hours(60))
        stage.now = .start + .hours(30)
        stage.play(.opened)
        #expect(stage.clock.earliest == .never)
        stage.play(.processEnded(.forceQuit))
        #expect(stage.clock.earliest == .start + .hours(78))
        stage.now = stage.clock.earliest
        #expect(stage.clock.take() == .appClipRemoved)
        stage.play(.appClipRemoved)
        #expect(stage.phone.authorization == Authorization())
        #expect(stage.phone.services == [])
        #expect(stage.clock.earliest == .never)
    }
}

@Suite("The location button on a phone")
struct LocationButtonTests {
    private func heard(_ events: [PhoneEvent]) -> [PhoneEffect] {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        let context = AuthorizationContext(ios: .v17, capabilities: capabilities)
        var phone = Phone()
        var timers = TimerRow()
        var effects: [PhoneEffect] = []
        for event in events {
            effects = Array(phone.handle(event, at: .start, timers: &timers, in: context))
        }
        return effects
    }

    private let tap = PhoneEvent.tappedLocationButton(isReadable: true)
    private let allow = PhoneEvent.answered(.allow, isPrecise: true)

    @Test("asks once, then grants with the tap, and the app hears of both (X7)")
    func taps() {
        let granted: [PhoneEffect] = [.status(.x7), .callback(isInitial: false)]
        #expect(heard([.opened, tap]) == [.promptShown(Prompt(.locationButton), .x7)])
        #expect(heard([.opened, tap, allow]) == granted)
        let lapsed = [PhoneEvent.opened, tap, allow, .processEnded(.terminated), .rebooted]
        #expect(heard(lapsed + [.unlocked, .opened, tap]) == granted)
    }

    @Test("cannot be tapped where it is not on screen")
    func away() {
        for events in [[tap], [.opened, .left, tap], [.woken, tap]] {
            #expect(heard(events) == [])
        }
    }

    @Test("a widget is placed and asked about whatever the app does; no callback follows (P14, J6)")
    func widget() {
        let granted = [
            PhoneEvent.opened, .requested(.whenInUse), .answered(.allowWhileUsing, isPrecise: true),
        ]
        for away in [[], [PhoneEvent.left], [.processEnded(.forceQuit)]] {
            let placed = granted + away + [.placedWidget]
            #expect(heard(placed) == [.promptShown(Prompt(.widget), .x4)])
            #expect(heard(placed + [allow]) == [])
        }
        #expect(heard(granted + [.placedWidget, .left]) == [])
    }
}
