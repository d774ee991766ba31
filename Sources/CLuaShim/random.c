#include "state.h"

#include <math.h>
#include <string.h>

/* The stream of this occasion: see `RandomStream`. */
static void *stream_of(lua_State *L) {
    void *random = state_of(L)->frame.random;
    if (random == NULL) clua_fail(L, "rng draws only while a hook runs");
    return random;
}

/* rng:chance(p) for rng.chance(p): the function is given `rng`. */
static void refuse_colon(lua_State *L) {
    lua_Debug at;
    if (!lua_istable(L, 1) || !lua_getstack(L, 0, &at) || !lua_getinfo(L, "n", &at)) return;
    if (strcmp(at.namewhat, "method") == 0) clua_check_dot(L, "rng", at.name);
}

/* A finite number at `index`. */
static lua_Number number_at(lua_State *L, int index, const char *what) {
    if (lua_type(L, index) != LUA_TNUMBER) refuse_colon(L);
    if (lua_type(L, index) != LUA_TNUMBER)
        clua_fail(L, "%s is a number, not a %s", what, luaL_typename(L, index));
    lua_Number value = lua_tonumber(L, index);
    char shown[64];
    if (!(value > -HUGE_VAL && value < HUGE_VAL))
        clua_fail(L, "%s is a finite number, not %s", what, clua_show(L, index, shown));
    return value;
}

static lua_Number positive_at(lua_State *L, int index, const char *what) {
    lua_Number value = number_at(L, index, what);
    if (value < 0) clua_fail(L, "%s is at least 0, not %f", what, value);
    return value;
}

static lua_Number share_at(lua_State *L, int index) {
    lua_Number p = number_at(L, index, "a probability");
    if (!(p >= 0 && p <= 1)) clua_fail(L, "a probability lies in 0 ... 1: %f does not", p);
    return p;
}

static void note_pick(lua_State *L, lua_Number share, lua_Number draw) {
    clua_frame *frame = &state_of(L)->frame;
    frame->has_pick = true;
    frame->pick_share = share;
    frame->pick_draw = draw;
}

static int rng_uniform(lua_State *L) {
    lua_pushnumber(L, state_of(L)->host.uniform(stream_of(L)));
    return 1;
}

/* chance(p): true with probability p. */
static int rng_chance(lua_State *L) {
    lua_Number p = share_at(L, 1);
    lua_Number draw = state_of(L)->host.uniform(stream_of(L));
    bool hit = draw < p;
    note_pick(L, hit ? p : 1 - p, draw);
    lua_pushboolean(L, hit);
    return 1;
}

/* integer(lo, hi): a whole number in lo ... hi, every one equally likely. */
static int rng_integer(lua_State *L) {
    int is_low, is_high;
    lua_Integer low = clua_to_integer(L, 1, &is_low), high = clua_to_integer(L, 2, &is_high);
    if (!is_low) refuse_colon(L);
    if (!is_low || !is_high || low > high)
        return clua_fail(L, "integer takes two whole numbers, the lower one first");
    uint64_t span = (uint64_t)high - (uint64_t)low;
    if (span == UINT64_MAX) return clua_fail(L, "integer takes fewer than 2^64 numbers");
    uint64_t drawn = state_of(L)->host.below(stream_of(L), span + 1);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + drawn));
    return 1;
}

static int rng_exponential(lua_State *L) {
    lua_Number mean = positive_at(L, 1, "the mean");
    lua_pushnumber(L, mean * state_of(L)->host.exponential(stream_of(L)));
    return 1;
}

static int rng_normal(lua_State *L) {
    lua_Number mean = number_at(L, 1, "the mean");
    lua_Number deviation = positive_at(L, 2, "the standard deviation");
    lua_Number scaled = deviation * state_of(L)->host.normal(stream_of(L));
    lua_pushnumber(L, mean + scaled);
    return 1;
}

/* lognormal(median, sigma): sigma is the standard deviation of the logarithm. */
static int rng_lognormal(lua_State *L) {
    lua_Number median = positive_at(L, 1, "the median");
    lua_Number sigma = positive_at(L, 2, "sigma");
    lua_pushnumber(L, median * exp(sigma * state_of(L)->host.normal(stream_of(L))));
    return 1;
}

/* Tells who looks on where the script stands. */
static void tell_weights(lua_State *L, lua_Number sum, lua_Number largest) {
    const clua_host *host = &state_of(L)->host;
    lua_Debug at;
    for (int level = 1; lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "Sl", &at);
        if (at.currentline <= 0 || strcmp(at.short_src, "prelude") == 0) continue;
        host->weighed(host->context, sum, largest, (uint32_t)at.currentline);
        return;
    }
}

