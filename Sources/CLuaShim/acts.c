/* What scripts have people and apps do: noted here, carried out when the hook is over. */
#include "state.h"

#include <stdio.h>
#include <string.h>

clua_act *clua_append_act(lua_State *L, enum clua_act_kind kind) {
    clua_frame *frame = &state_of(L)->frame;
    if (frame->act_count == CLUA_ACTS_MAX)
        clua_fail(L, "one hook can do at most %d things", CLUA_ACTS_MAX);
    clua_act *act = &frame->acts[frame->act_count++];
    *act = (clua_act){.kind = (uint8_t)kind};
    return act;
}

/* MARK: Words and names */

/* The place of the text at `index`; below 0 where it is no word of them, or no text. */
static int find_word(lua_State *L, int index, enum clua_vocabulary vocabulary) {
    if (lua_type(L, index) != LUA_TSTRING) return -1;
    lua_pushvalue(L, index);
    lua_rawget(L, UP_WORDS(vocabulary));
    lua_Integer place = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return (int)place - 1;
}

/* Lists the words of a vocabulary. */
static const char *list_words(
    lua_State *L, enum clua_vocabulary vocabulary, struct word_list *list) {
    size_t count = lua_rawlen(L, UP_WORDS(vocabulary));
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, UP_WORDS(vocabulary), (lua_Integer)i);
        clua_list_word(list, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    return clua_end_list(list);
}

uint16_t clua_check_word(
    lua_State *L, int index, enum clua_vocabulary vocabulary, const char *what) {
    int place = find_word(L, index, vocabulary);
    if (place >= 0) return (uint16_t)place;
    char shown[64], text[128] = "";
    struct word_list list = {0};
    if (lua_type(L, index) == LUA_TSTRING) {
        struct nearest nearest = clua_nearest_to(lua_tostring(L, index));
        clua_offer_words(L, UP_WORDS(vocabulary), &nearest);
        clua_suggestion(&nearest, text);
    }
    return (uint16_t)clua_fail(
        L, "%s is no %s%s", clua_show(L, index, shown), what,
        text[0] == 0 ? list_words(L, vocabulary, &list) : text);
}

/* Keeps the name on top of the stack in the vocabulary at `names`, and leaves it there. */
static void keep_name(lua_State *L, int names, int32_t number) {
    state_of(L)->is_own_table = true;
    lua_pushvalue(L, -1);
    lua_rawseti(L, names, number + 1);
    lua_pushvalue(L, -1);
    lua_pushinteger(L, number + 1);
    lua_rawset(L, names);
    state_of(L)->is_own_table = false;
}

uint16_t clua_check_name(lua_State *L, int index, const char *what) {
    char shown[64];
    if (lua_type(L, index) != LUA_TSTRING)
        clua_fail(L, "%s is a string, not %s", what, clua_show(L, index, shown));
    lua_pushvalue(L, index);
    lua_rawget(L, UP_WORDS(CLUA_NAMES));
    lua_Integer place = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (place > 0) return (uint16_t)(place - 1);

    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (length == 0 || length > CLUA_NAME_BYTES_MAX)
        clua_fail(L, "%s has 1 to %d bytes, not %d", what, CLUA_NAME_BYTES_MAX, (int)length);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ') clua_fail(L, "%s has no control characters", what);
    if (!clua_is_text(text, length))
        clua_fail(L, "%s is text in UTF-8, not %s", what, clua_show(L, index, shown));
    clua_state *s = state_of(L);
    int32_t number = s->host.intern(s->host.context, text, length);
    if (number < 0) {
        s->verdict = CLUA_TOO_MANY_NAMES;
        clua_fail(L, "the scripts have brought too many names: '%s' is one more than %d; a name "
                  "with a number or a time in it is a new one each time", text, CLUA_NAMES_MAX);
    }
    lua_pushvalue(L, index);
    keep_name(L, UP_WORDS(CLUA_NAMES), number);
    lua_pop(L, 1);
    return (uint16_t)number;
}

void clua_push_name(lua_State *L, int names, uint16_t number) {
    if (lua_rawgeti(L, names, number + 1) != LUA_TNIL) return;
    lua_pop(L, 1);
    clua_state *s = state_of(L);
    char text[CLUA_NAME_BYTES_MAX];
    size_t length = s->host.name(s->host.context, number, text);
    lua_pushlstring(L, text, length);
    keep_name(L, names, number);
}

static bool check_boolean(lua_State *L, int index, const char *what) {
    char shown[64];
    if (!lua_isboolean(L, index))
        clua_fail(L, "%s is true or false, not %s", what, clua_show(L, index, shown));
    return lua_toboolean(L, index);
}

