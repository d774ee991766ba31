import SimPrimitives

/// A behavior whose hooks a witness hears of.
final class WitnessedBehavior: Behavior {
    private let behavior: any Behavior
    private let witness: any WorkWitness
    private let script: UInt16
    let hooks: HookSet

    init(_ behavior: any Behavior, script: Int, _ witness: any WorkWitness) {
        (self.behavior, self.script, self.witness) = (behavior, UInt16(script), witness)
        hooks = behavior.hooks
    }

    private func within<Value>(
        _ hook: HookName, _ body: () throws(HookError) -> Value
    ) throws(HookError) -> Value {
        let before = witness.came(to: WorkPlace(.scripts, hook: hook, script: script))
        defer { _ = witness.came(to: before) }
        return try body()
    }

    func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {
        let person = copy person
        try within(.born) { () throws(HookError) in
            try behavior.born(person, random: &random, acts: &acts)
        }
    }

    func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? {
        let person = copy person
        return try within(.nextOpen) { () throws(HookError) in
            try behavior.nextOpen(person, random: &random, acts: &acts)
        }
    }

    func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration {
        let person = copy person
        return try within(.sessionLength) { () throws(HookError) in
            try behavior.sessionLength(person, random: &random, acts: &acts)
        }
    }

    func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap? {
        let person = copy person
        return try within(.nextTap) { () throws(HookError) in
            try behavior.nextTap(person, random: &random, acts: &acts)
        }
    }

    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply {
        let (question, person) = (copy question, copy person)
        return try within(.answerPrompt) { () throws(HookError) in
            try behavior.answerPrompt(question, person, random: &random, acts: &acts)
        }
    }

    func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer {
        let person = copy person
        return try within(.answerPrimer) { () throws(HookError) in
            try behavior.answerPrimer(id, person, random: &random, acts: &acts)
        }
    }

    func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer {
        let person = copy person
        return try within(.answerSettingsAlert) { () throws(HookError) in
            try behavior.answerSettingsAlert(person, random: &random, acts: &acts)
        }
    }

    func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {
        let person = copy person
        try within(.eachDay) { () throws(HookError) in
            try behavior.eachDay(person, random: &random, acts: &acts)
        }
    }
}

/// A strategy whose hooks a witness hears of.
final class WitnessedStrategy: Strategy {
    private let strategy: any Strategy
    private let witness: any WorkWitness
    private let script: UInt16
    let hooks: HookSet

    init(_ strategy: any Strategy, script: Int, _ witness: any WorkWitness) {
        (self.strategy, self.script, self.witness) = (strategy, UInt16(script), witness)
        hooks = strategy.hooks
    }

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {
        let before = witness.came(to: WorkPlace(.scripts, hook: event.hook, script: script))
        defer { _ = witness.came(to: before) }
        try strategy.handle(event, app, random: &random, calls: &calls)
    }

    func forget(indexInBlock: UInt32) { strategy.forget(indexInBlock: indexInBlock) }
    func processEnded(indexInBlock: UInt32) { strategy.processEnded(indexInBlock: indexInBlock) }
}

extension DeviceRunner {
    /// The player itself where nobody looks.
    static func witnessed(
        _ behavior: any Behavior, script: Int, _ witness: (any WorkWitness)?
    ) -> any Behavior {
        witness.map { WitnessedBehavior(behavior, script: script, $0) } ?? behavior
    }

    static func witnessed(
        _ strategy: any Strategy, script: Int, _ witness: (any WorkWitness)?
    ) -> any Strategy {
        witness.map { WitnessedStrategy(strategy, script: script, $0) } ?? strategy
    }
}
