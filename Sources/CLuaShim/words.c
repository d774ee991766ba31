#include "state.h"

#include <stdio.h>
#include <string.h>

/* MARK: Nearest names */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/*
 * How many letters are missing, too many, wrong, or swapped with a neighbor.
 * Source: Boytsov, "Indexing methods for approximate dictionary searching" (2011), optimal string
 * alignment. The same as `nearest(to:among:)` of JSONText.
 */
static size_t typing_distance(const char *left, size_t rows, const char *right, size_t columns) {
    size_t lines[3][CLUA_NAME_BYTES_MAX + 1];
    for (size_t j = 0; j <= columns; j++) lines[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *row = lines[i % 3], *last = lines[(i + 2) % 3], *before = lines[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = least(last[j - 1] + change, least(last[j] + 1, row[j - 1] + 1));
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return lines[rows % 3][columns];
}

struct nearest clua_nearest_to(const char *name) {
    return (struct nearest){.name = name, .distance = SIZE_MAX};
}

void clua_offer(struct nearest *nearest, const char *candidate) {
    size_t rows = strlen(nearest->name), columns = strlen(candidate);
    /* The distance takes the product of the lengths. */
    if (rows > CLUA_NAME_BYTES_MAX || columns > CLUA_NAME_BYTES_MAX) return;
    size_t distance = typing_distance(nearest->name, rows, candidate, columns);
    if (distance > nearest->distance) return;
    /* Of equals the first in the order of letters: candidates may come in hash order. */
    if (distance == nearest->distance && strcmp(candidate, nearest->best) > 0) return;
    nearest->distance = distance;
    memcpy(nearest->best, candidate, columns + 1);
}

static bool is_near(const struct nearest *nearest) {
    size_t length = strlen(nearest->best);
    return nearest->distance != SIZE_MAX && nearest->distance * 3 <= (length < 3 ? 3 : length);
}

const char *clua_suggestion(const struct nearest *nearest, char *text) {
    text[0] = 0;
    if (is_near(nearest)) sprintf(text, ": did you mean '%s'?", nearest->best);
    return text;
}

void clua_suggest(const char *name, const char *names, char *text) {
    struct nearest nearest = clua_nearest_to(name);
    char candidate[CLUA_NAME_BYTES_MAX + 1];
    while (*names != 0) {
        size_t length = strcspn(names, "\n");
        if (length <= CLUA_NAME_BYTES_MAX) {
            memcpy(candidate, names, length);
            candidate[length] = 0;
            clua_offer(&nearest, candidate);
        }
        names += length;
        if (*names != 0) names++;
    }
    clua_suggestion(&nearest, text);
}

void clua_offer_words(lua_State *L, int index, struct nearest *nearest) {
    size_t count = lua_rawlen(L, index);
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, index, (lua_Integer)i) == LUA_TSTRING)
            clua_offer(nearest, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}

/* MARK: Values */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "90s", "1.5h": at most nine digits before the point and six after it, so that all is exact. */
static bool parse_duration(const char *text, int64_t *microseconds) {
    static const struct { const char *name; int64_t microseconds; } units[] = {
        {"ms", 1000}, {"s", 1000000}, {"m", 60000000}, {"h", 3600000000}, {"d", 86400000000},
    };
    int64_t whole = 0, fraction = 0, scale = 1;
    const char *c = text;
    for (; is_digit(*c); c++) {
        if (c - text == 9) return false;
        whole = whole * 10 + (*c - '0');
    }
    if (c == text) return false;
    if (*c == '.') {
        if (!is_digit(*++c)) return false;
        for (; is_digit(*c); c++) {
            if (scale == 1000000) return false;
            fraction = fraction * 10 + (*c - '0');
            scale *= 10;
        }
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(c, units[i].name) != 0) continue;
        int64_t unit = units[i].microseconds;
        if (whole > INT64_MAX / unit - 1) return false;
        /* Below 10^6 times below 10^11: no overflow. */
        *microseconds = whole * unit + fraction * unit / scale;
        return true;
    }
    return false;
}

bool clua_read_duration(lua_State *L, int index, int64_t *microseconds) {
    static const int64_t seconds_max = 36500LL * 86400; /* A hundred years: `SimDuration.max`. */
    if (lua_type(L, index) == LUA_TNUMBER) {
        lua_Number seconds = lua_tonumber(L, index);
        if (!(seconds >= 0 && seconds <= (lua_Number)seconds_max)) return false; /* NaN too. */
        *microseconds = (int64_t)(seconds * 1e6);
        return true;
    }
    return lua_type(L, index) == LUA_TSTRING
        && parse_duration(lua_tostring(L, index), microseconds)
        && *microseconds <= seconds_max * 1000000;
}

const char *clua_show(lua_State *L, int index, char *text) {
    switch (lua_type(L, index)) {
    case LUA_TSTRING: snprintf(text, 64, "'%.48s'", lua_tostring(L, index)); break;
    case LUA_TNUMBER: snprintf(text, 64, "%.14g", lua_tonumber(L, index)); break;
    case LUA_TBOOLEAN: snprintf(text, 64, "%s", lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNIL: case LUA_TNONE: snprintf(text, 64, "nothing"); break;
    default: snprintf(text, 64, "a %s", luaL_typename(L, index));
    }
    return text;
}

/* MARK: Vocabularies and shared tables */

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
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->slots[SLOT_OF(addition->vocabulary)]);
    lua_Integer place = (lua_Integer)lua_rawlen(L, -1) + 1;
    lua_pushlstring(L, addition->text, addition->length);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, place);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TNIL) return 0; /* A text that comes twice keeps its first place. */
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
        if (lua_numbertointeger(addition->number, &whole) && (lua_Number)whole == addition->number)
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
