import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("What a person does to the phone")
struct PhoneActTests {
    /// Asks at the first opening, when in use alone.
    private var asking: StoryStrategy {
        StoryStrategy { event, app in
            event == .enteredForeground && app.status == .notDetermined
                ? [.requestWhenInUseAuthorization] : []
        }
    }

    private func block(
        _ behavior: StoryBehavior, _ strategy: StoryStrategy, ios: String = "17.6"
    ) -> Block {
        let scenario = scenario(ios: ios)
        return Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [behavior], strategy: strategy, keepsRecords: true)
    }

    /// Lets the person do it at that second. Returns the words of what follows until then, and
    /// whether there was anything to act on.
    private func act(
        _ act: PhoneAct, atSecond second: Int64, in block: Block
    ) -> (words: [String], isDone: Bool) {
        block.run(until: .start + .seconds(second))
        _ = block.takeRecords()
        let count = block.intervene(Intervention(at: block.now, .act(act)), number: 0)
        block.run(until: block.now + .seconds(5))
        return (block.takeRecords().compactMap(word), count == InterventionReach(devices: 1))
    }

    private func word(_ record: Record) -> String? {
        if let reason = record.note.ignored { return "not \(reason.rawValue)" }
        return switch record.content {
        case .world(let change): change.rawValue
        case .upgraded(let version): "upgraded to \(version)"
        case .prompt(let shown):
            "prompt \(shown.kind.rawValue)" + (shown.isExpected ? " expected" : "")
        case .answer(let given): given.choice.rawValue
        case .unanswered(let kind, let rule): "\(kind.rawValue) unanswered \(rule.rawValue)"
        case .status(_, let status, let rule): "\(status.rawValue) \(rule.rawValue)"
        case .callback(let status, _): "callback \(status.rawValue)"
        case .closed(let closing): "closed \(closing.rawValue)"
        default: nil
        }
    }

    @Test("places a widget of an authorized app: the system asks, and the grant counts")
    func widget() {
        let behavior = StoryBehavior(sessionSeconds: 20) {
            Reply($0.kind == .widget ? .allow : .allowWhileUsing)
        }
        let block = block(behavior, asking)
        let (words, isDone) = act(.placeWidget, atSecond: 200, in: block)
        #expect(isDone)
        #expect(words == ["place_widget", "prompt widget expected", "allow"])
        let counts = block.metrics(isFinal: true)[0].prompts[PromptKind.widget.index]
        #expect(counts.shown == 1 && counts.answered == 1 && counts.granted == 1)
        #expect(act(.placeWidget, atSecond: 300, in: block).words == ["place_widget"])
    }

    @Test("places no widget before iOS 14, and one of an undecided app asks nothing")
    func noWidget() {
        let old = block(StoryBehavior(openings: []), asking, ios: "13.7")
        #expect(act(.placeWidget, atSecond: 60, in: old) == (["not not_on_this_ios"], false))
        let undecided = block(StoryBehavior(openings: []), asking)
        #expect(act(.placeWidget, atSecond: 60, in: undecided) == (["place_widget"], true))
    }

    @Test("taps the location button in the app: it asks once, then grants until use ends")
    func button() {
        let behavior = StoryBehavior(openings: [60, 100], sessionSeconds: 60, always: .allow)
        let block = block(behavior, StoryStrategy())
        let first = act(.tapLocationButton, atSecond: 70, in: block)
        #expect(
            first == (
                [
                    "tap_location_button", "prompt location_button expected", "allow",
                    "allow_once X7", "callback authorizedWhenInUse",
                ], true
            ))
        let again = act(.tapLocationButton, atSecond: 230, in: block)
        #expect(
            again == (
                ["tap_location_button", "allow_once X7", "callback authorizedWhenInUse"], true
            ))
        #expect(act(.tapLocationButton, atSecond: 240, in: block).words == ["tap_location_button"])
    }

    @Test("taps no location button out of the app, under a prompt, or before iOS 15")
    func noButton() {
        let behavior = StoryBehavior(openings: [60], sessionSeconds: 60) { _ in
            Reply(.allowWhileUsing, after: .seconds(30))
        }
        let block = block(behavior, asking)
        #expect(!act(.tapLocationButton, atSecond: 30, in: block).isDone)
        #expect(!act(.tapLocationButton, atSecond: 70, in: block).isDone)
        #expect(act(.tapLocationButton, atSecond: 95, in: block).isDone)
        #expect(!act(.tapLocationButton, atSecond: 200, in: block).isDone)
        let old = self.block(StoryBehavior(openings: [60]), StoryStrategy(), ios: "14.8")
        #expect(!act(.tapLocationButton, atSecond: 70, in: old).isDone)
    }

    @Test("taps no location button under a screen of the app's own")
    func coveredButton() {
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground ? [.showPrimer(id: NameID(0))] : []
        }
        let block = block(StoryBehavior(openings: [60]), strategy)
        #expect(!act(.tapLocationButton, atSecond: 61, in: block).isDone)
        #expect(act(.tapLocationButton, atSecond: 70, in: block).isDone)
    }

    @Test("upgrades iOS: the phone restarts, which ends Allow Once and takes prompts along")
    func upgrade() {
        let granted = block(StoryBehavior(sessionSeconds: 300, always: .allowOnce), asking)
        #expect(
            act(.upgradeOS(.v26), atSecond: 100, in: granted).words == [
                "closed terminated", "not_determined O5", "upgraded to 26.0",
            ])
        let pending = block(
            StoryBehavior(sessionSeconds: 60) {
                $0.kind == .widget
                    ? Reply(.allow, after: .hours(1)) : Reply(.allowWhileUsing)
            }, asking, ios: "14.0")
        #expect(
            act(.placeWidget, atSecond: 200, in: pending).words == [
                "place_widget", "prompt widget expected",
            ])
        #expect(
            act(.upgradeOS(.v26), atSecond: 210, in: pending).words == [
                "closed terminated", "widget unanswered Q8", "upgraded to 26.0",
            ])
    }

    @Test("may be done by a behavior, in order, also where the app is gone")
    func byBehavior() {
        let behavior = StoryBehavior(
            openings: [],
            days: [
                0: [
                    .restriction(true), .restriction(false), .resetLocationPrivacy,
                    .backgroundRefresh(false), .placeWidget, .tapLocationButton, .reboot,
                    .upgradeOS(.v26), .upgradeOS(.v18), .deleteApp,
                ],
                1: [.placeWidget, .backgroundRefresh(true), .reboot, .restriction(true)],
            ])
        let (records, block) = run(scenario(days: 2), behavior, StoryStrategy())
        let words = records.compactMap(word).filter { !$0.contains(" G") && !$0.contains(" P") }
        #expect(
            words == [
                "restriction_on", "restriction_off", "reset_location_privacy",
                "background_app_refresh_off", "place_widget", "not not_on_screen", "reboot",
                "upgraded to 26.0", "not not_newer", "delete_app", "not not_installed",
                "not not_installed", "reboot", "restriction_on",
            ])
        #expect(block.failure == nil)
    }

    @Test("stops with a failure of the script where each answer brings the next prompt")
    func withoutEnd() {
        let behavior = RestlessBehavior()
        let scenario = scenario(days: 1)
        let block = Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [behavior], strategy: StoryStrategy(), keepsRecords: true)
        block.run(until: .start + .seconds(100))
        let metrics = block.metrics(isFinal: true)[0]
        #expect(metrics.scriptFailures == 1)
        #expect(
            metrics.firstScriptFailure?.message
                == "the person's answers bring prompts without end: 16 at one instant")
        #expect(metrics.firstScriptFailure?.place.code == .budgetExhausted)
    }
}

/// Taps the location button as the app opens, and in every answer resets what was decided, which
/// takes the prompt away, to tap it again.
private final class RestlessBehavior: IdleBehavior {
    let hooks: HookSet = {
        var hooks = HookSet()
        for hook in [HookName.sessionLength, .nextOpen, .answerPrompt] { hooks.insert(hook) }
        return hooks
    }()
    private var hasOpened = false

    func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? {
        defer { hasOpened = true }
        return hasOpened ? nil : .seconds(10)
    }

    func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration {
        acts.append(.tapLocationButton)
        return .seconds(60)
    }

    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply {
        acts += [.resetLocationPrivacy, .tapLocationButton]
        return Reply(.allow)
    }
}
