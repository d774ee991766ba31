import AuthorizationCore
import DeviceCore
import Metrics
import Reports
import SimPrimitives
import Simulation

/// Europe/Berlin from 2026-01-05T00:00 there.
let berlin = Zone(
    name: "Europe/Berlin", startUnixSeconds: 1_767_567_600,
    offsets: [Zone.Offset(from: .start, secondsFromUTC: 3_600)])

let ios17 = IOSVersion("17.6") ?? .v17
let ios18 = IOSVersion("18.5") ?? .v18

/// The contract's example scenario, as a bundle gives it.
func storeFinder(devices: UInt32 = 100_000, alertsFunnel: Bool = true) -> Scenario {
    func archetype(_ name: String, _ weight: Double, grant: Double) -> Scenario.Persona {
        Scenario.Persona(
            name: name, weight: weight, behavior: 0,
            options: [
                ScriptOption(name: "grant_share", value: .number(grant), isAssumed: false),
                ScriptOption(name: "once_share", value: .number(0.15), isAssumed: true),
                ScriptOption(name: "sessions_per_day", value: .number(3), isAssumed: true),
                ScriptOption(name: "mood", value: .string("even \"so\""), isAssumed: true),
            ])
    }
    let alerts = FunnelDefinition(
        name: "alerts", steps: [.opened, .milestone("saw_alert_offer"), .always], window: .days(14))
    return Scenario(
        name: "progressive-ask", seed: 18_446_744_073_709_551_615, deviceCount: devices,
        duration: .days(30), zone: berlin,
        iosMix: [Weighted(ios17, weight: 3), Weighted(ios18, weight: 6)],
        personas: [
            archetype("accepts", 36, grant: 0.85), archetype("depends", 32, grant: 0.55),
            archetype("refuses", 32, grant: 0.15),
        ],
        app: Scenario.App(
            name: "Store Finder", capabilities: AppCapabilities(),
            usageTexts: ["", "To show stores.", ""], strategy: 1,
            options: [
                ScriptOption(name: "upgrade_after_uses", value: .number(3), isAssumed: false),
                ScriptOption(name: "asks_again", value: .boolean(true), isAssumed: true),
            ]),
        features: ["store_finder", "arrival_alerts"], rules: SystemRules(), delays: SystemDelays(),
        funnels: [.builtIn] + (alertsFunnel ? [alerts] : []),
        scripts: [
            ScriptSource(name: "archetype.lua", text: ""),
            ScriptSource(name: "progressive.lua", text: ""),
        ], scriptFailuresMax: nil)
}

/// Figures of `devices` devices as a run could have them: the steps' shares are those of `shares`.
func figures(
    of scenario: Scenario, devices: UInt64 = 100_000, hasFailures: Bool = true
) -> FleetMetrics {
    func share(_ thousandths: UInt64) -> UInt64 { devices * thousandths / 1_000 }
    var metrics = FleetMetrics(funnels: scenario.funnels)
    metrics.devices = devices
    metrics.installed = share(990)
    metrics.visible = [share(220), 0, share(238), share(412), share(120)]
    metrics.trueStatus = [share(220), 0, share(237), share(401), share(12), share(25), share(95)]
    fill(
        &metrics.funnels[0],
        reached: [
            share(1_000), share(991), share(901), share(581), share(520), share(200), share(118),
            share(7),
        ],
        hours: [0, 14, 3, 0, 0, 51, 0, 168])
    metrics.funnels[0].outside = [0, 0, 0, 0, 0, 0, share(1), 0]
    if metrics.funnels.count > 1 {
        fill(
            &metrics.funnels[1], reached: [share(991), share(400), share(90)], hours: [0, 30, 100])
        metrics.funnels[1].lost = [0, share(100), share(25)]
    }
    setPrompts(&metrics, .whenInUse, shown: share(901), granted: share(581)) {
        [.dontAllow: share(318), .allowOnce: share(94), .allowWhileUsing: share(487)][$0] ?? 0
    }
    setPrompts(&metrics, .alwaysUpgrade, shown: share(200), granted: share(93)) {
        [.keepOnlyWhileUsing: share(107), .changeToAlwaysAllow: share(93)][$0] ?? 0
    }
    setPrompts(&metrics, .backgroundReminder, shown: share(60), granted: 0) {
        [.changeToOnlyWhileUsing: share(18), .alwaysAllow: share(42)][$0] ?? 0
    }
    metrics.requestsIgnored[1] = share(4)
    metrics.requestsIgnored[2] = share(8)
    metrics.features = [
        FeatureOutcome("store_finder", "errorPermissions"): share(481),
        FeatureOutcome("store_finder", "success"): share(2_103),
        FeatureOutcome("store_finder", "errorLocation"): share(21),
        FeatureOutcome("arrival_alerts", "success"): share(88),
        FeatureOutcome("aside", "odd"): 1,
    ]
    metrics.milestones = ["saw_alert_offer": share(512), "declined_primer": share(73)]
    if hasFailures {
        let failure = FirstScriptFailure(
            key: RecordKey(
                time: .start + .hours(80), device: DeviceID(4_711), ordinal: 12),
            place: ScriptFailurePlace(script: 0, hook: .answerPrompt, code: .badReply, line: 57),
            message: "answer_prompt returned \"allow_onse\"; did you mean \"allow_once\"?")
        for _ in 0..<3 { metrics.count(failure) }
    }
    metrics.events = devices * 612
    metrics.records = devices * 40
    return metrics
}

