import AuthorizationCore
import DeviceCore

/// Replays cases against one phone.
public enum ConformanceRunner {
    /// Plays `test` from its starting point; stops at the first step that cannot be played.
    ///
    /// - Parameters:
    ///   - rules: the settings that stand.
    ///   - keepsDelays: whether the system takes its time, as `rules` say. False: conformance mode.
    public static func run(
        _ test: ConformanceCase, on version: IOSVersion, under rules: SystemRules = SystemRules(),
        keepsDelays: Bool = false
    ) -> ConformanceOutcome {
        var stage = Stage(test, version, under: rules, keepsDelays: keepsDelays)
        var outcome = ConformanceOutcome(
            id: test.id, family: test.family, version: version, failures: [])
        var lastAct = 0
        func fail(_ step: Int, _ differences: [ConformanceFailure.Difference], _ stage: Stage) {
            outcome.failures.append(
                ConformanceFailure(
                    id: test.id, version: version, step: step, differences: differences,
                    story: .init(step: lastAct, lines: stage.story), state: stage.state))
        }
        if case .impossible(let expected, let seen)? = stage.clipObstacle {
            fail(0, [.init(key: nil, expected: expected, seen: seen)], stage)
            return outcome
        }
        for (index, step) in test.steps.enumerated() {
            let complaint: StepComplaint?
            switch stage.obstacle(to: step) {
            case .impossible(let expected, let seen):
                fail(index + 1, [.init(key: nil, expected: expected, seen: seen)], stage)
                return outcome
            case .idle(let why): outcome.notes.append(ConformanceNote(step: index + 1, text: why))
            case nil: break
            }
            if case .expect(let expectations) = step {
                let differences = expectations.compactMap { stage.difference($0) }
                if !differences.isEmpty { fail(index + 1, differences, stage) }
                continue
            }
            (stage.story, lastAct) = ([], index + 1)
            switch step {
            case .expect: complaint = nil
            case .act(let act): complaint = stage.perform(act)
            case .answer(let choice, let isPrecise):
                complaint = stage.answer(choice, isPrecise: isPrecise)
            case .settings(let row):
                stage.apply(.settingsChanged(row))
                complaint = nil
            case .precise(let isOn):
                stage.apply(.preciseSwitched(isOn))
                complaint = nil
            }
            if let complaint {
                let difference = ConformanceFailure.Difference(
                    key: nil, expected: complaint.expected, seen: complaint.seen)
                fail(index + 1, [difference], stage)
                break
            }
        }
        return outcome
    }
}

/// Why a step cannot be played.
struct StepComplaint {
    var expected: String
    var seen: String
}

extension Stage {
    fileprivate mutating func difference(
        _ expectation: ConformanceCase.Expectation
    ) -> ConformanceFailure.Difference? {
        mismatch(expectation).map {
            .init(key: expectation.key, expected: "\(expectation.value)", seen: $0)
        }
    }
}
