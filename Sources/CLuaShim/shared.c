/* The vocabularies, and the read-only tables that all devices share. */
#include "state.h"

struct addition {
    enum clua_vocabulary vocabulary;
    const char *name, *text;
    size_t length;
    const uint8_t *places;
    size_t count;
    uint32_t shared;
    int type;
    double number;
    bool boolean;
};

static int add_word_body(lua_State *L) {
    const struct addition *addition = lua_touserdata(L, 1);
    state_of(L)->is_own_table = true;
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->slots[SLOT_OF(addition->vocabulary)]);
    lua_Integer place = (lua_Integer)lua_rawlen(L, -1) + 1;
    lua_pushlstring(L, addition->text, addition->length);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, place);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TNIL) return 0; /* What comes twice keeps its first place. */
    lua_pop(L, 1);
    lua_pushinteger(L, place);
    lua_rawset(L, -3);
    return 0;
}

enum clua_status clua_add_word(
    clua_state *s, enum clua_vocabulary vocabulary, const char *text, size_t length) {
    struct addition addition = {.vocabulary = vocabulary, .text = text, .length = length};
    return clua_run(s, INT64_MAX, add_word_body, &addition, 0);
}

/* Adds the sealed table on top of the stack to the shared ones. */
static uint32_t share(lua_State *L) {
    clua_state *s = state_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->slots[SLOT_SHARED]);
    lua_insert(L, -2);
    lua_rawseti(L, -2, ++s->shared_count);
    return s->shared_count;
}

static int add_list_body(lua_State *L) {
    struct addition *addition = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->slots[SLOT_OF(addition->vocabulary)]);
    lua_createtable(L, (int)addition->count, 0);
    for (size_t i = 0; i < addition->count; i++) {
        size_t place = addition->places == NULL ? i : addition->places[i];
        lua_rawgeti(L, -2, (lua_Integer)place + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    clua_push_sealed(L);
    addition->shared = share(L);
    return 0;
}

enum clua_status clua_add_list(
    clua_state *s, enum clua_vocabulary vocabulary, const uint8_t *places, size_t count,
    uint32_t *shared) {
    struct addition addition = {.vocabulary = vocabulary, .places = places, .count = count};
    enum clua_status status = clua_run(s, INT64_MAX, add_list_body, &addition, 0);
    *shared = addition.shared;
    return status;
}

/* No such option: with the nearest. */
static int refuse_option(lua_State *L) {
    char text[128], shown[64];
    if (lua_type(L, 2) != LUA_TSTRING)
        return clua_fail(L, "options have names, not %s", clua_show(L, 2, shown));
    struct nearest nearest = clua_nearest_to(lua_tostring(L, 2));
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        clua_offer(&nearest, lua_tostring(L, -2));
    return clua_fail(
        L, "the script declares no option %s%s", clua_show(L, 2, shown),
        clua_suggestion(&nearest, text));
}

static int add_options_body(lua_State *L) {
    struct addition *addition = lua_touserdata(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcfunction(L, refuse_option);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    clua_push_sealed(L);
    addition->shared = share(L);
    return 0;
}

enum clua_status clua_add_options(clua_state *s, uint32_t *shared) {
    struct addition addition = {0};
    enum clua_status status = clua_run(s, INT64_MAX, add_options_body, &addition, 0);
    *shared = addition.shared;
    return status;
}

static int set_option_body(lua_State *L) {
    const struct addition *addition = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->slots[SLOT_SHARED]);
    lua_rawgeti(L, -1, addition->shared);
    clua_push_contents(L, -1);
    lua_pushstring(L, addition->name);
    lua_Integer whole;
    switch (addition->type) {
    case LUA_TNUMBER:
        /* Whole numbers as such, so that they print without a point. */
        if (lua_numbertointeger(addition->number, &whole)
            && (lua_Number)whole == addition->number)
            lua_pushinteger(L, whole);
        else
            lua_pushnumber(L, addition->number);
        break;
    case LUA_TBOOLEAN: lua_pushboolean(L, addition->boolean); break;
    default: lua_pushlstring(L, addition->text, addition->length);
    }
    lua_rawset(L, -3);
    return 0;
}

enum clua_status clua_set_number(clua_state *s, uint32_t shared, const char *name, double value) {
    struct addition addition = {
        .shared = shared, .name = name, .type = LUA_TNUMBER, .number = value};
    return clua_run(s, INT64_MAX, set_option_body, &addition, 0);
}

enum clua_status clua_set_boolean(clua_state *s, uint32_t shared, const char *name, bool value) {
    struct addition addition = {
        .shared = shared, .name = name, .type = LUA_TBOOLEAN, .boolean = value};
    return clua_run(s, INT64_MAX, set_option_body, &addition, 0);
}

enum clua_status clua_set_string(
    clua_state *s, uint32_t shared, const char *name, const char *text, size_t length) {
    struct addition addition = {
        .shared = shared, .name = name, .type = LUA_TSTRING, .text = text, .length = length};
    return clua_run(s, INT64_MAX, set_option_body, &addition, 0);
}
