import SimPrimitives
import Simulation

/// People and an app without scripts: what the engine does by itself.
///
/// They have the hooks of `config/bench/bare.json5`, of which none is ever called.
final class Nobody: Behavior {
    let hooks: HookSet = {
        var hooks = HookSet()
        hooks.insert(.answerPrompt)
        return hooks
    }()

    func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {}

    func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? { nil }

    func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration { .zero }

    func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap? { nil }

    func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply { Reply(.dontAllow) }

    func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer { .notNow }

    func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer { .cancel }

    func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {}
}

final class Nothing: Strategy {
    let hooks = HookSet()

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError) {}

    func processEnded(indexInBlock: UInt32) {}
    func forget(indexInBlock: UInt32) {}
}
