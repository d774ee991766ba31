import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("An intervention")
struct InterventionTests {
    private func block(
        _ scenario: Scenario, _ behavior: StoryBehavior,
        _ strategy: StoryStrategy = StoryStrategy(),
        devices: Range<UInt32> = 0..<1
    ) -> Block {
        let names = Block.startingNames(of: scenario)
        return Block(
            devices: devices, of: scenario, names: names,
            behaviors: scenario.personas.map { _ in behavior }, strategy: strategy,
            keepsRecords: true)
    }

    private var asking: StoryStrategy {
        StoryStrategy { event, app in
            event == .enteredForeground && app.status == .notDetermined
                ? [.requestWhenInUseAuthorization] : []
        }
    }

    @Test("acts after every event before its instant, and before any at it")
    func order() {
        let scenario = scenario()
        let block = block(scenario, StoryBehavior(openings: [60, 60], sessionSeconds: 10))
        let at = SimTime.start + .seconds(60)
        block.run(until: at)
        let off = Intervention(at: at, .act(.locationServices(false)))
        #expect(block.intervene(off, number: 0).devices == 1)
        block.run(until: at + .seconds(1))
        let types = block.takeRecords().map(\.content.type)
        #expect(types.starts(with: [.installed, .settings]))
        #expect(types.firstIndex(of: .settings)! < types.firstIndex(of: .opened)!)
    }

    @Test("draws its share by each device's own chance, the same devices each time")
    func share() {
        let scenario = scenario(devices: 2_000)
        func struck(number: UInt32) -> [UInt32] {
            let block = block(scenario, StoryBehavior(openings: []), devices: 0..<2_000)
            block.run(until: .start + .seconds(1))
            _ = block.takeRecords()
            let count = block.intervene(
                Intervention(at: block.now, share: 0.3, .act(.locationServices(false))),
                number: number
            ).devices
            let devices = block.takeRecords().filter { $0.content.type == .settings }.map(
                \.device.number)
            #expect(UInt64(devices.count) == count)
            return devices
        }
        let first = struck(number: 0)
        #expect(first == struck(number: 0))
        #expect(first != struck(number: 1))
        #expect(530...670 ~= first.count, "\(first.count) of 2,000")
    }

