#include "CLuaTests.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

struct clua_tests {
    clua_state *state;
    clua_test_host host;
    int environment, describe, run; /* in the registry: what the prelude of tests returned */
    int file;                       /* the table that the file returned */
    size_t length;
    uint8_t request[CLUA_TEST_REQUEST_BYTES_MAX];
};

/* MARK: Values to bytes */

/* One text for all that can be wrong: what of a table is met first is a matter of hash order. */
static void refuse(lua_State *L) {
    clua_fail(L, "what is handed over here is true, false, a number, text in UTF-8, or a table of "
              "these with numbers and text as keys: at most %d deep, and %d bytes in all",
              CLUA_TEST_DEPTH_MAX, CLUA_TEST_REQUEST_BYTES_MAX);
}

static void put(lua_State *L, clua_tests *tests, const void *bytes, size_t length) {
    if (length > sizeof tests->request - tests->length) refuse(L);
    memcpy(tests->request + tests->length, bytes, length);
    tests->length += length;
}

static void put_value(lua_State *L, clua_tests *tests, int index, int depth) {
    lua_Number number;
    uint32_t length;
    size_t bytes;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TNIL: put(L, tests, "n", 1); break;
    case LUA_TBOOLEAN: put(L, tests, lua_toboolean(L, index) ? "t" : "f", 1); break;
    case LUA_TNUMBER:
        number = lua_tonumber(L, index);
        put(L, tests, "d", 1);
        put(L, tests, &number, sizeof number);
        break;
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &bytes);
        if (!clua_is_text(text, bytes)) refuse(L);
        length = (uint32_t)bytes; /* Strings are short, see `is_refused`. */
        put(L, tests, "s", 1);
        put(L, tests, &length, sizeof length);
        put(L, tests, text, bytes);
        break;
    case LUA_TTABLE:
        if (depth == CLUA_TEST_DEPTH_MAX) refuse(L);
        luaL_checkstack(L, 4, NULL);
        clua_push_contents(L, index);
        index = lua_gettop(L);
        put(L, tests, "{", 1);
        for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
            int type = lua_type(L, -2);
            if (type != LUA_TNUMBER && type != LUA_TSTRING) refuse(L);
            int top = lua_gettop(L);
            put_value(L, tests, top - 1, depth + 1);
            put_value(L, tests, top, depth + 1);
        }
        put(L, tests, "}", 1);
        lua_pop(L, 1);
        break;
    default:
        if (depth == 0) clua_fail(L, "a %s cannot be handed over", luaL_typename(L, index));
        refuse(L);
    }
}

/* MARK: Bytes to values */

/* Pushes the value at *at, which Swift has written: it is well-formed. */
static void push_value(lua_State *L, const uint8_t **at) {
    lua_Number number;
    lua_Integer whole;
    uint32_t length;
    luaL_checkstack(L, 4, NULL);
    switch (*(*at)++) {
    case 't': lua_pushboolean(L, true); break;
    case 'f': lua_pushboolean(L, false); break;
    case 'd':
        memcpy(&number, *at, sizeof number);
        *at += sizeof number;
        /* Whole numbers as such, so that they print without a point. */
        if (lua_numbertointeger(number, &whole) && (lua_Number)whole == number)
            lua_pushinteger(L, whole);
        else
            lua_pushnumber(L, number);
        break;
    case 's':
        memcpy(&length, *at, sizeof length);
        *at += sizeof length;
        lua_pushlstring(L, (const char *)*at, length);
        *at += length;
        break;
    case '{':
        lua_newtable(L);
        while (**at != '}') {
            push_value(L, at);
            push_value(L, at);
            lua_rawset(L, -3);
        }
        (*at)++;
        break;
    default: lua_pushnil(L);
    }
}

