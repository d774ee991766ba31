import AuthorizationCore
import Bundles
import ControlService
import DaemonRuntime
import Foundation
import SimPrimitives
import Simulation
import TestSupport

/// One run of every strategy that ships, on the same people: the arms of `strategies.json5`, the
/// strategy that has a scenario of its own, and those that ask for Always with a plist that lacks
/// the text for it.
struct StrategyRun: Sendable {
    struct Outcome: Sendable {
        let name: String
        let scenario: Scenario
        /// By device.
        let lives: [Life]
    }

    /// Why there is nothing to make statements about.
    struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    static let base = "base"
    /// Arms whose app asks for Always, and the strategy of each.
    static let strategiesOfAlways = [
        "base": "progressive", "on-launch": "ask_on_launch",
        "immediate-upgrade": "immediate_upgrade", "back-to-back": "immediate_upgrade",
        "always-first": "always_first", "by-version": "by_version", "value-first": "value_first",
    ]
    /// Arms that ask as soon as they come to the foreground.
    static let armsAtLaunch = ["on-launch", "immediate-upgrade", "back-to-back"]

    static func withoutText(_ arm: String) -> String { "\(arm)-no-text" }

    /// In the order of the arms.
    let outcomes: [Outcome]
    let figures: FleetFigures

    /// Made once: all statements are about this one run.
    static let shared = Result { try StrategyRun() }

    subscript(name: String) -> Outcome {
        guard let outcome = outcomes.first(where: { $0.name == name }) else {
            preconditionFailure("there is no arm \(name)")
        }
        return outcome
    }

    /// One version for each way in which iOS asks: direct and upgrade prompts before 13, Allow Once
    /// and provisional Always from 13.0, the upgrade prompt from 13.4.
    private static let versions =
        #"[["9.3",1],["11.4",1],["12.5",1],["13.3",2],["13.7",2],["15.8",2],["17.6",2],"#
        + #"["18.5",3]]"#

    private init() throws {
        let folder = try ScratchFolder()
        try folder.write(
            "{ NSLocationWhenInUseUsageDescription = Why; UIBackgroundModes = (location); }",
            to: "config/apps/no-text/Info.plist")
        let reader = BundleReader.withLua(library: [projectRoot, folder.url])
        func arms(_ more: [(key: String, value: String)]) throws -> [Arm] {
            try reader.read(
                scenarioPath: projectRoot.appending(path: "config/scenarios/strategies.json5")
                    .path(percentEncoded: false),
                overrides: Overrides(
                    devices: 300, days: 30, sets: [("ios", Self.versions)] + more)
            ).arms
        }
        let shipped = try arms([])
        let others = try arms([("arms", Self.otherArms)]).dropFirst()
        let runner = try FleetRunner(
            shipped + others, options: FleetRunner.Options(workers: 2, keepsRecords: true))
        let end = runner.run()
        guard end == .duration else { throw Problem("the run ended early: \(end)") }
        figures = runner.figures()
        outcomes = try runner.arms.indices.map { index in
            let arm = runner.arms[index]
            var lives = [Life](repeating: Life(), count: Int(arm.scenario.deviceCount))
            for record in runner.takeRecords(ofArm: index).records {
                lives[Int(record.device.number)].take(record)
            }
            if let failure = lives.lazy.compactMap(\.failure).first {
                throw Problem("a script failed in \(arm.name): \(failure)")
            }
            return Outcome(name: arm.name, scenario: arm.scenario, lives: lives)
        }
    }

    /// What `strategies.json5` does not have, as the value of its `arms`. The app that stays in the
    /// foreground has the texts for Always here, so that nothing but the strategy holds it back.
    private static var otherArms: String {
        var arms = [arm("foreground-only", "on_tap_foreground_only", "store-finder")]
        for (name, strategy) in strategiesOfAlways.sorted(by: { $0.key < $1.key }) {
            let more = name == "back-to-back" ? #", "app.options.back_to_back": true"# : ""
            arms.append(arm(withoutText(name), strategy, "no-text", more))
        }
        return "[\(arms.joined(separator: ","))]"
    }

    private static func arm(
        _ name: String, _ strategy: String, _ app: String, _ more: String = ""
    ) -> String {
        #"{ name: "\#(name)", set: { "app.strategy": "\#(strategy).lua", "#
            + #""app.info_plist": "apps/\#(app)/Info.plist", "delays.update_interval": "15m"\#(more) } }"#
    }
}

/// What the records say of one device.
struct Life: Sendable {
    struct Session: Sendable {
        let opened: SimTime
        /// nil: the run ended first.
        var closed: SimTime?
    }

    struct Tap: Hashable, Sendable {
        let at: SimTime
        let feature: NameID
        /// The status at the tap.
        let status: TrueStatus
        /// Allow Once had lapsed before.
        let isAfterLapse: Bool
    }

    struct Meeting: Sendable {
        let at: SimTime
        let shown: PromptShown
        var answer: PromptAnswered?
        var answeredAt: SimTime?
    }

    var sessions: [Session] = []
    var taps: [Tap] = []
    var prompts: [Meeting] = []
    /// The status from its instant on; what comes before is `notDetermined`.
    var statuses: [(at: SimTime, status: TrueStatus)] = []
    /// When the person first followed an alert of the app's to Settings: out of the app and back.
    var tripAt = SimTime.never
    /// Requests that did nothing for want of a text.
    var textlessRequests = 0
    /// The first failure of a script.
    var failure: ScriptFailurePlace?
    private var hasLapsed = false

    var status: TrueStatus { statuses.last?.status ?? .notDetermined }

    func firstInstant(of status: TrueStatus) -> SimTime? {
        statuses.first { $0.status == status }?.at
    }

    func prompts(_ kind: PromptKind) -> [Meeting] { prompts.filter { $0.shown.kind == kind } }

    mutating func take(_ record: Record) {
        let time = record.time
        switch record.content {
        case .opened(.person): sessions.append(Session(opened: time))
        case .closed(.background):
            if let last = sessions.indices.last { sessions[last].closed = time }
        case .tapped(let feature):
            taps.append(
                Tap(at: time, feature: feature, status: status, isAfterLapse: hasLapsed))
        case .prompt(let shown): prompts.append(Meeting(at: time, shown: shown))
        case .answer(let answer):
            guard let last = prompts.indices.last else { return }
            (prompts[last].answer, prompts[last].answeredAt) = (answer, time)
        case .status(_, let now, _):
            if status == .allowOnce, now == .notDetermined { hasLapsed = true }
            statuses.append((time, now))
        case .settingsAlert(.openSettings): tripAt = min(tripAt, time)
        case .requestIgnored(_, .missingUsageDescription, _): textlessRequests += 1
        case .scriptFailure(let place): failure = failure ?? place
        default: break
        }
    }
}