private func fill(_ counts: inout FunnelCounts, reached: [UInt64], hours: [UInt64]) {
    counts.reached = reached
    for (step, hours) in hours.enumerated() where reached[step] > 0 {
        for tenth in UInt64(1)...10 { counts.waits[step].record(hours * tenth * 720_000_000) }
    }
}

private func setPrompts(
    _ metrics: inout FleetMetrics, _ kind: PromptKind, shown: UInt64, granted: UInt64,
    count: (Choice) -> UInt64
) {
    metrics.prompts[kind.index].shown = shown
    metrics.prompts[kind.index].granted = granted
    for choice in Choice.allCases {
        metrics.prompts[kind.index].choices[choice.index] = count(choice)
    }
}

/// A report of the scenario above.
func storeFinderReport(
    devices: UInt64 = 100_000, isSplit: Bool = false, hasMachine: Bool = true,
    endedBy: EndedBy = .duration
) -> Report {
    let scenario = storeFinder(devices: UInt32(devices))
    var digest = RecordDigest(device: 17)
    digest.add(1, 2)
    let groups = ["accepts", "depends", "refuses"].flatMap { persona in
        [ios17, ios18].map { ios in
            ReportGroup(
                labels: [
                    ReportGroup.Label("persona", persona),
                    ReportGroup.Label("ios", ios.description),
                ],
                metrics: figures(of: scenario, devices: devices / 6, hasFailures: false))
        }
    }
    let base = ReportArm(
        scenario: scenario, total: figures(of: scenario, devices: devices),
        groups: isSplit ? groups : [], digest: digest.finished)
    return Report(
        arms: [base], bundle: String(repeating: "6f1c09ab", count: 8), digest: digest.finished,
        endedBy: endedBy, simulated: endedBy == .duration ? .days(30) : .hours(300),
        machine: hasMachine
            ? MachineFacts(
                workers: 2, wallSeconds: 2.9004, residentBytes: 61_000_000, bytesPerDevice: 210)
            : nil)
}

/// The same with a second arm, a threshold that is missed, and an intervention that was reached.
func twoArmsReport(isSplit: Bool = false) -> Report {
    var report = storeFinderReport(devices: 60_000, isSplit: isSplit, hasMachine: false)
    var base = report.arms[0]
    base.scenario.interventions = [
        Intervention(at: .start + .days(10), .act(.settings(.whileUsing))),
        Intervention(
            at: .start + .days(12), where: "persona = depends and ios >= 17", share: 0.25,
            .act(.precise(false))),
        Intervention(at: .start + .days(40), .act(.upgradeOS(.v26))),
    ]
    base.interventions = [
        InterventionReach(devices: 593), InterventionReach(devices: 141, ignored: 12),
    ]
    let always = FleetComparison(
        .share(.visible(1 << 4)), .greater, 0.2, text: "share(authorizedAlways)")
    let failures = FleetComparison(.scriptFailures, .equal, 0, text: "script_failures")
    base.judgements = [
        Threshold(text: "share(authorizedAlways) > 0.20", condition: .comparison(always))
            .judged { _ in 0.1187 },
        Threshold(
            text: "share(authorizedAlways) > 0.20 or script_failures == 0",
            condition: .any([.comparison(always), .comparison(failures)])
        ).judged { $0 == .scriptFailures ? 0 : 0.1187 },
    ]
    var arm = report.arms[0]
    arm.name = "on-launch"
    var pairing = Pairing(funnels: base.scenario.funnels)
    for (funnel, definition) in base.scenario.funnels.enumerated() {
        for step in definition.steps.indices {
            let only = UInt64(step) * 900
            pairing.funnels[funnel][step] = PairedCounts(
                both: 60_000 - 7_000 * UInt64(step), onlyFirst: only / 3, onlySecond: only,
                neither: 7_000 * UInt64(step) - only - only / 3)
        }
    }
    pairing.authorized = PairedCounts(both: 30_000, onlyFirst: 40, onlySecond: 40, neither: 29_920)
    pairing.authorizedAlways = PairedCounts(both: 5_000, neither: 55_000)
    arm.pairing = pairing
    arm.groupPairings = arm.groups.map { _ in pairing }
    report.arms = [base, arm]
    return report
}