    @Test("means the devices of its condition alone")
    func condition() {
        let scenario = scenario(devices: 100)
        let block = block(scenario, StoryBehavior(openings: []), devices: 0..<100)
        block.run(until: .start + .seconds(1))
        let meant = DeviceCondition.all([.device(.less, 10), .visible(1)])
        #expect(
            block.intervene(
                Intervention(at: block.now, condition: meant, .act(.locationServices(false))),
                number: 0
            ) == InterventionReach(devices: 10))
    }

    @Test("brings a newer iOS with its rules, and never an older one")
    func upgrade() {
        let scenario = scenario(ios: "12.4")
        let behavior = StoryBehavior(openings: [60, 600], sessionSeconds: 10, always: .dontAllow)
        let block = block(scenario, behavior, asking)
        block.run(until: .start + .seconds(30))
        func upgraded(to version: String) -> UInt64 {
            let reach = block.intervene(
                Intervention(at: block.now, .act(.upgradeOS(IOSVersion(version)!))), number: 0)
            #expect(reach.devices + reach.ignored == 1)
            return reach.devices
        }
        #expect(upgraded(to: "11.0") == 0)
        #expect(upgraded(to: "12.4") == 0)
        #expect(upgraded(to: "18.5") == 1)
        block.run(until: .start + .seconds(90))
        #expect(behavior.questions.first?.choices.contains(.allowOnce) == true)
        let standing = block.standings()[0]
        #expect(standing.ios == IOSVersion("18.5"))
    }

    @Test("that updates the app brings the new Info.plist, and ends the process first")
    func update() {
        var scenario = scenario(capabilities: .whenInUseOnly)
        scenario.updates = [AppUpdate(capabilities: .everything, temporaryPurposeKeys: ["Trip"])]
        let behavior = StoryBehavior(
            openings: [60, 600], sessionSeconds: 10,
            answers: {
                Reply(
                    $0.choices.contains(.changeToAlwaysAllow)
                        ? .changeToAlwaysAllow : .allowWhileUsing)
            })
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground
                ? [.requestWhenInUseAuthorization, .requestAlwaysAuthorization] : []
        }
        let block = block(scenario, behavior, strategy)
        block.run(until: .start + .seconds(120))
        #expect(block.standings()[0].trueStatus == .whenInUse)
        #expect(block.intervene(Intervention(at: block.now, .updateApp(0)), number: 0).devices == 1)
        #expect(block.standings()[0].trueStatus == .whenInUse)
        block.run(until: .start + .seconds(900))
        #expect(block.standings()[0].trueStatus == .always)
    }

    @Test("leaves devices without the app alone, but for what happens to the phone")
    func deleted() {
        let scenario = scenario()
        let block = block(scenario, StoryBehavior(openings: []))
        block.run(until: .start + .seconds(1))
        func act(_ action: InterventionAction) -> UInt64 {
            let reach = block.intervene(Intervention(at: block.now, action), number: 0)
            #expect(reach.devices + reach.ignored == 1)
            return reach.devices
        }
        #expect(act(.act(.deleteApp)) == 1)
        for action: PhoneAct in [
            .settings(.never), .precise(false), .forceQuit, .deleteApp, .reinstall(after: .zero),
            .backgroundRefresh(false), .placeWidget, .tapLocationButton,
        ] {
            #expect(act(.act(action)) == 0, "\(action)")
        }
        #expect(act(.terminate) == 0)
        #expect(act(.updateApp(0)) == 0)
        for action: PhoneAct in [
            .locationServices(false), .restriction(true), .resetLocationPrivacy, .reboot,
            .upgradeOS(.v26), .migrateDevice,
        ] {
            #expect(act(.act(action)) == 1, "\(action)")
        }
        #expect(block.metrics(isFinal: true)[0].installed == 0)
    }

    static let acts: [PhoneAct] = [
        .settings(.never), .settings(.askNextTime), .settings(.whileUsing), .settings(.always),
        .precise(false), .precise(true), .locationServices(false), .locationServices(true),
        .restriction(true), .restriction(false), .resetLocationPrivacy, .forceQuit, .reboot,
        .deleteApp, .reinstall(after: .seconds(60)), .upgradeOS(.v13_4), .upgradeOS(.v26),
        .backgroundRefresh(false), .backgroundRefresh(true), .placeWidget, .tapLocationButton,
        .migrateDevice,
    ]
    static let actions = acts.map { InterventionAction.act($0) } + [.terminate, .updateApp(0)]

    @Test(
        "of any kind at any time, on any iOS, for any app, leaves the figures whole",
        arguments: IOSVersion.released.map { "\($0.major).\($0.minorMax)" }, [false, true])
    func anything(ios: String, isAppClip: Bool) {
        var capabilities = AppCapabilities.everything
        capabilities.isAppClip = isAppClip
        var scenario = scenario(devices: 40, ios: ios, capabilities: capabilities)
        scenario.rules.appClipRemovalDays = 0.001  // Of a day: one and a half minutes.
        scenario.updates = [AppUpdate(capabilities: .whenInUseOnly, temporaryPurposeKeys: [])]
        let behavior = StoryBehavior(
            openings: Array(repeating: 97, count: 4_000), sessionSeconds: 31, taps: [3, 5],
            answers: { Reply($0.choices.contains(.alwaysAllow) ? .alwaysAllow : .allowWhileUsing) })
        let strategy = StoryStrategy { event, app in
            event == .enteredForeground
                ? [.requestWhenInUseAuthorization, .requestAlwaysAuthorization, .requestLocation]
                : []
        }
        let block = block(scenario, behavior, strategy, devices: 0..<40)
        for round in 0..<120 {
            block.run(until: block.now + .seconds(Int64(round % 7 * 13 + 1)))
            let action = Self.actions[(round * 7 + round / Self.actions.count) % Self.actions.count]
            _ = block.intervene(
                Intervention(at: block.now, share: 0.6, action), number: UInt32(round))
            let metrics = block.metrics(isFinal: true)[0]
            #expect(block.failure == nil)
            #expect(metrics.visible.reduce(0, +) == metrics.installed, "round \(round)")
            #expect(metrics.trueStatus.reduce(0, +) == metrics.installed, "round \(round)")
            let standings = block.standings().filter(\.isInstalled)
            #expect(UInt64(standings.count) == metrics.installed, "round \(round)")
        }
    }
}
