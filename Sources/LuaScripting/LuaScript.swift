import AuthorizationCore
import CLuaShim
import SimPrimitives
import Simulation

/// What a Lua behavior and a Lua strategy have in common: calling a hook.
struct LuaScript {
    let state: LuaState
    let hooks: HookSet
    let frame: UnsafeMutablePointer<clua_frame>
    /// Index into `Scenario.scripts`.
    let number: UInt16
    /// The shared table of option values.
    let options: UInt32
    private let script: LoadedScript

    init(_ state: LuaState, _ script: LoadedScript, number: UInt16, options: UInt32) {
        (self.state, self.script, self.number) = (state, script, number)
        self.options = options
        hooks = script.outline.hooks
        frame = state.frame
    }

    var functions: [Int32] { script.functions }

    /// Calls `hook` on what the frame says.
    func call(_ hook: HookName, _ random: inout RandomStream) throws(HookError) {
        let status = withUnsafeMutablePointer(to: &random) { stream in
            frame.pointee.random = UnsafeMutableRawPointer(stream)
            return clua_call(
                state.pointer, clua_hook(UInt32(hook.index)), script.functions[hook.index])
        }
        if status != CLUA_OK { throw failure(status, hook) }
    }

    private func failure(_ status: clua_status, _ hook: HookName) -> HookError {
        let place = Place(of: state.message, in: script.name)
        let text =
            place.line.map { "\(script.name):\($0): \(place.reason)" }
            ?? "\(script.name): \(place.reason)"
        let code: ScriptFailureCode
        switch status {
        case CLUA_MEMORY:
            let detail = "scripts have used up their memory in \(hook.rawValue): \(text)"
            return .run(
                RunFailure(
                    .scriptMemoryExhausted, device: frame.pointee.device, detail: detail))
        case CLUA_TOO_MANY_NAMES:
            return .run(RunFailure(.tooManyNames, device: frame.pointee.device, detail: text))
        case CLUA_BAD_REPLY: code = .badReply
        case CLUA_BUDGET: code = .budgetExhausted
        case CLUA_STRING: code = .stringTooLong
        default: code = .runtime
        }
        // What a hook returns has no line of its own: then it is the line of the hook.
        let line = place.line.map { UInt32(clamping: $0) } ?? script.lines[hook.index]
        return .script(
            ScriptFailure(
                place: ScriptFailurePlace(script: number, hook: hook, code: code, line: line),
                message: text))
    }
}
