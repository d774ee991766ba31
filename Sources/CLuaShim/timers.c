/*
 * Timers and tasks of an app's process.
 *
 * The host keeps the instants, this file the functions: by number, in a table of the device's own,
 * which goes with the process. A task is a coroutine that app:start has begun; while it waits, it
 * stands in that table like the function of a timer.
 *
 * What a failing hook had begun to set or cancel is undone: see clua_settle_timers.
 */
#include "state.h"

/* MARK: The table of a device: function or coroutine by number; by its negative, that the hook in
 * hand has cancelled it. */

/* Pushes the table, a new one if need be. `timers`: the index of that slot. */
static void push_timers(lua_State *L, int timers) {
    lua_Integer place = (lua_Integer)state_of(L)->frame.index + 1;
    if (lua_rawgeti(L, timers, place) != LUA_TNIL) return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    state_of(L)->is_own_table = true;
    lua_rawseti(L, timers, place);
    state_of(L)->is_own_table = false;
    state_of(L)->has_timers = true;
}

/* Takes a key out of the table on top of the stack. Never raises: what is not there stays so, since
 * setting it to nothing could need memory. */
static void remove_key(lua_State *L, lua_Integer key) {
    bool is_there = lua_rawgeti(L, -1, key) != LUA_TNIL;
    lua_pop(L, 1);
    if (!is_there) return;
    lua_pushnil(L);
    lua_rawseti(L, -2, key);
}

/* Keeps the value on top of the stack as a new timer, and pops it. Returns its number. */
static lua_Integer keep(lua_State *L, int64_t wait, int64_t period) {
    clua_state *s = state_of(L);
    if (s->frame.timer_count >= CLUA_TIMERS_MAX)
        clua_fail(L, "an app has at most %d timers and waiting tasks at a time on a device: "
                  "cancel one first", CLUA_TIMERS_MAX);
    clua_act *act = clua_append_act(L, CLUA_SET_TIMER);
    act->number = ++s->timer_number;
    act->microseconds = wait;
    act->period = period;
    s->frame.timer_count++;
    push_timers(L, UP(SLOT_TIMERS));
    lua_insert(L, -2);
    lua_rawseti(L, -2, act->number);
    lua_pop(L, 1);
    return act->number;
}

static int64_t check_wait(lua_State *L, int index, const char *what) {
    char shown[64];
    int64_t microseconds;
    if (!clua_read_duration(L, index, &microseconds))
        clua_fail(L, "%s takes seconds in 0 ... 3153600000 (a hundred years), or a string such as "
                  "\"90s\" or \"2d\", not %s", what, clua_show(L, index, shown));
    return microseconds;
}

static void check_function(lua_State *L, int index, const char *what) {
    char shown[64];
    if (!lua_isfunction(L, index))
        clua_fail(L, "%s, not %s", what, clua_show(L, index, shown));
    lua_settop(L, index);
}

/* MARK: app:after, app:every */

/* A timer is a light userdata with its number: it can be kept, in self too. */
static void push_timer(lua_State *L, lua_Integer number) {
    lua_pushlightuserdata(L, (void *)((uintptr_t)number << TYPE_BITS | TYPE_TIMER));
}

int clua_set_timer(lua_State *L) {
    bool repeats = lua_tointeger(L, UP(UP_EXTRA)) != 0;
    clua_check_self(L, TYPE_APP, clua_set_timer, repeats);
    int64_t wait = check_wait(L, 2, repeats ? "every" : "after");
    if (repeats && wait < CLUA_PERIOD_MICROSECONDS_MIN)
        clua_fail(L, "every takes a period of at least %d second",
                  CLUA_PERIOD_MICROSECONDS_MIN / 1000000);
    check_function(L, 3, repeats ? "every takes a period and a function"
                                 : "after takes a time and a function");
    push_timer(L, keep(L, wait, repeats ? wait : 0));
    return 1;
}

/* timer:cancel(). What has fired, died or been cancelled can be cancelled again. */
int clua_cancel_timer(lua_State *L) {
    clua_state *s = state_of(L);
    uintptr_t bits = (uintptr_t)lua_touserdata(L, 1);
    if (!lua_islightuserdata(L, 1) || (bits & ((1 << TYPE_BITS) - 1)) != TYPE_TIMER)
        return clua_fail(L, "a timer is cancelled with a colon: timer:cancel()");
    if (s->frame.random == NULL || !s->is_strategy)
        return clua_fail(L, "a timer is cancelled while a hook of its app runs");
    lua_Integer number = (lua_Integer)(bits >> TYPE_BITS);
    if (lua_rawgeti(L, UP(SLOT_TIMERS), (lua_Integer)s->frame.index + 1) == LUA_TNIL) return 0;
    bool is_pending = lua_rawgeti(L, -1, number) != LUA_TNIL
        && lua_rawgeti(L, -2, -number) == LUA_TNIL;
    if (!is_pending) return 0;
    lua_settop(L, 2); /* the timer, the table */
    clua_append_act(L, CLUA_CANCEL_TIMER)->number = number;
    lua_pushboolean(L, true);
    lua_rawseti(L, 2, -number);
    s->frame.timer_count--;
    return 0;
}

/* MARK: Tasks */

/* Raises the error on top of the other stack here: it says already where it comes from. */
static int raise_from(lua_State *L, lua_State *task) {
    lua_xmove(task, L, 1);
    return lua_error(L);
}

/* The line at which a task stands that has yielded, in front of the message. */
static int refuse_yield(lua_State *L, lua_State *task) {
    lua_Debug at;
    const char *message = "coroutine.yield cannot pause a task: wait(seconds) does";
    for (int level = 0; lua_getstack(task, level, &at); level++) {
        lua_getinfo(task, "Sl", &at);
        if (at.currentline <= 0) continue;
        lua_pushfstring(L, "%s:%d: %s", at.short_src, at.currentline, message);
        return lua_error(L);
    }
    return clua_fail(L, "%s", message);
}