/* ask(name, ...): what the host answers. Raises its message where it refuses. */
static int ask(lua_State *L) {
    enum { COST = 20 }; /* In instructions: more than a call of Lua's, since Swift does more. */
    clua_tests *tests = lua_touserdata(L, lua_upvalueindex(1));
    const uint8_t *reply;
    size_t length;
    clua_spend(L, COST);
    tests->length = 0;
    for (int index = 1, top = lua_gettop(L); index <= top; index++)
        put_value(L, tests, index, 0);
    bool is_done =
        tests->host.ask(tests->host.context, tests->request, tests->length, &reply, &length);
    clua_spend(L, (int64_t)length);
    push_value(L, &reply);
    if (is_done) return 1;
    return clua_raise(L);
}

/* line(function): where it begins; nil for one that is not the file's. */
static int line(lua_State *L) {
    lua_Debug about;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_getinfo(L, ">S", &about);
    if (about.linedefined < 1 || strcmp(about.short_src, "prelude") == 0) lua_pushnil(L);
    else lua_pushinteger(L, about.linedefined);
    return 1;
}

/* MARK: Calls. `argument` finds what it is about on the heap of the caller. */

struct test_chunk {
    clua_tests *tests;
    const char *source, *name;
    size_t length;
    bool is_compiled;
};

static void compile(lua_State *L, struct test_chunk *chunk) {
    clua_skip_mark(&chunk->source, &chunk->length);
    /* Mode "t": text only. Precompiled chunks can crash the interpreter. */
    if (luaL_loadbufferx(L, chunk->source, chunk->length, chunk->name, "t") != LUA_OK) lua_error(L);
    chunk->is_compiled = true;
}

/* The prelude of tests is given the globals of behaviors, and what is for it alone. */
static int open_body(lua_State *L) {
    struct test_chunk *chunk = lua_touserdata(L, 1);
    clua_tests *tests = chunk->tests;
    compile(L, chunk);
    lua_rawgeti(L, LUA_REGISTRYINDEX, tests->state->environments[0]);
    lua_pushlightuserdata(L, tests);
    lua_pushcclosure(L, ask, 1);
    lua_pushcfunction(L, line);
    lua_call(L, 3, 3);
    tests->run = luaL_ref(L, LUA_REGISTRYINDEX);
    tests->describe = luaL_ref(L, LUA_REGISTRYINDEX);
    tests->environment = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int load_body(lua_State *L) {
    struct test_chunk *chunk = lua_touserdata(L, 1);
    clua_tests *tests = chunk->tests;
    compile(L, chunk);
    lua_rawgeti(L, LUA_REGISTRYINDEX, tests->environment);
    lua_setupvalue(L, -2, 1); /* A chunk has one upvalue: its globals. */
    lua_call(L, 0, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, tests->describe);
    lua_pushvalue(L, -2);
    lua_call(L, 1, 0);
    tests->file = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int run_body(lua_State *L) {
    struct test_chunk *chunk = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, chunk->tests->run);
    lua_rawgeti(L, LUA_REGISTRYINDEX, chunk->tests->file);
    lua_pushlstring(L, chunk->name, chunk->length);
    lua_call(L, 2, 0);
    return 0;
}

clua_tests *clua_tests_open(
    clua_state *state, clua_test_host host, const char *source, size_t length,
    enum clua_status *status) {
    clua_tests *tests = calloc(1, sizeof *tests);
    if (tests == NULL) return NULL;
    tests->state = state;
    tests->host = host;
    struct test_chunk chunk = {tests, source, "=prelude", length, false};
    *status = clua_run(state, INT64_MAX, open_body, &chunk, 0);
    return tests;
}

void clua_tests_close(clua_tests *tests) { free(tests); }

enum clua_status clua_tests_load(
    clua_tests *tests, const char *source, size_t length, const char *name) {
    clua_state *s = tests->state;
    struct test_chunk chunk = {tests, source, name, length, false};
    enum clua_status status = clua_run(s, s->limits.instructions_max, load_body, &chunk, 0);
    return status == CLUA_RUNTIME && !chunk.is_compiled ? CLUA_SYNTAX : status;
}

enum clua_status clua_tests_run(clua_tests *tests, const char *name, size_t length) {
    clua_state *s = tests->state;
    struct test_chunk chunk = {tests, NULL, name, length, true};
    return clua_run(s, s->limits.instructions_max, run_body, &chunk, 0);
}
