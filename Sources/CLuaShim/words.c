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

/* MARK: Lists of words */

void clua_list_word(struct word_list *list, const char *word) {
    static const size_t more_bytes = sizeof " and 4294967295 more";
    size_t left = sizeof list->text - list->length - more_bytes;
    if (list->more > 0 || strlen(word) + sizeof "; there is ''" > left) { /* No word is cut. */
        list->more++;
        return;
    }
    list->length += (size_t)snprintf(
        list->text + list->length, left, "%s'%s'", list->length == 0 ? "; there is " : ", ", word);
}

const char *clua_end_list(struct word_list *list) {
    if (list->length == 0) list->text[0] = 0;
    else if (list->more > 0)
        snprintf(list->text + list->length, sizeof list->text - list->length, " and %u more",
                 list->more);
    return list->text;
}

/* MARK: Keys */

bool clua_is_before(lua_State *L, int left, int right) {
    int types[2] = {lua_type(L, left), lua_type(L, right)};
    for (int i = 0; i < 2; i++)
        types[i] = types[i] == LUA_TNUMBER ? -2 : types[i] == LUA_TSTRING ? -1 : types[i];
    if (types[0] != types[1]) return types[0] < types[1];
    if (types[0] < 0) return lua_compare(L, left, right, LUA_OPLT);
    return types[0] == LUA_TBOOLEAN && lua_toboolean(L, left) < lua_toboolean(L, right);
}

bool clua_push_other_key(lua_State *L, int table, const char *const *names, int count) {
    lua_pushnil(L);
    int first = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        bool is_known = false;
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strlen(name) != lua_rawlen(L, -2)) name = ""; /* A zero byte is none of theirs. */
        for (int i = 0; i < count; i++) is_known = is_known || strcmp(name, names[i]) == 0;
        if (is_known || (!lua_isnil(L, first) && !clua_is_before(L, -2, first))) continue;
        lua_pushvalue(L, -2);
        lua_replace(L, first);
    }
    if (!lua_isnil(L, first)) return true;
    lua_pop(L, 1);
    return false;
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

/* How many bytes the first character has; 0 where it is not in UTF-8. Source: RFC 3629. */
static size_t character_bytes(const unsigned char *c, size_t length) {
    size_t count = c[0] < 0x80 ? 1
        : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
        : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
        : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                      : 0;
    if (count > length) return 0;
    for (size_t i = 1; i < count; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    bool is_overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    bool is_beyond = (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF4 && c[1] > 0x8F);
    return is_overlong || is_beyond ? 0 : count;
}

bool clua_is_text(const char *text, size_t length) {
    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = character_bytes((const unsigned char *)text + i, length - i);
        if (bytes == 0) return false;
    }
    return true;
}

/* In quotes, up to 48 bytes of whole characters; what cannot be printed as \xFF. */
static void show_text(const char *bytes, size_t length, char *text) {
    char *end = text;
    *end++ = '\'';
    for (size_t i = 0, count; i < length; i += count) {
        const unsigned char *c = (const unsigned char *)bytes + i;
        count = character_bytes(c, length - i);
        bool is_printable = count > 1 || (count == 1 && *c >= ' ' && *c != 0x7F);
        if (count == 0) count = 1;
        if (end - text + (is_printable ? count : 4) > 49) break;
        if (is_printable) memcpy(end, c, count);
        else sprintf(end, "\\x%02X", *c);
        end += is_printable ? count : 4;
    }
    strcpy(end, "'");
}

const char *clua_show(lua_State *L, int index, char *text) {
    size_t length;
    const char *bytes;
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        bytes = lua_tolstring(L, index, &length);
        show_text(bytes, length, text);
        break;
    case LUA_TNUMBER: {
        lua_Number number = lua_tonumber(L, index);
        /* The sign of what is no number differs between processors. */
        snprintf(text, 64, number == number ? "%.14g" : "nan", number);
        break;
    }
    case LUA_TBOOLEAN: snprintf(text, 64, "%s", lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNIL: case LUA_TNONE: snprintf(text, 64, "nothing"); break;
    default: snprintf(text, 64, "a %s", luaL_typename(L, index));
    }
    return text;
}
