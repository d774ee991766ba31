import AuthorizationCore
import DeviceCore
import JSONText
import SimPrimitives

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
        var failures: [ConformanceFailure] = []
        func fail(_ step: Int, _ expected: String, _ seen: String) {
            failures.append(
                ConformanceFailure(
                    id: test.id, version: version, step: step, expected: expected, seen: seen))
        }
        for (index, step) in test.steps.enumerated() {
            let complaint: StepComplaint?
            switch step {
            case .expect(let expectations):
                for expectation in expectations {
                    guard let seen = stage.mismatch(expectation) else { continue }
                    fail(index + 1, "\(expectation.key) \(expectation.value)", seen)
                }
                continue
            case .act(let act): complaint = stage.perform(act)
            case .answer(let choice, let isPrecise):
                complaint = stage.answer(choice, isPrecise: isPrecise)
            case .settings(let row):
                stage.apply(.settingsChanged(row))
                continue
            case .precise(let isOn):
                stage.apply(.preciseSwitched(isOn))
                continue
            }
            if let complaint {
                fail(index + 1, complaint.expected, complaint.seen)
                break
            }
        }
        return ConformanceOutcome(
            id: test.id, family: test.family, version: version, failures: failures)
    }
}

/// Why a step cannot be played.
struct StepComplaint {
    var expected: String
    var seen: String
}

/// How one case went on one version.
public struct ConformanceOutcome: Hashable, Sendable {
    public var id: String
    public var family: String
    public var version: IOSVersion
    /// Empty: it passed.
    public var failures: [ConformanceFailure]

    public var isPassed: Bool { failures.isEmpty }
}

/// One thing that was not as expected.
public struct ConformanceFailure: Hashable, Sendable, CustomStringConvertible {
    public var id: String
    public var version: IOSVersion
    /// From 1; 0: the case as a whole.
    public var step: Int
    public var expected: String
    public var seen: String

    public var description: String {
        printable("\(id) on iOS \(version), step \(step): expected \(expected); seen \(seen)")
    }
}

extension ConformanceCase.Value: CustomStringConvertible {
    /// JSON, with the members of objects in order of name.
    var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .text(let text): "\"\(text)\""
        case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.keys.sorted().map { "\"\($0)\": \(members[$0]?.description ?? "")" }
                .joined(separator: ", ") + "}"
        }
    }
}
