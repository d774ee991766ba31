#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* MARK: Before the call. Nothing here raises. */

static int remember_body(lua_State *L) {
    const struct memory *memory = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, state_of(L)->slots[memory->slot]);
    lua_newtable(L);
    lua_rawseti(L, -2, memory->place);
    return 0;
}

static int name_body(lua_State *L) {
    const clua_state *s = state_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->slots[SLOT_OF(CLUA_NAMES)]);
    clua_push_name(L, 2, s->frame.word);
    return 0;
}

/* Whether the hook is given a name that is no word of a vocabulary. */
static bool is_named(enum clua_hook hook) {
    return hook == CLUA_PRIMER_ANSWERED || hook == CLUA_ANSWER_PRIMER;
}

/* Makes what the arguments need and the state does not have yet. */
enum clua_status clua_prepare(clua_state *s, enum clua_hook hook, const struct memory *memory) {
    lua_State *L = s->L;
    enum clua_status status = CLUA_OK;
    int type = lua_rawgeti(L, memory->slot, memory->place);
    lua_pop(L, 1);
    if (type == LUA_TNIL) status = clua_run(s, INT64_MAX, remember_body, (void *)memory, 0);
    if (status != CLUA_OK || !is_named(hook)) return status;
    type = lua_rawgeti(L, SLOT_OF(CLUA_NAMES), s->frame.word + 1);
    lua_pop(L, 1);
    return type == LUA_TNIL ? clua_run(s, INT64_MAX, name_body, NULL, 0) : CLUA_OK;
}

static void push_word(lua_State *L, enum clua_vocabulary vocabulary, int place) {
    lua_rawgeti(L, SLOT_OF(vocabulary), place + 1);
}

/* The manager whose callback it is. */
static void push_manager(clua_state *s) {
    push_numbered(s->L, s, TYPE_MANAGER, s->frame.manager);
}

/* Pushes what the hook is given beside `self`, and returns how many values that are. */
int clua_push_arguments(clua_state *s, enum clua_hook hook) {
    lua_State *L = s->L;
    const clua_frame *f = &s->frame;
    switch (hook) {
    case CLUA_BORN: case CLUA_NEXT_OPEN: case CLUA_SESSION_LENGTH: case CLUA_EACH_DAY:
        push_object(L, s, TYPE_PERSON);
        return 1;
    case CLUA_NEXT_TAP:
        push_object(L, s, TYPE_PERSON);
        lua_rawgeti(L, SLOT_SHARED, f->choices);
        return 2;
    case CLUA_ANSWER_PROMPT: case CLUA_ANSWER_PRIMER: case CLUA_ANSWER_SETTINGS_ALERT:
        push_object(
            L, s, hook == CLUA_ANSWER_PROMPT   ? TYPE_PROMPT
                  : hook == CLUA_ANSWER_PRIMER ? TYPE_PRIMER
                                               : TYPE_ALERT);
        push_object(L, s, TYPE_PERSON);
        return 2;
    case CLUA_LAUNCHED: case CLUA_ENTERED_FOREGROUND: case CLUA_ENTERED_BACKGROUND:
        push_object(L, s, TYPE_APP);
        return 1;
    case CLUA_TAPPED:
        push_object(L, s, TYPE_APP);
        push_word(L, CLUA_FEATURES, f->word);
        return 2;
    case CLUA_PRIMER_ANSWERED:
        push_object(L, s, TYPE_APP);
        push_word(L, CLUA_NAMES, f->word);
        push_word(L, CLUA_PRIMER_ANSWERS, f->answer);
        return 3;
    case CLUA_SETTINGS_ALERT_ANSWERED:
        push_object(L, s, TYPE_APP);
        push_word(L, CLUA_ALERT_ANSWERS, f->answer);
        return 2;
    case CLUA_DID_CHANGE:
        push_manager(s);
        return 1;
    case CLUA_DID_CHANGE_LEGACY:
        push_manager(s);
        push_word(L, CLUA_STATUSES, f->status);
        return 2;
    case CLUA_DID_UPDATE_LOCATIONS:
        push_manager(s);
        push_object(L, s, TYPE_LOCATIONS);
        return 2;
    case CLUA_DID_FAIL:
        push_manager(s);
        push_word(L, CLUA_ERRORS, f->word);
        return 2;
    case CLUA_MONITORING_DID_FAIL:
        push_manager(s);
        push_object(L, s, TYPE_REGION);
        push_word(L, CLUA_ERRORS, f->answer);
        return 3;
    case CLUA_DID_START_MONITORING: case CLUA_DID_ENTER_REGION: case CLUA_DID_EXIT_REGION:
        push_manager(s);
        push_object(L, s, TYPE_REGION);
        return 2;
    case CLUA_DID_DETERMINE_STATE:
        push_manager(s);
        push_word(L, CLUA_REGION_STATES, f->answer);
        push_object(L, s, TYPE_REGION);
        return 3;
    case CLUA_DID_VISIT: case CLUA_DID_UPDATE_HEADING:
        push_manager(s);
        push_object(L, s, hook == CLUA_DID_VISIT ? TYPE_VISIT : TYPE_HEADING);
        return 2;
    case CLUA_DID_PAUSE: case CLUA_DID_RESUME:
        push_manager(s);
        return 1;
    case CLUA_DID_COMPLETE_FULL_ACCURACY:
        push_manager(s);
        if (f->answer == CLUA_NO_WORD) lua_pushnil(L);
        else push_word(L, CLUA_ERRORS, f->answer);
        return 2;
    case CLUA_DID_RECEIVE_MONITOR_EVENT:
        push_object(L, s, TYPE_MONITOR);
        push_object(L, s, TYPE_EVENT);
        return 2;
    case CLUA_DID_RECEIVE_LIVE_UPDATE:
        push_object(L, s, TYPE_UPDATE);
        return 1;
    case CLUA_DID_RECEIVE_SESSION_DIAGNOSTIC:
        push_object(L, s, TYPE_DIAGNOSTICS);
        return 1;
    case CLUA_TIMER: break; /* clua_push_due does it. */
    }
    return 0;
}

