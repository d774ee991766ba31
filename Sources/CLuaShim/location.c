/* What of CoreLocation a process holds beside one manager. Which there are stands in the frame: it
 * is as it was when the hook began, and what the hook itself makes and ends is noted there. */
#include "state.h"

#include <stdio.h>
#include <string.h>

static clua_state *check_strategy(lua_State *L, const char *name) {
    clua_state *s = state_of(L);
    if (s->frame.random == NULL || !s->is_strategy)
        clua_fail(L, "an app can call %s only while a hook runs", name);
    return s;
}

static void check_no_arguments(lua_State *L, int first, const char *name) {
    char shown[64];
    if (!lua_isnoneornil(L, first))
        clua_fail(L, "%s takes nothing, not %s", name, clua_show(L, first, shown));
}

bool clua_is_held(const clua_state *s, enum clua_type type, unsigned number) {
    const clua_frame *f = &s->frame;
    switch (type) {
    case TYPE_MANAGER: return f->managers[number].is_alive;
    case TYPE_SERVICE_SESSION: return f->held >> number & 1;
    case TYPE_BACKGROUND_SESSION: return f->held & CLUA_HELD_BACKGROUND;
    case TYPE_LIVE_UPDATES: return f->held & CLUA_HELD_LIVE_UPDATES;
    default: return true;
    }
}

/* MARK: Managers */

void clua_push_manager_name(lua_State *L, unsigned slot) {
    if (slot == 0) lua_pushliteral(L, "main");
    else clua_push_name(L, UP_WORDS(CLUA_NAMES), state_of(L)->frame.managers[slot].name);
}

/* The slot of the manager of that name, or CLUA_MANAGERS_MAX. */
static unsigned find_manager(lua_State *L, int name) {
    const clua_frame *f = &state_of(L)->frame;
    unsigned slot = 0;
    for (; slot < CLUA_MANAGERS_MAX; slot++) {
        if (!f->managers[slot].is_alive) continue;
        clua_push_manager_name(L, slot);
        bool is_same = lua_rawequal(L, -1, name);
        lua_pop(L, 1);
        if (is_same) break;
    }
    return slot;
}

void clua_push_manager(lua_State *L) {
    unsigned slot = find_manager(L, 2);
    if (slot == CLUA_MANAGERS_MAX) lua_pushnil(L);
    else push_numbered(L, state_of(L), TYPE_MANAGER, slot);
}

/* CLLocationManager() makes another manager; a name of ours tells it apart. */
static int make_manager(lua_State *L) {
    clua_state *s = check_strategy(L, "CLLocationManager()");
    unsigned slot = 1;
    while (slot < CLUA_MANAGERS_MAX
           && (s->frame.managers[slot].is_alive || s->frame.managers[slot].was_released))
        slot++;
    if (slot == CLUA_MANAGERS_MAX)
        return clua_fail(L, "a process has at most %d location managers, the app's own included",
                         CLUA_MANAGERS_MAX);
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_pushfstring(L, "manager %d", (int)slot + 1);
    }
    uint16_t name = clua_check_name(L, 1, "the identifier of a manager");
    if (find_manager(L, 1) != CLUA_MANAGERS_MAX)
        return clua_fail(L, "this process has a manager '%s' already: it is app.managers['%s']",
                         lua_tostring(L, 1), lua_tostring(L, 1));
    clua_act act = {.kind = CLUA_CREATE_MANAGER, .manager = (uint8_t)slot, .word = name};
    *clua_append_act(L, CLUA_CREATE_MANAGER) = act;
    s->frame.managers[slot] =
        (clua_manager){.is_alive = true, .pauses_automatically = true, .name = name};
    if (s->frame.managers_filled <= slot) s->frame.managers_filled = (uint8_t)(slot + 1);
    push_numbered(L, s, TYPE_MANAGER, slot);
    return 1;
}

int clua_release_manager(lua_State *L) {
    clua_check_self(L, TYPE_MANAGER, clua_release_manager, 0);
    unsigned slot = object_number(L, 1);
    if (slot == 0)
        return clua_fail(L, "the app's own manager lives as long as its process: release one "
                         "that CLLocationManager() has made");
    clua_append_act(L, CLUA_RELEASE_MANAGER)->manager = (uint8_t)slot;
    state_of(L)->frame.managers[slot] = (clua_manager){.was_released = true};
    return 0;
}