/* MARK: phone */

static const struct { const char *name; enum clua_act_kind kind; } phone_functions[] = {
    {"settings", CLUA_SETTINGS},
    {"precise", CLUA_PRECISE},
    {"location_services", CLUA_LOCATION_SERVICES},
    {"force_quit", CLUA_FORCE_QUIT},
    {"delete_app", CLUA_DELETE_APP},
    {"reinstall", CLUA_REINSTALL},
    {"restrict_location", CLUA_RESTRICT_LOCATION},
    {"reset_location_privacy", CLUA_RESET_LOCATION_PRIVACY},
    {"reboot", CLUA_REBOOT},
    {"upgrade_os", CLUA_UPGRADE_OS},
    {"migrate_device", CLUA_MIGRATE_DEVICE},
    {"background_app_refresh", CLUA_BACKGROUND_APP_REFRESH},
    {"place_widget", CLUA_PLACE_WIDGET},
    {"tap_location_button", CLUA_TAP_LOCATION_BUTTON},
};

static const char *phone_function_name(enum clua_act_kind kind) {
    for (size_t i = 0; i < sizeof phone_functions / sizeof phone_functions[0]; i++)
        if (phone_functions[i].kind == kind) return phone_functions[i].name;
    return "";
}

/* "delete_app('2d')" means something else than it does: an argument too many is refused. */
static void check_count(lua_State *L, enum clua_act_kind kind, int count) {
    char shown[64];
    const char *name = phone_function_name(kind);
    if (lua_gettop(L) <= count) return;
    clua_check_dot(L, "phone", name);
    clua_fail(L, "%s takes %s, not %s%s", name, count == 0 ? "nothing" : "one value",
              count == 0 ? "" : "also ", clua_show(L, count + 1, shown));
}

static int phone_act(lua_State *L) {
    char shown[64];
    const clua_state *s = state_of(L);
    enum clua_act_kind kind = (enum clua_act_kind)lua_tointeger(L, UP(UP_EXTRA));
    if (s->frame.random == NULL || s->is_strategy)
        return clua_fail(L, "a person can reach for the phone only while a hook runs");
    bool takes_value = kind == CLUA_SETTINGS || kind == CLUA_PRECISE ||
                       kind == CLUA_LOCATION_SERVICES || kind == CLUA_RESTRICT_LOCATION ||
                       kind == CLUA_BACKGROUND_APP_REFRESH || kind == CLUA_REINSTALL ||
                       kind == CLUA_UPGRADE_OS;
    check_count(L, kind, takes_value ? 1 : 0);
    switch (kind) {
    case CLUA_SETTINGS: {
        uint16_t row = clua_check_word(L, 1, CLUA_ROWS, "row of Settings");
        clua_append_act(L, kind)->word = row;
        break;
    }
    case CLUA_PRECISE: case CLUA_LOCATION_SERVICES: case CLUA_RESTRICT_LOCATION:
    case CLUA_BACKGROUND_APP_REFRESH: {
        bool is_on = check_boolean(L, 1, "what to switch to");
        clua_append_act(L, kind)->is_on = is_on;
        break;
    }
    case CLUA_REINSTALL: {
        int64_t microseconds;
        if (!clua_read_duration(L, 1, &microseconds))
            return clua_fail(
                L, "reinstall takes the time until then, in seconds or as \"2d\", not %s",
                clua_show(L, 1, shown));
        clua_append_act(L, kind)->microseconds = microseconds;
        break;
    }
    case CLUA_UPGRADE_OS: {
        int version = find_word(L, 1, CLUA_VERSIONS);
        if (version < 0)
            return clua_fail(
                L, "upgrade_os takes a version that exists, as text such as \"26.0\", not %s",
                clua_show(L, 1, shown));
        clua_append_act(L, kind)->word = (uint16_t)version;
        break;
    }
    default:
        clua_append_act(L, kind);
    }
    return 0;
}

void clua_define_phone(lua_State *L, int first) {
    lua_newtable(L);
    for (size_t i = 0; i < sizeof phone_functions / sizeof phone_functions[0]; i++) {
        clua_push_function(L, first, phone_act, phone_functions[i].kind);
        lua_setfield(L, -2, phone_functions[i].name);
    }
    lua_setfield(L, -2, "phone");
}

/* MARK: Methods of an app and its managers */

