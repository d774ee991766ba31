import AuthorizationCore
import Simulation

/// The prompts that a device with a version can show, in the situations in which they come.
struct PromptSample {
    let question: Question
    let status: VisibleStatus

    /// Every kind, primed or not, expected or not, the first of its kind or a later one.
    static func all(on ios: IOSVersion) -> [PromptSample] {
        var samples: [PromptSample] = []
        for kind in PromptKind.allCases where kind.exists(on: ios) {
            let choices = ChoiceSet(kind.choices(on: ios))
            for status in kind.statuses {
                for (ordinal, askedBefore) in [(1, 0), (1, 3), (2, 1), (10, 12)] {
                    for bits in 0..<4 {
                        let question = Question(
                            kind, choices: choices, ordinal: UInt32(ordinal),
                            askedBefore: UInt32(askedBefore), isPrimed: bits & 1 == 1,
                            isExpected: bits & 2 == 2, purpose: kind.purpose)
                        samples.append(PromptSample(question: question, status: status))
                    }
                }
            }
        }
        return samples
    }

    /// `when_in_use with allow or dont_allow, number 1 of its kind, primed, not expected`
    func phrase(on ios: IOSVersion) -> String {
        let choices = question.kind.choices(on: ios).map(\.rawValue)
        let last = choices.last ?? ""
        let listed = choices.dropLast().joined(separator: ", ") + " or \(last)"
        let primed = question.isPrimed ? "primed" : "not primed"
        let expected = question.isExpected ? "expected" : "not expected"
        return "a prompt \(question.kind.rawValue) with \(listed), number \(question.ordinal) of "
            + "its kind, \(question.askedBefore) asked before, \(primed), \(expected)"
    }
}

extension PromptKind {
    /// Whether the system shows such prompts on a version: rules P1 to P15.
    func exists(on ios: IOSVersion) -> Bool {
        switch self {
        case .whenInUse, .backgroundReminder, .servicesOff: true
        case .always: ios < .v13
        case .alwaysUpgrade: ios < .v13 || ios >= .v13_4
        case .alwaysConfirm: ios >= .v13
        case .temporaryFullAccuracy, .widget: ios >= .v14
        case .locationButton: ios >= .v15
        }
    }

    /// The statuses in which such a prompt comes.
    var statuses: [VisibleStatus] {
        switch self {
        case .whenInUse, .always: [.notDetermined]
        case .alwaysUpgrade, .widget: [.authorizedWhenInUse]
        case .alwaysConfirm, .backgroundReminder: [.authorizedAlways]
        case .temporaryFullAccuracy: [.authorizedWhenInUse, .authorizedAlways]
        case .locationButton: [.notDetermined, .denied]
        case .servicesOff: [.denied]
        }
    }

    /// I12: the usage description that such a prompt shows.
    var purpose: UsageText {
        switch self {
        case .whenInUse: .whenInUse
        case .always, .alwaysUpgrade, .alwaysConfirm, .backgroundReminder: .always
        case .temporaryFullAccuracy, .locationButton, .widget, .servicesOff: .none
        }
    }
}