int clua_set_property(lua_State *L, enum clua_act_kind kind, const char *name) {
    char shown[64];
    unsigned slot = object_number(L, 1);
    clua_act act = {.kind = (uint8_t)kind, .manager = (uint8_t)slot};
    if (kind == CLUA_DESIRE_ACCURACY)
        act.word = clua_check_word(L, 3, CLUA_DESIRED_ACCURACIES, "accuracy of Apple's");
    else if (!lua_isboolean(L, 3))
        clua_fail(L, "%s is true or false, not %s", name, clua_show(L, 3, shown));
    if (kind == CLUA_DESIRE_ACCURACY
        && strcmp(lua_tostring(L, 3), "kCLLocationAccuracyReduced") == 0)
        clua_check_version(L, "kCLLocationAccuracyReduced", 14);
    act.is_on = lua_toboolean(L, 3);
    *clua_append_act(L, kind) = act;
    clua_manager *manager = &state_of(L)->frame.managers[slot];
    switch (kind) {
    case CLUA_ALLOW_BACKGROUND: manager->allows_background = act.is_on; break;
    case CLUA_PAUSE_AUTOMATICALLY: manager->pauses_automatically = act.is_on; break;
    case CLUA_SHOW_INDICATOR: manager->shows_indicator = act.is_on; break;
    default: manager->desired_accuracy = (uint8_t)act.word;
    }
    return 0;
}

/* MARK: Sessions */

static const char authorization[] =
    "authorization of a service session";

void clua_push_held(lua_State *L, enum clua_type type, enum clua_held held) {
    const clua_state *s = state_of(L);
    if (s->frame.held & held) push_object(L, s, type);
    else lua_pushnil(L);
}

void clua_push_service_session(lua_State *L) {
    const clua_state *s = state_of(L);
    uint16_t level = clua_check_word(L, 2, CLUA_ACCESSES, authorization);
    if (s->frame.held >> level & 1) push_numbered(L, s, TYPE_SERVICE_SESSION, level);
    else lua_pushnil(L);
}

static const char session_usage[] =
    "CLServiceSession takes { authorization = \"whenInUse\" or \"always\", "
    "fullAccuracyPurposeKey = key }, not %s";

