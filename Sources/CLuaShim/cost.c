/* What locfleet-bench compares the bridge with. */
#include "state.h"

enum clua_status clua_measure_call(
    clua_state *s, enum clua_hook hook, int function, uint32_t times) {
    lua_State *L = s->L;
    struct memory memory = clua_memory(s, hook);
    s->is_strategy = hook >= CLUA_LAUNCHED;
    enum clua_status status = clua_prepare(s, hook, &memory);
    if (status != CLUA_OK) return status;
    clua_begin(s, INT64_MAX, true);
    s->call_number++;
    lua_rawgeti(L, LUA_REGISTRYINDEX, function & ~CLUA_UNCOUNTED);
    for (uint32_t i = 0; i < times && status == CLUA_OK; i++) {
        s->call_bytes = 0;
        s->frame.act_count = 0;
        lua_pushvalue(L, SLOTS + 1);
        lua_rawgeti(L, memory.slot, memory.place);
        int arguments = clua_push_arguments(s, hook) + 1;
        int outcome = lua_pcall(L, arguments, clua_result_count(hook), 0);
        if (outcome != LUA_OK) status = clua_take_error(s, outcome);
        lua_settop(L, SLOTS + 1);
    }
    lua_settop(L, SLOTS);
    return status;
}

size_t clua_measure_bytes(clua_state *s) {
    lua_gc(s->L, LUA_GCCOLLECT); /* No finalizer of a script's: it cannot raise. */
    return s->live_bytes;
}
