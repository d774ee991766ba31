/*
 * Nothing leaks between devices.
 *
 * All devices of a block share one Lua state, and their order in it is not part of the result. So
 * whatever a script's hooks can reach once it is loaded, beside the tables they are given, must
 * stay as it is: tables become read-only views, and functions that would assign to a variable
 * outside themselves are found in their bytecode and refused.
 */
#include "state.h"

#include <stdio.h>
#include <string.h>

/* MARK: Read-only views */

/* Places in the metatable of a view. Scripts cannot make metatables with such keys. */
enum { CONTENTS = 1, PARENT = 2 };

void clua_push_contents(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (lua_getmetatable(L, index)) {
        if (lua_rawgeti(L, -1, CONTENTS) == LUA_TTABLE) {
            lua_remove(L, -2);
            return;
        }
        lua_pop(L, 2);
    }
    lua_pushvalue(L, index);
}

static int view_length(lua_State *L) {
    clua_push_contents(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

/* The variable by which the function of the script knows the table at index 1, or NULL. */
static const char *outside_name(lua_State *L) {
    lua_Debug at;
    const char *name;
    for (int level = 1; lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "Slf", &at);
        int function = lua_gettop(L);
        if (at.currentline <= 0 || strcmp(at.short_src, "prelude") == 0) {
            lua_pop(L, 1);
            continue;
        }
        for (int i = 1; (name = lua_getupvalue(L, function, i)) != NULL; i++) {
            if (lua_rawequal(L, -1, 1)) return name;
            lua_pop(L, 1);
        }
        return NULL;
    }
    return NULL;
}

/* For a table of the script's. */
static int view_newindex(lua_State *L) {
    char text[64], table[CLUA_NAME_BYTES_MAX + 3] = "this";
    const char *name = outside_name(L);
    if (name != NULL) snprintf(table, sizeof table, "'%.*s'", CLUA_NAME_BYTES_MAX, name);
    return clua_fail(
        L, "the key %s cannot be set here: %s is a table of the script's, and all devices share "
        "it; keep it in self", clua_show(L, 2, text), table);
}

/* For a list or table of the host's. */
static int sealed_newindex(lua_State *L) {
    char text[64];
    return clua_fail(
        L, "the key %s cannot be set here: this table is read-only, and all devices share it; "
        "copy it into a local", clua_show(L, 2, text));
}

/* For a table that had an `__index` of its own. */
static int view_index(lua_State *L) {
    lua_getmetatable(L, 1);
    lua_rawgeti(L, -1, CONTENTS);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    if (lua_rawgeti(L, 3, PARENT) == LUA_TFUNCTION) {
        lua_pushvalue(L, 1);
        lua_pushvalue(L, 2);
        lua_call(L, 2, 1);
    } else {
        lua_pushvalue(L, 2);
        lua_gettable(L, -2);
    }
    return 1;
}

/* Completes the metatable on top of the stack; the contents lie below it. */
static void finish_view(lua_State *L, bool has_length, lua_CFunction newindex) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, CONTENTS);
    lua_pushcfunction(L, newindex);
    lua_setfield(L, -2, "__newindex");
    if (has_length) return;
    lua_pushcfunction(L, view_length);
    lua_setfield(L, -2, "__len");
}

void clua_push_sealed(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushinteger(L, 1);
    lua_setfield(L, -2, "height");
    lua_pushvalue(L, -3);
    lua_insert(L, -2);
    finish_view(L, false, sealed_newindex); /* contents, view, contents, metatable */
    lua_setmetatable(L, -3);
    lua_pop(L, 1);
    lua_remove(L, -2);
}

/* Moves what the table at `index` holds into another, and makes it a view of that. */
static void seal(lua_State *L, int index) {
    lua_newtable(L);
    int contents = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, contents);
    }
    for (lua_pushnil(L); lua_next(L, contents); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushnil(L);
        lua_rawset(L, index);
    }
    lua_newtable(L);
    int meta = lua_gettop(L);
    bool has_parent = false, has_length = false;
    if (lua_getmetatable(L, index)) { /* Its copy in `setmetatable` of sandbox.lua. */
        for (lua_pushnil(L); lua_next(L, -2);) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, meta);
        }
        has_parent = lua_getfield(L, -1, "__index") != LUA_TNIL;
        if (has_parent) lua_rawseti(L, meta, PARENT);
        lua_settop(L, meta);
        has_length = lua_getfield(L, meta, "__len") != LUA_TNIL;
        lua_getfield(L, meta, "height");
        lua_pushinteger(L, lua_tointeger(L, -1) + 1);
        lua_setfield(L, meta, "height");
        lua_settop(L, meta);
    } else {
        lua_pushboolean(L, false);
        lua_setfield(L, meta, "__metatable");
    }
    if (has_parent) lua_pushcfunction(L, view_index);
    else lua_pushvalue(L, contents);
    lua_setfield(L, meta, "__index");
    finish_view(L, has_length, view_newindex);
    lua_setmetatable(L, index);
    lua_settop(L, contents - 1);
}

/* MARK: What a script reaches */

/* The stack of a walk: what it has seen, what it has yet to see, and what it need not see. */
enum { SEEN = 1, QUEUE = 2, TRUSTED = 3 };

/* Whether the set at `index` holds the value on top of the stack. */
static bool holds(lua_State *L, int index) {
    lua_pushvalue(L, -1);
    bool is_there = lua_rawget(L, index) != LUA_TNIL;
    lua_pop(L, 1);
    return is_there;
}