/* CLServiceSession { authorization = "whenInUse", fullAccuracyPurposeKey = key }. */
static int make_service_session(lua_State *L) {
    char shown[64], text[128];
    static const char *const names[] = {"authorization", "fullAccuracyPurposeKey"};
    clua_state *s = check_strategy(L, "CLServiceSession()");
    clua_check_version(L, "CLServiceSession", 18);
    if (!lua_istable(L, 1)) return clua_fail(L, session_usage, clua_show(L, 1, shown));
    clua_push_contents(L, 1);
    clua_spend(L, 100); /* A table that was large once takes long. */
    int table = lua_gettop(L);
    if (clua_push_other_key(L, table, names, 2)) {
        struct nearest nearest =
            clua_nearest_to(lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
        for (int i = 0; i < 2; i++) clua_offer(&nearest, names[i]);
        return clua_fail(L, "a service session has an authorization and a fullAccuracyPurposeKey, "
                         "and no %s%s", clua_show(L, -1, shown), clua_suggestion(&nearest, text));
    }
    lua_pushstring(L, names[0]);
    lua_rawget(L, table);
    clua_act act = {.kind = CLUA_HOLD_SERVICE_SESSION, .other = CLUA_NO_WORD};
    act.word = clua_check_word(L, lua_gettop(L), CLUA_ACCESSES, authorization);
    lua_pushstring(L, names[1]);
    lua_rawget(L, table);
    if (!lua_isnil(L, -1)) act.other = clua_check_name(L, lua_gettop(L), "a purpose key");
    *clua_append_act(L, CLUA_HOLD_SERVICE_SESSION) = act;
    s->frame.held |= (uint8_t)(1 << act.word);
    push_numbered(L, s, TYPE_SERVICE_SESSION, act.word);
    return 1;
}

static int make_background_session(lua_State *L) {
    clua_state *s = check_strategy(L, "CLBackgroundActivitySession()");
    clua_check_version(L, "CLBackgroundActivitySession", 17);
    check_no_arguments(L, 1, "CLBackgroundActivitySession");
    clua_append_act(L, CLUA_HOLD_BACKGROUND_SESSION)->is_on = true;
    s->frame.held |= CLUA_HELD_BACKGROUND;
    push_object(L, s, TYPE_BACKGROUND_SESSION);
    return 1;
}

static int make_live_updates(lua_State *L) {
    clua_state *s = check_strategy(L, "CLLocationUpdate.liveUpdates()");
    clua_check_version(L, "CLLocationUpdate.liveUpdates", 17);
    check_no_arguments(L, 1, "CLLocationUpdate.liveUpdates");
    clua_append_act(L, CLUA_START)->word = CLUA_LIVE_UPDATES;
    s->frame.held |= CLUA_HELD_LIVE_UPDATES;
    push_object(L, s, TYPE_LIVE_UPDATES);
    return 1;
}

/* session:invalidate() of both kinds, and live_updates:cancel(). */
int clua_session_method(lua_State *L) {
    clua_frame *f = &state_of(L)->frame;
    enum clua_type type =
        lua_islightuserdata(L, 1) ? clua_check_alive(L, 1) : TYPE_PERSON;
    switch (type) {
    case TYPE_SERVICE_SESSION:
        clua_append_act(L, CLUA_END_SERVICE_SESSION)->word = (uint16_t)object_number(L, 1);
        f->held &= (uint8_t)~(1 << object_number(L, 1));
        return 0;
    case TYPE_BACKGROUND_SESSION:
        clua_append_act(L, CLUA_HOLD_BACKGROUND_SESSION);
        f->held &= (uint8_t)~CLUA_HELD_BACKGROUND;
        return 0;
    case TYPE_LIVE_UPDATES:
        clua_append_act(L, CLUA_STOP)->word = CLUA_LIVE_UPDATES;
        f->held &= (uint8_t)~CLUA_HELD_LIVE_UPDATES;
        return 0;
    default:
        return clua_fail(L, "a method of a session is called with a colon: session:invalidate(), "
                         "live_updates:cancel()");
    }
}

/* MARK: The monitor */

/* CLMonitor("name") opens the app's monitor and awaits its events. */
static int open_monitor(lua_State *L) {
    clua_state *s = check_strategy(L, "CLMonitor()");
    clua_check_version(L, "CLMonitor", 17);
    uint16_t name = clua_check_name(L, 1, "the name of a monitor");
    bool is_other = (s->frame.held & CLUA_HELD_MONITOR) && s->frame.monitor != name;
    if (is_other) {
        clua_push_name(L, UP_WORDS(CLUA_NAMES), s->frame.monitor);
        return clua_fail(L, "a process has one CLMonitor here, and '%s' is open: add the "
                         "condition to app.monitor", lua_tostring(L, -1));
    }
    clua_append_act(L, CLUA_OPEN_MONITOR)->word = name;
    s->frame.held |= CLUA_HELD_MONITOR;
    s->frame.monitor = name;
    push_object(L, s, TYPE_MONITOR);
    return 1;
}

/* monitor:add { identifier = name, latitude = , longitude = , radius = }, monitor:remove(name). */
int clua_monitor_method(lua_State *L) {
    char shown[64];
    enum clua_act_kind kind = (enum clua_act_kind)lua_tointeger(L, UP(UP_EXTRA));
    clua_check_self(L, TYPE_MONITOR, clua_monitor_method, (int)kind);
    clua_act act = {.kind = (uint8_t)kind};
    if (kind == CLUA_REMOVE_CONDITION) {
        act.word = clua_check_name(L, 2, "the identifier of a condition");
    } else if (lua_istable(L, 2)) {
        clua_read_circle(L, 2, "condition", true, &act);
    } else {
        return clua_fail(L, "add takes { identifier = name, latitude = degrees, longitude = "
                         "degrees, radius = meters }, not %s", clua_show(L, 2, shown));
    }
    *clua_append_act(L, kind) = act;
    return 0;
}

/* MARK: Definition */

void clua_define_location(lua_State *L, int first) {
    static const luaL_Reg functions[] = {
        {"CLLocationManager", make_manager},
        {"CLServiceSession", make_service_session},
        {"CLBackgroundActivitySession", make_background_session},
        {"CLMonitor", open_monitor},
        {"liveUpdates", make_live_updates},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        clua_push_function(L, first, functions[i].func, 0);
        lua_setfield(L, -2, functions[i].name);
    }
}
