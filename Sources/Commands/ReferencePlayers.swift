import AuthorizationCore
import DaemonRuntime
import DeviceCore
import SimPrimitives
import Simulation

/// The people of `config/reference-workload/people.lua`, in Swift: the same decisions from the same
/// draws, so that a run without scripts is the same run.
final class ReferencePerson: IdleBehavior {
    let hooks: HookSet = {
        var hooks = HookSet()
        hooks.insert(.answerPrompt)
        return hooks
    }()

    /// The draw below which somebody allows while using the app, and below which once.
    private typealias Thresholds = (whileUsing: Double, once: Double)

    private let first: Thresholds
    /// After two answers, where the persona then thinks otherwise.
    private let later: Thresholds?
    /// Answers to the question for When In Use, by index in the block.
    private var answers: [UInt8]

    /// - Parameter persona: its name in `config/scenarios/reference-workload.json5`.
    init(persona: String) {
        first =
            switch persona {
            case "eager": (0.85, 0.90)
            case "cautious": (0.40, 0.70)
            case "private": (0.20, 0.30)
            default: (0.75, 0.90)
            }
        later = persona == "cautious" ? (0.70, 0.80) : nil
        answers = later == nil ? [] : [UInt8](repeating: 0, count: Int(Block.deviceCountMax))
    }

    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply {
        let draw = random.uniform()
        if question.kind == .backgroundReminder {
            return Reply(
                draw < 0.10 ? .changeToOnlyWhileUsing : .alwaysAllow, after: .milliseconds(100))
        }
        let thinking = SimDuration(seconds: 1 + 4 * random.uniform())
        switch question.kind {
        case .whenInUse:
            let thresholds = thresholds(person.indexInBlock)
            let choice: Choice =
                draw < thresholds.whileUsing
                ? .allowWhileUsing : draw < thresholds.once ? .allowOnce : .dontAllow
            return Reply(choice, after: thinking)
        case .alwaysUpgrade:
            return Reply(draw < 0.30 ? .changeToAlwaysAllow : .keepOnlyWhileUsing, after: thinking)
        default: preconditionFailure("the reference workload has three kinds of prompts")
        }
    }

    private func thresholds(_ index: UInt32) -> Thresholds {
        guard let later else { return first }
        let index = Int(index)
        answers[index] = min(answers[index] + 1, 3)
        return answers[index] > 2 ? later : first
    }
}

/// The app of `config/reference-workload/app.lua`, in Swift.
final class ReferenceApp: Strategy {
    let hooks: HookSet = {
        var hooks = HookSet()
        hooks.insert(.enteredForeground)
        hooks.insert(.locationManagerDidChangeAuthorization)
        return hooks
    }()

    private static let sessionsMax: UInt8 = 99
    /// Sessions since the grant, by index in the block.
    private var since = [UInt8](repeating: 0, count: Int(Block.deviceCountMax))

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {
        let index = Int(app.indexInBlock)
        if event == .enteredForeground {
            if app.status == .notDetermined {
                calls.append(.requestWhenInUseAuthorization)
            } else if app.status == .authorizedWhenInUse {
                since[index] = min(since[index] + 1, Self.sessionsMax)
                if (3...5).contains(since[index]) { calls.append(.requestAlwaysAuthorization) }
            }
            return
        }
        if app.status == .notDetermined { since[index] = 0 }
        if app.status == .authorizedAlways { since[index] = Self.sessionsMax }
        calls.append(.setAllowsBackgroundLocationUpdates(app.status == .authorizedAlways))
        let isAllowed = app.status == .authorizedWhenInUse || app.status == .authorizedAlways
        calls.append(isAllowed ? .start(.updates) : .stop(.updates))
    }

    func forget(indexInBlock: UInt32) { since[Int(indexInBlock)] = 0 }
    func processEnded(indexInBlock: UInt32) {}
}

extension FleetRunner.Players {
    /// Those of the reference workload, without a script.
    static func reference(_ scenario: Scenario) -> FleetRunner.Players {
        FleetRunner.Players(
            behaviors: scenario.personas.map { ReferencePerson(persona: $0.name) },
            strategy: ReferenceApp())
    }
}
