import AuthorizationCore
import Foundation
import Metrics
import SimPrimitives
import Simulation
import Testing

/// What must hold by construction when all strategies meet the same people. Every statement also
/// counts what it is about: one that nobody can break proves nothing.
@Suite("The strategies that ship, on the same people")
struct StrategyComparisonTests {
    let run: StrategyRun

    init() throws { run = try StrategyRun.shared.get() }

    // MARK: - What iOS lets an app do

    @Test(
        "reach Always with the texts for it alone",
        arguments: StrategyRun.strategiesOfAlways.keys.sorted())
    func alwaysNeedsItsText(_ name: String) {
        #expect(run[name].lives.count { $0.firstInstant(of: .always) != nil } > 20, "\(name)")
        let textless = run[StrategyRun.withoutText(name)]
        #expect(textless.lives.reduce(0) { $0 + $1.textlessRequests } > 20, "\(name)")
        for (device, life) in textless.lives.enumerated() {
            #expect(
                !life.statuses.contains { $0.status == .always || $0.status == .provisionalAlways },
                "\(name), device \(device)")
            #expect(
                !life.prompts.contains { $0.shown.kind.offersAlways }, "\(name), device \(device)")
        }
    }

    @Test("offer Always in no prompt where they never ask for it")
    func foregroundOnly() {
        for name in ["foreground-only", "settings-recovery", "reask-after-once", "no-reask"] {
            let lives = run[name].lives
            #expect(lives.count { !$0.prompts.isEmpty } > 200, "\(name)")
            for (device, life) in lives.enumerated() {
                #expect(
                    life.prompts.allSatisfy { $0.shown.kind == .whenInUse },
                    "\(name), device \(device)")
            }
        }
    }

    @Test("meet the upgrade prompt or the later confirmation, as their first request was")
    func upgradeOrConfirm() {
        for (device, life) in run["always-first"].lives.enumerated() {
            #expect(life.prompts(.alwaysUpgrade).isEmpty, "always-first, device \(device)")
        }
        let confirmed = run["always-first"].lives.count { !$0.prompts(.alwaysConfirm).isEmpty }
        #expect(confirmed > 20)

        // On 13.0 to 13.3 a request after a grant makes a provisional Always (A7).
        var confirms = 0
        for (device, life) in run["base"].lives.enumerated() {
            if ios(device) == IOSVersion("13.3") {
                confirms += life.prompts(.alwaysConfirm).count
            } else {
                #expect(life.prompts(.alwaysConfirm).isEmpty, "progressive, device \(device)")
            }
        }
        #expect(confirms > 0)
        #expect(run["base"].lives.count { !$0.prompts(.alwaysUpgrade).isEmpty } > 50)
    }

    // MARK: - What the strategies say of themselves

    @Test("ask at launch in the first session, if they ask at launch")
    func firstSession() {
        for name in StrategyRun.armsAtLaunch {
            var asked = 0
            for (device, life) in run[name].lives.enumerated() {
                guard let first = life.sessions.first else { continue }
                asked += 1
                #expect(life.prompts.first?.shown.kind == .whenInUse, "\(name), device \(device)")
                #expect(life.prompts.first?.at == first.opened, "\(name), device \(device)")
            }
            #expect(asked > 250, "\(name)")
        }
    }

    @Test("ask at every tap of an undecided person, with reask_after_once.lua")
    func asksAgain() {
        var again = 0
        for (device, life) in run["reask-after-once"].lives.enumerated() {
            for tap in life.taps where tap.status == .notDetermined {
                if tap.isAfterLapse { again += 1 }
                #expect(
                    life.prompts.contains { $0.at == tap.at && $0.shown.kind == .whenInUse },
                    "device \(device), tap at \(tap.at.microseconds) us")
            }
        }
        #expect(again > 30, "few had an Allow Once that lapsed: \(again)")
    }

    @Test("gain people and lose none by asking again")
    func asksOnce() {
        let (once, again) = (run["no-reask"].lives, run["reask-after-once"].lives)
        var (gained, lapsed) = (0, 0)
        for (device, (first, second)) in zip(once, again).enumerated() {
            #expect(first.prompts.count <= 1, "device \(device)")
            #expect(first.prompts.first?.at == second.prompts.first?.at, "device \(device)")
            #expect(
                first.prompts.first?.answer == second.prompts.first?.answer, "device \(device)")
            let kept = (first.firstInstant(of: .whenInUse), second.firstInstant(of: .whenInUse))
            if kept.0 != nil { #expect(kept.0 == kept.1, "device \(device)") }
            if kept.0 == nil, kept.1 != nil { gained += 1 }
            // Nothing but the app's own question brings an undecided person out of it.
            guard first.firstInstant(of: .allowOnce) != nil else { continue }
            lapsed += 1
            #expect([.notDetermined, .allowOnce].contains(first.status), "device \(device)")
        }
        #expect(gained > 5 && lapsed > 15, "\(gained) of \(lapsed)")
    }

    // MARK: - The people

    @Test("meet the same people: persona, iOS, and who opens the app at all")
    func traits() {
        let base = run[StrategyRun.base].scenario
        for outcome in run.outcomes {
            for number in 0..<base.deviceCount {
                let id = DeviceID(number)
                #expect(
                    DeviceTraits(of: id, in: outcome.scenario) == DeviceTraits(of: id, in: base))
            }
        }
        #expect(base.funnels[0].steps[1].name == "opened")
        for (outcome, pairing) in zip(run.outcomes.dropFirst(), run.figures.pairings) {
            let opened = pairing[0].funnels[0][1]
            #expect(opened.onlyFirst == 0 && opened.onlySecond == 0, "\(outcome.name)")
            #expect(opened.both > 250, "\(outcome.name)")
        }
    }

    /// When the app is opened and left is the person's alone, until one follows an alert of the
    /// app's to Settings, which cuts a session and adds one. No other thing that an app does can
    /// move an opening, so whole lives agree, not only their beginnings.
    @Test("find the app open at the same instants, until an alert leads to Settings")
    func sessions() {
        let reference = run["on-launch"].lives  // That one has no alert.
        #expect(reference.allSatisfy { $0.tripAt == .never })
        for outcome in run.outcomes {
            var compared = 0
            for (device, (life, other)) in zip(outcome.lives, reference).enumerated() {
                let mine = life.sessions.filter { $0.opened < life.tripAt }
                let theirs = other.sessions.filter { $0.opened < life.tripAt }
                #expect(
                    mine.map(\.opened) == theirs.map(\.opened), "\(outcome.name), device \(device)")
                for (session, same) in zip(mine, theirs)
                where (session.closed ?? .never) < life.tripAt {
                    #expect(session.closed == same.closed, "\(outcome.name), device \(device)")
                    compared += 1
                }
            }
            #expect(compared > 3_000, "\(outcome.name): \(compared)")
        }
        let trips = run["settings-recovery"].lives.count { $0.tripAt != .never }
        #expect(trips > 5, "nobody followed an alert: \(trips)")
    }

    /// Later taps wait for what covers the app, which is the strategy's doing.
    @Test("are tapped first at the same instant, unless they ask at launch")
    func firstTaps() {
        let reference = run[StrategyRun.base].lives
        #expect(reference.count { !$0.taps.isEmpty } > 250)
        for outcome in run.outcomes
        where !StrategyRun.armsAtLaunch.contains(where: outcome.name.hasPrefix) {
            for (device, (life, other)) in zip(outcome.lives, reference).enumerated() {
                #expect(life.taps.first == other.taps.first, "\(outcome.name), device \(device)")
            }
        }
    }

    /// What the *k*-th prompt of a kind was answered with, in one arm.
    private struct Reaction {
        let arm: String
        let meeting: Life.Meeting

        /// All that the person can tell of the prompt.
        func hasSameCircumstances(as other: Life.Meeting) -> Bool { meeting.shown == other.shown }
    }

    private struct Occasion: Hashable {
        let device: Int
        let kind: PromptKind
        let ordinal: UInt32
    }

    /// The draw and the time to think are the person's own, whatever the circumstances; where these
    /// are the same too, so is the answer.
    @Test("are answered from the same draw at the k-th prompt of a kind")
    func draws() {
        var seen: [Occasion: [Reaction]] = [:]
        var (draws, answers) = (0, 0)
        for outcome in run.outcomes {
            for (device, life) in outcome.lives.enumerated() {
                for meeting in life.prompts {
                    guard let answer = meeting.answer, let at = meeting.answeredAt else { continue }
                    let occasion = Occasion(
                        device: device, kind: meeting.shown.kind, ordinal: meeting.shown.ordinal)
                    let earlier = seen[occasion] ?? []
                    let place = "\(outcome.name), \(occasion)"
                    if let first = earlier.first?.meeting, let firstAt = first.answeredAt {
                        #expect(answer.pick?.draw == first.answer?.pick?.draw, "\(place)")
                        #expect(at - meeting.at == firstAt - first.at, "\(place)")
                        draws += 1
                    }
                    let same = earlier.first { $0.hasSameCircumstances(as: meeting) }
                    if let same {
                        #expect(answer == same.meeting.answer, "\(place), and \(same.arm)")
                        answers += 1
                    } else {
                        seen[occasion, default: []].append(
                            Reaction(arm: outcome.name, meeting: meeting))
                    }
                }
            }
        }
        #expect(draws > 5_000 && answers > 3_000, "\(draws) draws, \(answers) answers")
    }

    private func ios(_ device: Int) -> IOSVersion {
        let scenario = run[StrategyRun.base].scenario
        return scenario.iosMix[DeviceTraits(of: DeviceID(UInt32(device)), in: scenario).ios].value
    }
}

extension PromptKind {
    fileprivate var offersAlways: Bool {
        [.always, .alwaysUpgrade, .alwaysConfirm].contains(self)
    }
}
