import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

@Suite("A coming or going from which nothing follows")
struct PhoneQuietTests {
    /// How often the short way was there, and how often it was not.
    private struct Tries {
        var taken = 0
        var refused = 0
    }

    /// The quiet form of `event` on copies of `walker`'s phone and timers, against `handle`.
    private static func hold(
        _ event: PhoneEvent, of phone: Phone, _ timers: TimerRow, at time: SimTime,
        _ context: AuthorizationContext, _ tries: inout Tries
    ) -> [String] {
        var (quiet, quietTimers) = (phone, timers)
        var (loud, loudTimers) = (phone, timers)
        let isTaken =
            switch event {
            case .opened: quiet.openQuietly(&quietTimers)
            case .left:
                quiet.leaveQuietly(
                    at: time, &quietTimers, on: context.ios, grace: context.grace,
                    suspensionDelay: context.suspensionDelay)
            default: quiet.suspendQuietly(on: context.ios)
            }
        if isTaken { tries.taken += 1 } else { tries.refused += 1 }
        var expected = "\(phone) \(instants(timers))"
        var effects: [PhoneEffect] = []
        if isTaken {
            effects = Array(loud.handle(event, at: time, timers: &loudTimers, in: context))
            expected = "\(loud) \(instants(loudTimers))"
            if event == .suspensionFellDue { effects.removeAll { $0 == .processSuspended } }
        }
        let got = "\(quiet) \(instants(quietTimers))"
        var broken: [String] = []
        if got != expected { broken.append("\(event): \(got)\nis not \(expected)") }
        if !effects.isEmpty { broken.append("\(event) has the effects \(effects)") }
        return broken
    }

    private static func instants(_ timers: TimerRow) -> [SimTime] {
        TimerRow.Slot.allCases.map { timers[$0] }
    }

    private static let usual: [PhoneEvent] = [
        .opened, .left, .opened, .left, .opened, .left, .woken, .fixed,
        .requested(.whenInUse), .answered(.allowWhileUsing, isPrecise: true),
        .answered(.allowOnce, isPrecise: true), .answered(.allow, isPrecise: true),
        .settingsChanged(.whileUsing), .settingsChanged(.always), .settingsChanged(.never),
        .preciseSwitched(true), .preciseSwitched(false), .locationServicesSwitched(true),
        .locationServicesSwitched(false), .requestedLocation, .oneShotFailed,
        .started(.updates), .started(.updates), .stopped(.updates),
        .allowedBackgroundUpdates(true), .allowedBackgroundUpdates(false),
        .processEnded(.terminated), .requestedLocation, .oneShotFailed,
    ]

    @Test(
        "is what `handle` makes of it, wherever a phone wanders", arguments: PhoneWalkTests.versions
    )
    func walk(_ name: String) throws {
        let ios = try #require(IOSVersion(name))
        var capabilities = AppCapabilities()
        (capabilities.hasWhenInUseText, capabilities.hasAlwaysText) = (true, true)
        (capabilities.hasLegacyAlwaysText, capabilities.hasLocationBackgroundMode) = (true, true)
        let context = AuthorizationContext(ios: ios, capabilities: capabilities)
        let quietEvents: [PhoneEvent] = [.opened, .left, .suspensionFellDue]
        var tries = Tries()
        for seed in 0..<4 as Range<UInt64> {
            // Half of the phones hold nothing that few do.
            let events = seed < 2 ? PhoneWalkTests.events : Self.usual
            var random = RandomStream(
                seed: seed, device: DeviceID(1), purpose: .system, occasion: 0)
            var walker = PhoneWalker(context: context)
            for step in 0..<600 {
                let event = events[Int(random.next(below: UInt64(events.count)))]
                let pause = SimDuration(microseconds: Int64(random.next(below: 20_000_000)))
                walker.take(event, after: pause)
                for event in quietEvents {
                    let broken = Self.hold(
                        event, of: walker.phone, walker.timers, at: walker.now, context, &tries)
                    #expect(broken.isEmpty, "iOS \(name), seed \(seed), step \(step): \(broken)")
                    if !broken.isEmpty { return }
                }
            }
        }
        #expect(tries.taken > 200 && tries.refused > 200, "\(tries)")
    }

    @Test("is none where a request for one position has run out meanwhile")
    func overdue() throws {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        let context = AuthorizationContext(
            ios: try #require(IOSVersion("17.0")), capabilities: capabilities)
        var walker = PhoneWalker(context: context)
        let story: [PhoneEvent] = [
            .opened, .requested(.whenInUse), .answered(.allowWhileUsing, isPrecise: true),
            .requestedLocation, .left,
        ]
        for event in story { walker.take(event, after: .seconds(1)) }
        walker.take(.oneShotFailed, after: .seconds(60))
        var (phone, timers) = (walker.phone, walker.timers)
        #expect(phone.process == .suspended)
        let isTaken = phone.openQuietly(&timers)
        #expect(!isTaken)
    }
}
