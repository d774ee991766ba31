import SimPrimitives
import Simulation

/// People and an app without scripts: what the engine does by itself.
///
/// They have the hooks of `config/bench/bare.json5`, of which none is ever called.
final class Nobody: IdleBehavior {
    let hooks: HookSet = {
        var hooks = HookSet()
        hooks.insert(.answerPrompt)
        return hooks
    }()
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