/* MARK: After the call. Nothing here raises. */

static enum clua_status refuse(clua_state *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->frame.message, CLUA_MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    return CLUA_BAD_REPLY;
}

/* Reads a word of a vocabulary at `index` into the reply. False when it is none. */
static bool read_word(clua_state *s, int index, enum clua_vocabulary vocabulary) {
    lua_State *L = s->L;
    if (lua_type(L, index) != LUA_TSTRING) return false;
    lua_pushvalue(L, index);
    lua_rawget(L, SLOT_OF(vocabulary));
    lua_Integer place = lua_tointeger(L, -1);
    lua_pop(L, 1);
    s->frame.reply = (uint16_t)(place - 1);
    return place > 0;
}

/* "; there is 'a', 'b'" or ": did you mean 'a'?", for the value at `index`. */
static const char *hint(
    clua_state *s, int index, enum clua_vocabulary vocabulary, uint32_t bits,
    struct word_list *list) {
    lua_State *L = s->L;
    size_t count = lua_rawlen(L, SLOT_OF(vocabulary));
    struct nearest nearest =
        clua_nearest_to(lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "");
    *list = (struct word_list){0};
    for (size_t i = 0; i < count; i++) {
        if (i < 32 && (bits >> i & 1) == 0) continue;
        if (lua_rawgeti(L, SLOT_OF(vocabulary), (lua_Integer)i + 1) == LUA_TSTRING) {
            const char *word = lua_tostring(L, -1);
            clua_offer(&nearest, word);
            clua_list_word(list, word);
        }
        lua_pop(L, 1);
    }
    char suggestion[128];
    if (clua_suggestion(&nearest, suggestion)[0] == 0) return clua_end_list(list);
    memcpy(list->text, suggestion, sizeof suggestion);
    return list->text;
}

