import AuthorizationCore
import DeviceCore
import Simulation
import Telemetry

/// Turns records into sentences, and remembers what the sentences after need.
struct StoryTeller {
    private let scenario: Scenario
    private let names: NameTable
    private(set) var isInSession = false
    private(set) var isInstalled = true
    private(set) var sessions: UInt64 = 0
    private var visible = VisibleStatus.notDetermined
    private var trueStatus = TrueStatus.notDetermined

    init(scenario: Scenario, names: NameTable) { (self.scenario, self.names) = (scenario, names) }

    /// Both views of the status now.
    var status: String { visible.spoken(with: trueStatus) }

    mutating func sentence(of content: RecordContent) -> StorySentence {
        switch content {
        case .installed: installed(true, "installed the app")
        case .opened(let launch): opened(launch)
        case .closed(let closing): closed(closing)
        case .tapped(let feature): StorySentence("tapped \(names[feature])")
        case .feature(let feature, let outcome):
            StorySentence("\(names[feature]) ended with \(names[outcome])")
        case .primer(let id, let answer):
            StorySentence("the app's own screen \"\(names[id])\" explained; chose \(answer.spoken)")
        case .settingsAlert(let answer):
            StorySentence(
                "the app pointed to Settings; "
                    + (answer == .openSettings ? "went there" : "chose Cancel"))
        case .prompt(let prompt): prompted(prompt)
        case .answer(let answer): answered(answer)
        case .unanswered(let kind, let rule):
            StorySentence("the \(kind.spoken) went away without an answer", by: rule)
        case .status(let visible, let trueStatus, let rule):
            changed(to: visible, trueStatus, by: rule)
        case .callback(let status, let accuracy): calledBack(status, accuracy)
        case .requestIgnored(let call, let reason, let rule):
            StorySentence("the app called \(call.rawValue): ignored, \(reason.spoken)", by: rule)
        case .settings(let visit): visited(visit)
        case .world(.deleteApp): installed(false, WorldChange.deleteApp.sentence)
        case .world(.removeAppClip): installed(false, WorldChange.removeAppClip.sentence)
        case .world(.reinstall): installed(true, WorldChange.reinstall.sentence)
        case .world(let change): StorySentence(change.sentence)
        case .upgraded(let version): StorySentence("iOS was upgraded to \(version)")
        case .milestone(let name): StorySentence("milestone \(names[name])")
        case .scriptFailure(let place): failed(place)
        }
    }

    private mutating func installed(_ isInstalled: Bool, _ sentence: String) -> StorySentence {
        self.isInstalled = isInstalled
        return StorySentence(sentence)
    }

    private mutating func opened(_ launch: Launch) -> StorySentence {
        guard launch == .person else {
            return StorySentence("the system started the app in the background")
        }
        sessions += 1
        isInSession = true
        return StorySentence("opened the app (\(ordinal(sessions)) time)")
    }

    private mutating func closed(_ closing: Closing) -> StorySentence {
        isInSession = false
        return StorySentence(closing.sentence)
    }

    private func prompted(_ prompt: PromptShown) -> StorySentence {
        let buttons = prompt.choices.inDisplayOrder(of: prompt.kind)
            .map { "[\($0.label(on: prompt.kind).replacing(" ", with: "\u{A0}"))]" }
        var remarks = ["\(ordinal(UInt64(prompt.ordinal))) of its kind"]
        if prompt.isPrimed { remarks.append("explained before") }
        if prompt.isExpected { remarks.append("expected") }
        return StorySentence(
            "\(prompt.kind.spoken) (\(remarks.joined(separator: ", "))): "
                + buttons.joined(separator: " "))
    }

    private func answered(_ answer: PromptAnswered) -> StorySentence {
        var text = "chose \(answer.choice.label(on: answer.kind))"
        if !answer.isPrecise { text += ", Precise Location off" }
        if let pick = answer.pick {
            text += " (share \(rounded(pick.share)), drew \(rounded(pick.draw)))"
        }
        return StorySentence(text)
    }

    private mutating func changed(
        to visible: VisibleStatus, _ trueStatus: TrueStatus, by rule: RuleID
    ) -> StorySentence {
        let before = status
        (self.visible, self.trueStatus) = (visible, trueStatus)
        // A change of the accuracy alone is recorded as a status, too.
        let text = before == status ? "\(status), as before" : "\(before) → \(status)"
        return StorySentence(text, by: rule)
    }

    private func calledBack(_ status: VisibleStatus, _ accuracy: Accuracy?) -> StorySentence {
        let heard = status == visible ? status.spoken(with: trueStatus) : status.spoken
        let suffix =
            switch accuracy {
            case .fullAccuracy?: status.isAuthorized ? ", full accuracy" : ""  // ST2
            case .reducedAccuracy?: ", reduced accuracy"
            case nil: ""
            }
        return StorySentence("the app heard: \(heard)\(suffix)")
    }

    private func visited(_ visit: SettingsVisit) -> StorySentence {
        switch visit {
        case .row(let row): StorySentence("in Settings: chose \(row.label)")
        case .precise(let isOn):
            StorySentence("in Settings: turned Precise Location \(isOn ? "on" : "off")")
        case .locationServices(let isOn):
            StorySentence("in Settings: turned Location Services \(isOn ? "on" : "off")")
        }
    }

    private func failed(_ place: ScriptFailurePlace) -> StorySentence {
        let script = scenario.scripts[Int(place.script)].name
        let line = place.line == 0 ? "" : ":\(place.line)"
        return StorySentence(
            "\(script)\(line) failed in \(place.hook.rawValue) (\(place.code.rawValue)); "
                + "the fallback stood in")
    }

    /// To four decimals at most: a story needs no more.
    private func rounded(_ share: Double) -> String {
        guard share >= 0, share <= 1 else { return share.description }
        return decimal(millionths: UInt64((share * 10_000).rounded()) * 100)
    }
}