/* Runs the coroutine at `index` until it waits or ends, with the values on top of its stack. */
static void go_on(lua_State *L, int index, int arguments) {
    clua_state *s = state_of(L);
    lua_State *task = lua_tothread(L, index), *outer = s->task;
    int results;
    clua_arm(L, task);
    s->task = task;
    s->task_wait = -1;
    int status = lua_resume(task, L, arguments, &results);
    int64_t wait = s->task_wait;
    s->task = outer;
    s->task_wait = -1;
    if (status == LUA_OK) return;
    if (status != LUA_YIELD) raise_from(L, task);
    if (wait < 0) refuse_yield(L, task);
    lua_pop(task, results);
    lua_pushvalue(L, index);
    keep(L, wait, 0);
}

/* What a task is given: an app that is always the one of the hook in hand. */
static void push_app(lua_State *L) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)TYPE_APP);
}

/* app:start(function(self, app) ... wait(60) ... end): begins at once. */
int clua_start_task(lua_State *L) {
    clua_check_self(L, TYPE_APP, clua_start_task, 0);
    check_function(L, 2, "start takes a function");
    lua_State *task = lua_newthread(L);
    lua_sethook(task, clua_spend_slice, LUA_MASKCOUNT, CLUA_SLICE); /* Its caller may need none. */
    lua_pushvalue(L, 2);
    lua_rawgeti(L, UP(SLOT_APPS), (lua_Integer)state_of(L)->frame.index + 1);
    push_app(L);
    lua_xmove(L, task, 3);
    go_on(L, 3, 2);
    return 0;
}

/* wait(seconds), in a task: returns the app when they have passed. */
int clua_wait(lua_State *L) {
    clua_state *s = state_of(L);
    if (s->task == NULL)
        return clua_fail(L, "wait works inside app:start(function() ... end) alone: elsewhere "
                         "app:after(seconds, function) does it");
    if (s->task != L)
        return clua_fail(L, "wait pauses the task that app:start began, and cannot pause a "
                         "coroutine within it");
    if (!lua_isyieldable(L))
        return clua_fail(L, "wait cannot pause a task within a function that the host calls");
    s->task_wait = check_wait(L, 1, "wait");
    return lua_yield(L, 0);
}

/* Where `resume_body` lies among the methods, whose numbers are those of fields. */
enum { RESUME_PLACE = -1 };

/* A timer fell due, and its coroutine is at index 1. */
static int resume_body(lua_State *L) {
    lua_State *task = lua_tothread(L, 1);
    if (!lua_checkstack(task, 1)) return luaL_error(L, "too many values in a task");
    push_app(task);
    go_on(L, 1, 1);
    return 0;
}

/* MARK: For clua_call. Nothing here raises. */

int clua_push_due(clua_state *s) {
    lua_State *L = s->L;
    const clua_frame *f = &s->frame;
    if (lua_rawgeti(L, SLOT_TIMERS, (lua_Integer)f->index + 1) == LUA_TNIL) return -1;
    int type = lua_rawgeti(L, -1, f->timer);
    if (f->is_last_time && type != LUA_TNIL) {
        lua_pushnil(L);
        lua_rawseti(L, -3, f->timer);
    }
    lua_remove(L, -2);
    if (type == LUA_TNIL) return -1; /* Not kept: its hook failed, or its process ended. */
    if (type == LUA_TFUNCTION) {
        lua_rawgeti(L, SLOT_APPS, (lua_Integer)f->index + 1);
        push_object(L, s, TYPE_APP);
        return 2;
    }
    lua_rawgeti(L, SLOT_METHODS, RESUME_PLACE);
    lua_insert(L, -2);
    return 1;
}

void clua_settle_timers(clua_state *s, bool has_failed) {
    lua_State *L = s->L;
    const clua_frame *f = &s->frame;
    lua_Integer place = (lua_Integer)f->index + 1;
    s->task = NULL; /* Left behind where memory ran out. */
    if (!s->has_timers) return;
    lua_settop(L, SLOTS);
    if (lua_rawgeti(L, SLOT_TIMERS, place) != LUA_TNIL) {
        for (uint32_t i = 0; i < f->act_count; i++) {
            const clua_act *act = &f->acts[i];
            bool is_set = act->kind == CLUA_SET_TIMER;
            bool is_cancelled = act->kind == CLUA_CANCEL_TIMER;
            if (is_set ? has_failed : is_cancelled && !has_failed) remove_key(L, act->number);
            if (is_cancelled) remove_key(L, -act->number);
        }
        lua_pushnil(L);
        if (lua_next(L, SLOTS + 1) == 0) { /* Nothing is pending. */
            lua_pushnil(L);
            lua_rawseti(L, SLOT_TIMERS, place);
        }
    }
    lua_settop(L, SLOTS);
}

void clua_end_process(clua_state *s, uint32_t index) {
    lua_State *L = s->L;
    if (!s->has_timers) return;
    lua_rawgeti(L, SLOT_TIMERS, (lua_Integer)index + 1);
    bool is_there = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (is_there) {
        lua_pushnil(L);
        lua_rawseti(L, SLOT_TIMERS, (lua_Integer)index + 1);
    }
}

/* MARK: Definition */

void clua_define_timers(lua_State *L, int first) {
    clua_push_function(L, first, resume_body, 0);
    lua_rawseti(L, first + SLOT_METHODS - 1, RESUME_PLACE);
    clua_push_function(L, first, clua_wait, 0);
    lua_setfield(L, -2, "wait");
}
