/* What scripts count: the tables metric and funnel. Carried out, like the rest, after the hook. */
#include "state.h"

static void check_hook(lua_State *L) {
    if (state_of(L)->frame.random == NULL)
        clua_fail(L, "metrics and steps are counted only while a hook runs");
}

static int metric_count(lua_State *L) {
    char shown[64];
    check_hook(L);
    clua_check_dot(L, "metric", "count");
    uint16_t name = clua_check_name(L, 1, "the name of a counter");
    int is_whole = 1;
    lua_Integer count = 1;
    if (!lua_isnoneornil(L, 2)) {
        count = clua_to_integer(L, 2, &is_whole);
        if (lua_type(L, 2) != LUA_TNUMBER || !is_whole || count < 1 || count > CLUA_COUNT_MAX)
            return clua_fail(L, "count takes a whole number in 1 ... %d, not %s", CLUA_COUNT_MAX,
                             clua_show(L, 2, shown));
    }
    clua_act *act = clua_append_act(L, CLUA_COUNT);
    act->word = name;
    act->number = count;
    return 0;
}

static int metric_observe(lua_State *L) {
    char shown[64];
    check_hook(L);
    clua_check_dot(L, "metric", "observe");
    uint16_t name = clua_check_name(L, 1, "the name of a histogram");
    lua_Number value = lua_type(L, 2) == LUA_TNUMBER ? lua_tonumber(L, 2) : 2 * CLUA_VALUE_MAX;
    if (!(value >= -CLUA_VALUE_MAX && value <= CLUA_VALUE_MAX)) /* Not a number is in no range. */
        return clua_fail(L, "observe takes a number in -1e12 ... 1e12, not %s",
                         clua_show(L, 2, shown));
    clua_act *act = clua_append_act(L, CLUA_OBSERVE);
    act->word = name;
    act->value = value;
    return 0;
}

static int funnel_step(lua_State *L) {
    check_hook(L);
    clua_check_dot(L, "funnel", "step");
    uint16_t name = clua_check_name(L, 1, "a step of funnels");
    clua_append_act(L, CLUA_MILESTONE)->word = name;
    return 0;
}

/* Pushes the function and sets it in the table below. */
static void add(lua_State *L, int first, const char *name, lua_CFunction function) {
    clua_push_function(L, first, function, 0);
    lua_setfield(L, -2, name);
}

void clua_define_metrics(lua_State *L, int first) {
    lua_newtable(L);
    add(L, first, "count", metric_count);
    add(L, first, "observe", metric_observe);
    lua_setfield(L, -2, "metric");
    lua_newtable(L);
    add(L, first, "step", funnel_step);
    lua_setfield(L, -2, "funnel");
}
