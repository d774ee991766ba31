import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

/// The settings of section 15 that change what reaches an app.
@Suite("An open question of the phone")
struct OpenQuestionPhoneTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let id: String
        let ios: String
        let events: [PhoneEvent]
        let set: @Sendable (inout SystemRules) -> Void
        /// What the last event does, by default and as set.
        let standard: [PhoneEffect]
        let other: [PhoneEffect]
        var testDescription: String { "\(id) on \(ios)" }
    }

    private static let region = MonitoredRegion(RegionID(0), radiusMeters: 300)
    private static let whenInUse: [PhoneEvent] = [
        .opened, .requested(.whenInUse), .answered(.allowWhileUsing, isPrecise: true),
    ]
    private static let coarse: [PhoneEvent] = [
        .opened, .requested(.whenInUse), .answered(.allowWhileUsing, isPrecise: false),
    ]
    private static let always = whenInUse + [.settingsChanged(.always)]
    private static let crossed = PhoneEvent.crossed(RegionID(0), isEntry: true)
    private static let entered = PhoneEffect.happened(.region(RegionID(0), isEntry: true))

    // swift-format-ignore
    static let rows: [Row] = [
        Row(id: "D8", ios: "17.0", events: whenInUse + [.started(.updates), .locationServicesSwitched(false), .fixed], set: { $0.servicesOffStatus = .kept }, standard: [], other: []),
        Row(id: "D14", ios: "17.0", events: coarse + [.startedMonitoring(region), .requestedTemporaryFullAccuracy(isPurposeKnown: true), .answered(.allow, isPrecise: true), crossed], set: { $0.temporaryFullEnablesRegions = true }, standard: [], other: [entered]),
        Row(id: "D14 before 17", ios: "16.0", events: coarse + [.startedMonitoring(region), .requestedTemporaryFullAccuracy(isPurposeKnown: true), .answered(.allow, isPrecise: true), crossed], set: { $0.temporaryFullEnablesRegions = true }, standard: [], other: []),
        Row(id: "D11", ios: "10.0", events: [.opened, .started(.updates)], set: { $0.undeterminedStart = .denied }, standard: [], other: [.failed(.denied, .b10)]),
        Row(id: "D11 of visits", ios: "10.0", events: [.opened, .started(.visits)], set: { $0.undeterminedStart = .denied }, standard: [], other: []),
        Row(id: "D18", ios: "17.2", events: coarse + [.settingsChanged(.askNextTime), .preciseSwitched(true)], set: { $0.unauthorizedAccuracy = .preciseSwitch }, standard: [], other: [.status(.ac9), .callback(isInitial: false)]),
        Row(id: "D26", ios: "17.0", events: [.opened, .requestedOffMain(.whenInUse)], set: { $0.offMainRequest = .silent }, standard: [.promptShown(Prompt(.whenInUse), .w1)], other: [.requestIgnored(.requestWhenInUseAuthorization, .offMainThread, .j5)]),
        Row(id: "D26 of Always", ios: "12.0", events: [.opened, .requestedOffMain(.always)], set: { $0.offMainRequest = .silent }, standard: [.promptShown(Prompt(.always, asked: .always), .a3)], other: [.requestIgnored(.requestAlwaysAuthorization, .offMainThread, .j5)]),
        Row(id: "D26 on the main thread", ios: "17.0", events: [.opened, .requested(.whenInUse)], set: { $0.offMainRequest = .silent }, standard: [.promptShown(Prompt(.whenInUse), .w1)], other: [.promptShown(Prompt(.whenInUse), .w1)]),
        Row(id: "G14 regions", ios: "17.0", events: always + [.startedMonitoring(region), .migrated, crossed], set: { $0.migrationKeepsDecisions = false }, standard: [.processStarted(bySystem: true), .callback(isInitial: true), entered, .usedInBackground], other: []),
        Row(id: "Q6", ios: "17.0", events: always + [.startedMonitoring(region), .rebooted, .unlocked, crossed], set: { $0.rebootMonitoringDelaySeconds = 0 }, standard: [], other: [.processStarted(bySystem: true), .callback(isInitial: true), entered, .usedInBackground]),
        Row(id: "D24", ios: "17.0", events: [.opened, .requestedTemporaryFullAccuracy(isPurposeKnown: true)], set: { $0.unauthorizedFullAccuracy = .noCompletion }, standard: [.requestIgnored(.requestTemporaryFullAccuracyAuthorization, .notAuthorized, .t6), .accuracyCompleted(.promptDeclined)], other: [.requestIgnored(.requestTemporaryFullAccuracyAuthorization, .notAuthorized, .t6)]),
        Row(id: "D27", ios: "17.0", events: coarse + [.started(.ranging)], set: { $0.reducedRanging = .silent }, standard: [.failed(.rangingUnavailable, .e16)], other: []),
        Row(id: "RG3", ios: "17.0", events: always + [.startedMonitoring(region)], set: { $0.regionMaxRadiusMeters = 200 }, standard: [], other: [.failed(.regionMonitoringFailure, .rg3)]),
    ]

    private func play(_ row: Row, _ rules: SystemRules) throws -> (Phone, [PhoneEffect]) {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        let context = AuthorizationContext(
            ios: try #require(IOSVersion(row.ios)), capabilities: capabilities, rules: rules)
        var (phone, timers) = (Phone(), TimerRow())
        var last: [PhoneEffect] = []
        for event in row.events {
            last = Array(phone.handle(event, at: .start, timers: &timers, in: context))
        }
        return (phone, last)
    }

    @Test("is answered as its setting says", arguments: rows)
    func settings(_ row: Row) throws {
        #expect(try play(row, SystemRules()).1 == row.standard)
        var rules = SystemRules()
        row.set(&rules)
        #expect(try play(row, rules).1 == row.other)
    }

    /// Whether the system starts the app for a crossing.
    private func relaunches(
        _ ios: String, _ end: ProcessEnd, refresh: Bool = true,
        _ set: @escaping @Sendable (inout SystemRules) -> Void = { _ in }
    ) throws -> Bool {
        var rules = SystemRules()
        set(&rules)
        let row = Row(
            id: "", ios: ios,
            events: Self.always + [
                .startedMonitoring(Self.region), .backgroundRefreshSwitched(refresh),
                .processEnded(end), Self.crossed,
            ], set: set, standard: [], other: [])
        return try play(row, rules).0.process != .notRunning
    }

    @Test(
        "of starting an app again has three answers after a force-quit (D15), two without refresh (D16)"
    )
    func relaunch() throws {
        #expect(try relaunches("18.0", .forceQuit))
        #expect(try !relaunches("26.0", .forceQuit))
        #expect(try relaunches("26.0", .forceQuit) { $0.relaunchAfterForceQuit = .always })
        #expect(try !relaunches("18.0", .forceQuit) { $0.relaunchAfterForceQuit = .never })
        #expect(try relaunches("26.0", .terminated) { $0.relaunchAfterForceQuit = .never })
        #expect(try relaunches("17.0", .terminated, refresh: false))
        #expect(
            try !relaunches("17.0", .terminated, refresh: false) {
                $0.backgroundRefreshBlocksRelaunch = true
            })
        #expect(
            try relaunches("17.0", .terminated) { $0.backgroundRefreshBlocksRelaunch = true })
    }

    @Test("of the reset of one app ends its process or not (D32)")
    func reset() throws {
        func process(_ isEnded: Bool) throws -> ProcessState {
            var rules = SystemRules()
            rules.appResetEndsProcess = isEnded
            let row = Row(
                id: "", ios: "17.0", events: Self.whenInUse + [.appLocationReset], set: { _ in },
                standard: [], other: [])
            let phone = try play(row, rules).0
            #expect(phone.authorization.trueStatus == .notDetermined)
            return phone.process
        }
        #expect(try process(true) == .notRunning)
        #expect(try process(false) == .foreground)
    }
}
