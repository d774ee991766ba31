#include "state.h"

struct description {
    int script;
    void (*take)(void *, const clua_declaration *);
    void *context;
};

static const char *key_of(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TSTRING)
        luaL_error(L, "the members of a script and its options have names, not numbers");
    return lua_tostring(L, index);
}

static void take(
    lua_State *L, const struct description *description, const char *member, const char *option,
    const char *field) {
    clua_declaration declaration = {
        .member = member, .option = option, .field = field, .type = luaL_typename(L, -1)};
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER: declaration.number = lua_tonumber(L, -1); break;
    case LUA_TBOOLEAN: declaration.boolean = lua_toboolean(L, -1); break;
    case LUA_TSTRING: declaration.text = lua_tolstring(L, -1, &declaration.length); break;
    default: break;
    }
    description->take(description->context, &declaration);
}

/* Keys and values of the table or view at the top of the stack, `depth` levels further down. */
static void take_members(
    lua_State *L, const struct description *description, const char *member, const char *option) {
    luaL_checkstack(L, 8, NULL);
    clua_push_contents(L, -1);
    int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *key = key_of(L, -2);
        if (member == NULL) {
            take(L, description, key, NULL, NULL);
            lua_pushliteral(L, "options");
            bool is_options = lua_rawequal(L, -1, -3);
            lua_pop(L, 1);
            if (is_options && lua_istable(L, -1)) take_members(L, description, key, NULL);
        } else if (option == NULL) {
            take(L, description, member, key, NULL);
            if (lua_istable(L, -1)) take_members(L, description, member, key);
        } else {
            take(L, description, member, option, key);
        }
    }
    lua_pop(L, 1);
}

static int describe_body(lua_State *L) {
    const struct description *description = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, description->script);
    take_members(L, description, NULL, NULL);
    return 0;
}

enum clua_status clua_describe(
    clua_state *s, int script, void (*take)(void *, const clua_declaration *), void *context) {
    struct description description = {script, take, context};
    return clua_run(s, INT64_MAX, describe_body, &description, 0);
}