static enum clua_status read_answer(
    clua_state *s, int index, enum clua_vocabulary vocabulary, const char *hook) {
    char shown[64];
    struct word_list list;
    if (read_word(s, index, vocabulary)) return CLUA_OK;
    return refuse(s, "%s returned %s, which is no answer%s", hook, clua_show(s->L, index, shown),
                  hint(s, index, vocabulary, ~0u, &list));
}

static enum clua_status read_span(clua_state *s, int index, const char *hook, const char *what) {
    char shown[64];
    if (clua_read_duration(s->L, index, &s->frame.microseconds)) return CLUA_OK;
    return refuse(
        s, "%s returned %s where %s is due: seconds in 0 ... 3153600000 (a hundred years), or "
        "a string such as \"90s\"", hook, clua_show(s->L, index, shown), what);
}

/* Reads { precise = boolean, after = duration } at `index`. */
static enum clua_status read_options(clua_state *s, int index) {
    static const char *const names[] = {"precise", "after"};
    lua_State *L = s->L;
    clua_frame *f = &s->frame;
    char shown[64], text[128];
    if (!lua_istable(L, index))
        return refuse(s, "answer_prompt returned %s after the choice, where a table of options "
                      "may follow", clua_show(L, index, shown));
    clua_push_contents(L, index);
    int table = lua_gettop(L);
    bool is_other = false;
    lua_pushnil(L);
    lua_pushnil(L); /* Places for the values, which are read in one order whatever the hash says. */
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        int place = 0;
        for (int i = 0; i < 2; i++)
            if (strcmp(name, names[i]) == 0) place = table + 1 + i;
        is_other = is_other || place == 0;
        if (place == 0) break;
        lua_pushvalue(L, -1);
        lua_replace(L, place);
    }
    if (is_other && clua_push_other_key(L, table, names, 2)) {
        struct nearest nearest =
            clua_nearest_to(lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
        for (int i = 0; i < 2; i++) clua_offer(&nearest, names[i]);
        return refuse(s, "an answer has the options precise and after, and no %s%s",
                      clua_show(L, -1, shown), clua_suggestion(&nearest, text));
    }
    if (!lua_isnil(L, table + 1)) {
        if (!lua_isboolean(L, table + 1))
            return refuse(s, "precise is true or false, not %s", clua_show(L, table + 1, shown));
        f->is_precise = lua_toboolean(L, table + 1);
    }
    return lua_isnil(L, table + 2) ? CLUA_OK : read_span(s, table + 2, "answer_prompt", "after");
}

static enum clua_status read_choice(clua_state *s, int first) {
    lua_State *L = s->L;
    clua_frame *f = &s->frame;
    char shown[64];
    struct word_list list;
    if (lua_istable(L, first))
        return refuse(s, "answer_prompt returned a table, where a choice is due and options "
                      "may follow as a second value: "
                      "return \"allow_while_using\", { precise = false }");
    if (!read_word(s, first, CLUA_CHOICES) || (f->choice_bits >> f->reply & 1) == 0)
        return refuse(s, "answer_prompt returned %s, which is not among the choices%s",
                      clua_show(L, first, shown),
                      hint(s, first, CLUA_CHOICES, f->choice_bits, &list));
    return lua_isnil(L, first + 1) ? CLUA_OK : read_options(s, first + 1);
}

static enum clua_status read_tap(clua_state *s, int first) {
    lua_State *L = s->L;
    char shown[64];
    struct word_list list;
    if (lua_isnil(L, first)) {
        s->frame.has_reply = false;
        return CLUA_OK;
    }
    if (!read_word(s, first, CLUA_FEATURES))
        return refuse(s, "next_tap returned %s, which is no feature%s", clua_show(L, first, shown),
                      hint(s, first, CLUA_FEATURES, ~0u, &list));
    return read_span(s, first + 1, "next_tap", "the time until the tap");
}