/* What a pick may not weigh: the first in the order of keys, since hash order differs. */
static int refuse_weights(lua_State *L, int table, int count_max) {
    char name[64], weight[64];
    lua_settop(L, table);
    lua_pushnil(L);
    int first = lua_gettop(L), count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        bool is_name =
            lua_type(L, -2) == LUA_TSTRING && strlen(lua_tostring(L, -2)) == lua_rawlen(L, -2);
        bool is_weight = lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) >= 0;
        count++;
        if ((is_name && is_weight) || (!lua_isnil(L, first) && !clua_is_before(L, -2, first)))
            continue;
        lua_pushvalue(L, -2);
        lua_replace(L, first);
    }
    if (lua_isnil(L, first))
        return clua_fail(L, "pick takes at most %d names, not %d", count_max, count);
    lua_pushvalue(L, first);
    lua_rawget(L, table);
    clua_show(L, first, name);
    clua_show(L, first + 1, weight);
    if (lua_type(L, first) != LUA_TSTRING)
        return clua_fail(L, "pick takes names with their weights, such as { yes = 3, no = 1 }: "
                         "the key %s, with %s, is no name", name, weight);
    return clua_fail(L, "pick takes weights of at least 0, such as { yes = 3, no = 1 }: that of %s "
                     "is %s", name, weight);
}

/*
 * pick { name = weight, ... }: a name, as often as its weight says. In C, because every behavior
 * picks. The names are put in order first: hash order differs from process to process.
 */
static int rng_pick(lua_State *L) {
    enum { COUNT_MAX = 32 };
    struct { const char *name; lua_Number weight; } options[COUNT_MAX], option;
    int count = 0;
    char shown[64];
    if (!lua_istable(L, 1))
        return clua_fail(L, "pick takes a table of names with their weights, such as "
                         "{ yes = 3, no = 1 }, not %s", clua_show(L, 1, shown));
    if (lua_gettop(L) > 1) clua_check_dot(L, "rng", "pick");
    clua_push_contents(L, 1);
    int table = lua_gettop(L);
    clua_spend(L, 100); /* A table that was large once takes long. */
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        bool is_weighed = lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TNUMBER;
        option.name = is_weighed ? lua_tostring(L, -2) : "";
        option.weight = is_weighed ? lua_tonumber(L, -1) : -1;
        if (!(option.weight >= 0) || strlen(option.name) != lua_rawlen(L, -2) || count == COUNT_MAX)
            return refuse_weights(L, table, COUNT_MAX);
        int place = count++;
        for (; place > 0 && strcmp(options[place - 1].name, option.name) > 0; place--)
            options[place] = options[place - 1];
        options[place] = option;
    }
    lua_Number sum = 0;
    for (int i = 0; i < count; i++) sum += options[i].weight;
    if (!(sum > 0 && sum < HUGE_VAL))
        return clua_fail(L, "pick takes weights with a sum above 0: here it is %f", sum);
    if (state_of(L)->host.weighed != NULL) {
        lua_Number largest = 0;
        for (int i = 0; i < count; i++) largest = fmax(largest, options[i].weight);
        tell_weights(L, sum, largest);
    }
    int picked = -1; /* Rounding may leave a crumb: then it is the last with a weight. */
    lua_Number draw = state_of(L)->host.uniform(stream_of(L)), left = draw * sum;
    for (int i = 0; i < count && left >= 0; i++) {
        if (options[i].weight > 0) picked = i;
        left -= options[i].weight;
    }
    note_pick(L, options[picked].weight / sum, draw);
    /* Not lua_pushstring: with its cache a long string's price would depend on the past. */
    lua_pushlstring(L, options[picked].name, strlen(options[picked].name));
    return 1;
}

/* odds(p, ratio): the share whose odds are `ratio` times those of p. */
static int odds(lua_State *L) {
    lua_Number p = share_at(L, 1), ratio = positive_at(L, 2, "an odds ratio");
    lua_Number others = 1 - p, scaled = p * ratio;
    if (others + scaled == 0) return clua_fail(L, "a share of 1 has no odds that 0 could scale");
    lua_pushnumber(L, scaled / (others + scaled));
    return 1;
}

static const luaL_Reg rng_functions[] = {
    {"uniform", rng_uniform},         {"chance", rng_chance}, {"integer", rng_integer},
    {"exponential", rng_exponential}, {"normal", rng_normal}, {"lognormal", rng_lognormal},
    {"pick", rng_pick},               {NULL, NULL},
};

void clua_define_random(lua_State *L) {
    luaL_newlib(L, rng_functions);
    lua_setfield(L, -2, "rng");
    lua_pushcfunction(L, odds);
    lua_setfield(L, -2, "odds");
}