/* Puts the value on top of the stack into the queue, unless it was there, and pops it. */
static void reach(lua_State *L) {
    int type = lua_type(L, -1);
    bool is_shared = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD;
    if (is_shared && !holds(L, SEEN) && !holds(L, TRUSTED)) {
        lua_pushvalue(L, -1);
        lua_pushboolean(L, true);
        lua_rawset(L, SEEN);
        lua_rawseti(L, QUEUE, (lua_Integer)lua_rawlen(L, QUEUE) + 1);
    } else {
        lua_pop(L, 1);
    }
}

/* Reaches all that the value on top of the stack refers to, and leaves it there. */
static void reach_parts(lua_State *L) {
    int whole = lua_gettop(L);
    if (lua_istable(L, whole)) {
        if (lua_getmetatable(L, whole)) { /* What it holds, not itself: no script can reach it. */
            for (lua_pushnil(L); lua_next(L, whole + 1);) reach(L);
            lua_settop(L, whole);
        }
        for (lua_pushnil(L); lua_next(L, whole);) {
            reach(L);
            lua_pushvalue(L, -1);
            reach(L);
        }
    } else if (lua_isfunction(L, whole)) {
        for (int i = 1; lua_getupvalue(L, whole, i) != NULL; i++) reach(L);
    }
}

static int append_dump(lua_State *L, const void *bytes, size_t length, void *context) {
    struct dump *dump = context;
    if (!dump->is_open) luaL_buffinit(L, &dump->buffer); /* Not before: it lies on the stack. */
    dump->is_open = true;
    luaL_addlstring(&dump->buffer, bytes, length);
    return 0;
}

void clua_dump(lua_State *L, struct dump *dump) {
    dump->is_open = false;
    lua_dump(L, append_dump, dump, 0);
}

/* What a walk has found that devices would share. Of several assignments the first in the script:
 * the walk goes in hash order, which differs from process to process. */
struct finds {
    bool has_coroutine, has_iterator;
    uint32_t line; /* of an assignment; 0: none */
    char name[CLUA_NAME_BYTES_MAX], script[LUA_IDSIZE];
};

/* Notes whether the Lua function on top of the stack assigns to a variable outside itself. */
static void check_function(lua_State *L, struct finds *finds) {
    if (lua_iscfunction(L, -1)) return;
    int function = lua_gettop(L);
    struct dump dump;
    char name[CLUA_NAME_BYTES_MAX];
    uint32_t line;
    clua_dump(L, &dump);
    const uint8_t *bytes = (const uint8_t *)dump.buffer.b;
    bool is_found = clua_find_assignment(bytes, dump.buffer.n, name, &line);
    lua_settop(L, function);
    if (!is_found) return;
    lua_Debug about;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &about);
    if (strcmp(about.short_src, "prelude") == 0) {
        finds->has_iterator = true;
    } else if (finds->line == 0 || line < finds->line
               || (line == finds->line && strcmp(name, finds->name) < 0)) {
        finds->line = line;
        memcpy(finds->name, name, sizeof name);
        memcpy(finds->script, about.short_src, sizeof about.short_src);
    }
}

static void raise_finds(lua_State *L, const struct finds *finds) {
    if (finds->line > 0) {
        lua_pushfstring(
            L, "%s:%d: '%s' belongs to the script, and all devices share it: keep it in self",
            finds->script, (int)finds->line, finds->name);
        lua_error(L);
    }
    if (finds->has_iterator)
        luaL_error(L, "an iterator that is made while the script loads is shared by all devices");
    if (finds->has_coroutine)
        luaL_error(L, "a coroutine that is made while the script loads is shared by all devices");
}

static void open_walk(lua_State *L, bool is_trusting) {
    lua_newtable(L);
    lua_newtable(L);
    if (is_trusting) lua_newtable(L);
    else lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->trusted);
}

/* Reaches everything from what is in the queue, which then holds it all. */
static void walk(lua_State *L, bool is_trusting) {
    struct finds finds = {.line = 0};
    for (lua_Integer i = 1; lua_rawgeti(L, QUEUE, i) != LUA_TNIL; i++) {
        if (lua_isthread(L, -1)) finds.has_coroutine = true;
        if (!is_trusting && lua_isfunction(L, -1)) check_function(L, &finds);
        reach_parts(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    raise_finds(L, &finds);
}

/* With the table of a script: makes read-only what it reaches. Returns the table. */
static int seal_body(lua_State *L) {
    open_walk(L, false); /* table, SEEN … */
    lua_rotate(L, 1, -1); /* SEEN, QUEUE, TRUSTED, table */
    lua_pushvalue(L, -1);
    reach(L);
    walk(L, false);
    for (lua_Integer i = 1; lua_rawgeti(L, QUEUE, i) != LUA_TNIL; i++) {
        if (lua_istable(L, -1)) seal(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

void clua_seal_script(lua_State *L) {
    lua_pushcfunction(L, seal_body);
    lua_insert(L, -2);
    state_of(L)->is_own_table = true; /* What it has seen. */
    lua_call(L, 1, 1);
    state_of(L)->is_own_table = false;
}

static int trust_body(lua_State *L) {
    clua_state *s = state_of(L);
    open_walk(L, true);
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, s->environments[i]);
        reach(L);
    }
    walk(L, true);
    lua_pushvalue(L, SEEN);
    s->trusted = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

void clua_trust_environments(lua_State *L) {
    lua_pushcfunction(L, trust_body);
    lua_call(L, 0, 0);
}

/* MARK: For the prelude */

/* contents(table): the table itself, or what it is a read-only view of. */
static int host_contents(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    clua_push_contents(L, 1);
    return 1;
}

void clua_define_seal(lua_State *L) {
    lua_pushcfunction(L, host_contents);
    lua_setfield(L, -2, "contents");
}