/* show_primer { id = name, text = what it says }: the text is for people. */
static void show_primer(lua_State *L) {
    char shown[64];
    if (!lua_istable(L, 2))
        clua_fail(L, "show_primer takes { id = name, text = what it says }, not %s",
                  clua_show(L, 2, shown));
    clua_push_contents(L, 2);
    clua_spend(L, 100); /* A table that was large once takes long. */
    int table = lua_gettop(L);
    static const char *const names[] = {"text", "id"};
    if (clua_push_other_key(L, table, names, 2))
        clua_fail(L, "a primer has an id and a text, and no %s", clua_show(L, -1, shown));
    for (int i = 0; i < 2; i++) { /* The id last: it stays on top. */
        lua_pushstring(L, names[i]);
        if (lua_rawget(L, table) != LUA_TSTRING && !lua_isnil(L, -1))
            clua_fail(
                L, "the %s of a primer is a string, not %s", names[i], clua_show(L, -1, shown));
    }
    uint16_t id = clua_check_name(L, -1, "the id of a primer");
    clua_append_act(L, CLUA_SHOW_PRIMER)->word = id;
}

static void feature_done(lua_State *L) {
    clua_check_word(L, 2, CLUA_FEATURES, "feature of the app");
    uint16_t feature = clua_check_name(L, 2, "a feature");
    uint16_t outcome = clua_check_name(L, 3, "an outcome");
    clua_act *act = clua_append_act(L, CLUA_FEATURE_DONE);
    act->word = feature;
    act->other = outcome;
}

int clua_app_method(lua_State *L) {
    enum clua_act_kind kind = (enum clua_act_kind)lua_tointeger(L, UP(UP_EXTRA));
    clua_check_self(L, TYPE_APP, clua_app_method, (int)kind);
    switch (kind) {
    case CLUA_SHOW_PRIMER: show_primer(L); break;
    case CLUA_FEATURE_DONE: feature_done(L); break;
    case CLUA_MILESTONE: {
        uint16_t name = clua_check_name(L, 2, "a milestone");
        clua_append_act(L, kind)->word = name;
        break;
    }
    default: clua_append_act(L, kind);
    }
    return 0;
}

/* A request takes nothing, or { thread = "background" }: off the main thread. */
static bool is_off_main(lua_State *L) {
    char shown[64];
    if (lua_isnoneornil(L, 2)) return false;
    if (!lua_istable(L, 2))
        clua_fail(L, "a request takes nothing, or { thread = \"background\" }, not %s",
                  clua_show(L, 2, shown));
    clua_push_contents(L, 2);
    clua_spend(L, 100); /* A table that was large once takes long. */
    int table = lua_gettop(L);
    static const char *const names[] = {"thread"};
    if (clua_push_other_key(L, table, names, 1))
        clua_fail(L, "a request has a thread, and no %s", clua_show(L, -1, shown));
    lua_pushliteral(L, "thread");
    lua_rawget(L, table);
    const char *thread = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    bool is_background = strcmp(thread, "background") == 0;
    if (!is_background && strcmp(thread, "main") != 0)
        clua_fail(L, "the thread of a request is \"main\" or \"background\", not %s",
                  clua_show(L, -1, shown));
    return is_background;
}

int clua_manager_method(lua_State *L) {
    int code = (int)lua_tointeger(L, UP(UP_EXTRA));
    enum clua_act_kind kind = (enum clua_act_kind)(code & 0xFF);
    clua_check_self(L, TYPE_MANAGER, clua_manager_method, code);
    clua_act act = {.kind = (uint8_t)kind, .manager = (uint8_t)object_number(L, 1)};
    if (kind == CLUA_REQUEST_FULL_ACCURACY) {
        act.word = clua_check_name(L, 2, "a purpose key");
        if (!lua_isnoneornil(L, 3))
            clua_fail(L, "requestTemporaryFullAccuracyAuthorization takes a purpose key alone: "
                      "its completion is the hook didCompleteTemporaryFullAccuracyAuthorization");
    } else if (kind == CLUA_REQUEST_WHEN_IN_USE || kind == CLUA_REQUEST_ALWAYS) {
        act.is_on = is_off_main(L);
    } else {
        act.word = (uint16_t)(code >> 8); /* the service */
    }
    *clua_append_act(L, kind) = act;
    return 0;
}

int clua_prompt_has(lua_State *L) {
    /* prompt.has(choice), and prompt:has(choice) as well. */
    int index = lua_islightuserdata(L, 1) ? 2 : 1;
    const clua_frame *frame = &state_of(L)->frame;
    uint16_t choice = clua_check_word(L, index, CLUA_CHOICES, "choice");
    lua_pushboolean(L, frame->choice_bits >> choice & 1);
    return 1;
}
