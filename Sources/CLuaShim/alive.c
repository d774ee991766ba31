/* Whose call a host object belongs to, and whether it is there still. */
#include "state.h"

static const char *const type_names[] = {
    "person", "prompt", "primer", "settings alert", "app", "manager", "list of locations",
    "location", "region", "timer", "list of managers", "visit", "heading",
    "list of service sessions", "service session", "diagnostics", "background activity session",
    "monitor", "monitor event", "sequence of live updates", "live update"};

const char *clua_type_name(uint32_t type) {
    return type < sizeof type_names / sizeof type_names[0] ? type_names[type] : NULL;
}

enum clua_type clua_check_any(lua_State *L, int index) {
    const clua_state *s = state_of(L);
    uintptr_t bits = (uintptr_t)lua_touserdata(L, index);
    enum clua_type type = (enum clua_type)(bits & ((1 << TYPE_BITS) - 1));
    uintptr_t call = bits >> OBJECT_BITS;
    if (type == TYPE_TIMER) call = 0; /* Where others have their call it has its number. */
    /* The global `app` holds no call: it is whatever app the hook runs for. Nor does a timer. */
    bool is_global = (call == 0 && type == TYPE_APP && s->is_strategy) || type == TYPE_TIMER;
    if (s->frame.random == NULL || (call != s->call_number && !is_global))
        clua_fail(
            L, "this %s is gone: it lasts as long as its hook runs%s", type_names[type],
            !s->is_timer          ? ""
            : type == TYPE_APP    ? ", and a timer's function is given its own: function(self, app)"
            : type == TYPE_MANAGER ? ": app.manager is there after a wait and in a timer"
                                  : "");
    if (type != TYPE_TIMER && !clua_is_held(s, type, object_number(L, index)))
        clua_fail(L, "this %s has %s", type_names[type],
                  type == TYPE_MANAGER ? "been released" : "ended");
    return type;
}

void clua_check_self(lua_State *L, enum clua_type type, lua_CFunction method, int extra) {
    if (!lua_islightuserdata(L, 1) || clua_check_alive(L, 1) != type)
        clua_fail(L, "a method of the %s is called with a colon: %s:%s(...)", type_names[type],
                  type_names[type], clua_method_name(type, method, extra));
}
