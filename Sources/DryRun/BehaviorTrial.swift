import AuthorizationCore
import SimPrimitives
import Simulation

/// A dry run of one behavior: every hook on a sample of what it can meet.
public struct BehaviorTrial {
    /// Devices that a dry run may use: numbers below this, each with a `self` of its own.
    public static let deviceCount: UInt32 = 4_096

    private let behavior: any Behavior
    private let persona: UInt16
    private let personaName: String
    private let primers: [NameID]
    private let names: NameTable
    private var log: TrialLog

    /// - Parameters:
    ///   - persona: whose options it has, an index into the scenario's personas.
    ///   - primers: the ids of own screens that the app shows.
    ///   - names: the names of the block.
    public init(
        _ behavior: any Behavior, persona: Int, of scenario: Scenario, primers: [String],
        names: NameTable, limits: TrialLimits = TrialLimits()
    ) {
        self.behavior = behavior
        self.persona = UInt16(persona)
        personaName = scenario.personas[persona].name
        self.primers = primers.compactMap(names.id)
        self.names = names
        log = TrialLog(limits)
    }

    /// Instants of a life: the first day, and others at other hours.
    private static let instants = [
        SimTime.start + .seconds(30), SimTime.start + .hours(33), SimTime.start + .hours(88),
        SimTime.start + .hours(230), SimTime.start + .hours(24 * 29),
    ]

    public mutating func run(on versions: [IOSVersion]) -> TrialResult {
        var device: UInt32 = 0
        for ios in versions {
            for _ in 0..<log.limits.draws {
                live(ios, device: device % Self.deviceCount)
                device += 1
            }
        }
        return log.finished(behavior.hooks, of: HookName.behavior)
    }

    /// One person's life, from birth on.
    private mutating func live(_ ios: IOSVersion, device: UInt32) {
        let hooks = behavior.hooks
        var person = PersonView(
            device: DeviceID(device), indexInBlock: device, persona: persona, ios: ios,
            status: .notDetermined, time: .start)
        let behavior = behavior
        if hooks.contains(.born) {
            call(.born, person, 0) { person, random, acts throws(HookError) in
                try behavior.born(person, random: &random, acts: &acts)
            }
        }
        for (occasion, time) in Self.instants.dropLast().enumerated() {
            person.time = time
            days(&person, UInt32(occasion))
        }
        for (occasion, sample) in PromptSample.all(on: ios).enumerated()
        where hooks.contains(.answerPrompt) {
            person.time = Self.instants[occasion % Self.instants.count]
            person.status = sample.status
            call(.answerPrompt, person, UInt32(occasion), sample.phrase(on: ios)) {
                person, random, acts throws(HookError) in
                _ = try behavior.answerPrompt(
                    sample.question, person, random: &random, acts: &acts)
            }
        }
        person.time = Self.instants[Self.instants.count - 1]
        days(&person, UInt32(Self.instants.count))
    }

    private mutating func days(_ person: inout PersonView, _ occasion: UInt32) {
        for status in VisibleStatus.allCases {
            person.status = status
            day(person, occasion)
        }
    }

    /// What a person does without a prompt of the system.
    private mutating func day(_ person: PersonView, _ occasion: UInt32) {
        let (behavior, hooks) = (behavior, behavior.hooks)
        if hooks.contains(.nextOpen) {
            var span: SimDuration??
            call(.nextOpen, person, occasion) { person, random, acts throws(HookError) in
                span = .some(try behavior.nextOpen(person, random: &random, acts: &acts))
            }
            if let span { log.noteOpen(span) }
        }
        if hooks.contains(.sessionLength) {
            var span: SimDuration?
            call(.sessionLength, person, occasion) { person, random, acts throws(HookError) in
                span = try behavior.sessionLength(person, random: &random, acts: &acts)
            }
            if let span { log.noteSession(span) }
        }
        if hooks.contains(.nextTap) {
            call(.nextTap, person, occasion) { person, random, acts throws(HookError) in
                _ = try behavior.nextTap(person, random: &random, acts: &acts)
            }
        }
        for id in primers where hooks.contains(.answerPrimer) {
            call(.answerPrimer, person, occasion, "the own screen '\(names[id])'") {
                person, random, acts throws(HookError) in
                _ = try behavior.answerPrimer(id, person, random: &random, acts: &acts)
            }
        }
        if hooks.contains(.answerSettingsAlert), person.status == .denied {
            call(.answerSettingsAlert, person, occasion) { person, random, acts throws(HookError) in
                _ = try behavior.answerSettingsAlert(person, random: &random, acts: &acts)
            }
        }
        if hooks.contains(.eachDay) {
            call(.eachDay, person, occasion) { person, random, acts throws(HookError) in
                try behavior.eachDay(person, random: &random, acts: &acts)
            }
        }
    }

    private mutating func call(
        _ hook: HookName, _ person: PersonView, _ occasion: UInt32, _ about: String = "",
        _ body: (PersonView, inout RandomStream, inout [PhoneAct]) throws(HookError) -> Void
    ) {
        var random = RandomStream(
            seed: UInt64(hook.index), device: person.device, purpose: .born, occasion: occasion)
        var acts: [PhoneAct] = []
        let name = personaName
        log.attempt(
            hook, on: person.ios,
            {
                let subject = about.isEmpty ? "" : "\(about); "
                let day = person.time.microseconds / SimDuration.days(1).microseconds
                return "\(subject)persona \(name), iOS \(person.ios), status "
                    + "\(person.status.rawValue), day \(day)"
            }
        ) { () throws(HookError) in try body(person, &random, &acts) }
        for case .milestone(let id) in acts { log.noteMilestone(names[id]) }
    }
}