static enum clua_status read_reply(clua_state *s, enum clua_hook hook, int first) {
    switch (hook) {
    case CLUA_NEXT_OPEN:
        s->frame.has_reply = !lua_isnil(s->L, first);
        if (!s->frame.has_reply) return CLUA_OK;
        return read_span(
            s, first, "next_open", "the time until the next opening, or nil for never,");
    case CLUA_SESSION_LENGTH: return read_span(s, first, "session_length", "a length");
    case CLUA_NEXT_TAP: return read_tap(s, first);
    case CLUA_ANSWER_PROMPT: return read_choice(s, first);
    case CLUA_ANSWER_PRIMER: return read_answer(s, first, CLUA_PRIMER_ANSWERS, "answer_primer");
    case CLUA_ANSWER_SETTINGS_ALERT:
        return read_answer(s, first, CLUA_ALERT_ANSWERS, "answer_settings_alert");
    default: return CLUA_OK;
    }
}

/* MARK: The call */

int clua_result_count(enum clua_hook hook) {
    switch (hook) {
    case CLUA_NEXT_TAP: case CLUA_ANSWER_PROMPT: return 2;
    case CLUA_NEXT_OPEN: case CLUA_SESSION_LENGTH: case CLUA_ANSWER_PRIMER:
    case CLUA_ANSWER_SETTINGS_ALERT: return 1;
    default: return 0;
    }
}

struct memory clua_memory(const clua_state *s, enum clua_hook hook) {
    return (struct memory){
        hook >= CLUA_LAUNCHED ? SLOT_APPS : SLOT_PEOPLE, (lua_Integer)s->frame.index + 1};
}

/* Pushes the function and its `self`, and returns the type of that: nil at the first call. */
static int push_hook(clua_state *s, int function, const struct memory *memory) {
    lua_rawgeti(s->L, LUA_REGISTRYINDEX, function & ~CLUA_UNCOUNTED);
    return lua_rawgeti(s->L, memory->slot, memory->place);
}

enum clua_status clua_call(clua_state *s, enum clua_hook hook, int function) {
    lua_State *L = s->L;
    clua_frame *f = &s->frame;
    struct memory memory = clua_memory(s, hook);
    bool is_timer = hook == CLUA_TIMER;
    bool is_counted = is_timer || s->has_metamethods || (function & CLUA_UNCOUNTED) == 0;
    s->is_strategy = hook >= CLUA_LAUNCHED;
    s->is_timer = is_timer;
    f->act_count = 0;
    f->microseconds = -1;
    f->has_reply = f->is_precise = true;
    f->has_pick = false;
    if (hook != CLUA_ANSWER_PROMPT) f->choice_bits = 0; /* A kept `prompt.has` finds nothing. */
    enum clua_status status = CLUA_OK;
    if (is_timer) {
        status = clua_prepare(s, hook, &memory);
    } else if (push_hook(s, function, &memory) == LUA_TNIL || is_named(hook)) {
        lua_settop(L, SLOTS);
        status = clua_prepare(s, hook, &memory);
        if (status == CLUA_OK) push_hook(s, function, &memory);
    }
    if (status == CLUA_OK) {
        clua_begin(s, s->limits.instructions_max, is_counted);
        s->call_number++;
        int arguments = is_timer ? clua_push_due(s) : clua_push_arguments(s, hook) + 1;
        if (arguments >= 0) {
            int outcome = lua_pcall(L, arguments, clua_result_count(hook), SLOT_HANDLER);
            status =
                outcome == LUA_OK ? read_reply(s, hook, SLOTS + 1) : clua_take_error(s, outcome);
        }
    }
    if (s->is_strategy) clua_settle_timers(s, status != CLUA_OK);
    lua_settop(L, SLOTS);
    f->random = NULL;
    return status;
}

void clua_forget(clua_state *s, uint32_t index) {
    lua_State *L = s->L;
    clua_end_process(s, index);
    /* What is not there is not set: that could need memory, and raise. */
    if (lua_rawgeti(L, SLOT_APPS, (lua_Integer)index + 1) != LUA_TNIL) {
        lua_pushnil(L);
        lua_rawseti(L, SLOT_APPS, (lua_Integer)index + 1);
    }
    lua_settop(L, SLOTS);
}
