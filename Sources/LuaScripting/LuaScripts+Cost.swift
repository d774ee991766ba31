import AuthorizationCore
import CLuaShim
import SimPrimitives
import Simulation

/// What `locfleet-bench --lua` measures.
extension LuaScripts {
    /// Bytes that the state holds after a full collection.
    public var bytes: Int { Int(clua_measure_bytes(state.pointer)) }

    /// Calls the first behavior's `answer_prompt` by a bare `lua_pcall` with the count hook armed:
    /// what the same through the port is held against.
    ///
    /// - Precondition: the port has answered this question for this person before: the arguments
    ///   are those of that call.
    /// - Returns: whether all calls went through.
    public func answerBare(times: Int, random: inout RandomStream) -> Bool {
        guard let behavior = behaviors[0] as? LuaBehavior else { return false }
        return behavior.callBare(.answerPrompt, times: times, random: &random)
    }
}

extension LuaScript {
    func callBare(_ hook: HookName, times: Int, random: inout RandomStream) -> Bool {
        withUnsafeMutablePointer(to: &random) { stream in
            frame.pointee.random = UnsafeMutableRawPointer(stream)
            defer { frame.pointee.random = nil }
            return clua_measure_call(
                state.pointer, clua_hook(UInt32(hook.index)), functions[hook.index],
                UInt32(clamping: times)) == CLUA_OK
        }
    }
}
