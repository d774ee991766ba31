/* One script in one state: every hook on every device, and what must hold afterwards. */
#include "fuzz.h"
#include "state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text prelude[4];

bool read_prelude(const char *folder) {
    static const char *const parts[] = {"strings", "tables", "patterns", "sandbox"};
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.lua", folder, parts[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) return false;
        prelude[i].length = fread(prelude[i].bytes, 1, TEXT_BYTES_MAX, file);
        fclose(file);
    }
    return true;
}

bool is_telling;

/* MARK: The host */

enum { NAMES_MAX = 1 << 14 };
typedef struct {
    char names[NAMES_MAX][CLUA_NAME_BYTES_MAX + 1];
    bool has_clash; /* two names with one number */
    uint64_t said;  /* a hash of what this call has printed */
} host;

static uint64_t hash(uint64_t seed, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        seed = (seed ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3;
    return seed;
}

static double uniform(void *random) { return (double)(roll(random) >> 11) * 0x1p-53; }
static uint64_t bounded(void *random, uint64_t bound) {
    return bound == 0 ? (abort(), 0) : roll(random) % bound;
}
static double exponential(void *random) { return -log(1 - uniform(random)); }
static double normal(void *random) { return uniform(random) * 6 - 3; }
static double hour(void *context, int64_t time) { return (void)context, (double)(time % 24); }
static int64_t weekday(void *context, int64_t time) {
    return (void)context, 1 + time / 86400000000 % 7;
}
static int64_t day(void *context, int64_t time) { return (void)context, time / 86400000000; }

/* A number that depends on the name alone, whoever comes first. */
static int32_t intern(void *context, const char *name, size_t length) {
    host *h = context;
    if (length == 0 || length > CLUA_NAME_BYTES_MAX) abort();
    int32_t number = (int32_t)(hash(14695981039346656037u, name, length) % NAMES_MAX);
    char *known = h->names[number];
    if (known[0] != 0 && (strlen(known) != length || memcmp(known, name, length) != 0))
        h->has_clash = true;
    memcpy(known, name, length);
    known[length] = 0;
    return number;
}
static size_t name_of(void *context, uint32_t number, char text[64]) {
    size_t length = strlen(((host *)context)->names[number]);
    memcpy(text, ((host *)context)->names[number], length);
    return length;
}
static void print(void *context, int64_t microseconds, const char *bytes, size_t length) {
    (void)microseconds;
    host *h = context;
    h->said = hash(h->said, bytes, length);
}

/* MARK: A state as Swift sets it up */

static const char *const words[CLUA_VOCABULARIES][20] = {
    [CLUA_STATUSES] = {"notDetermined", "restricted", "denied", "authorizedWhenInUse",
                       "authorizedAlways"},
    [CLUA_ACCURACIES] = {"fullAccuracy", "reducedAccuracy"},
    [CLUA_KINDS] = {"when_in_use", "always", "always_upgrade", "background_reminder"},
    [CLUA_CHOICES] = {"allow", "dont_allow", "allow_while_using", "allow_once", "always_allow",
                      "only_while_using", "keep_only_while_using", "change_to_always_allow"},
    [CLUA_ROWS] = {"never", "ask_next_time", "while_using", "always"},
    [CLUA_PRIMER_ANSWERS] = {"continue", "not_now"},
    [CLUA_ALERT_ANSWERS] = {"open_settings", "cancel"},
    [CLUA_ERRORS] = {"denied", "locationUnknown", "regionMonitoringFailure"},
    [CLUA_FEATURES] = {"store_finder", "arrival_alerts"},
    [CLUA_PERSONAS] = {"one", "other"},
    [CLUA_USAGES] = {"", "To show stores.", "To know you came."},
    [CLUA_VERSIONS] = {"17", "17.0", "26", "26.0"},
    [CLUA_ACCESSES] = {"whenInUse", "always"},
    [CLUA_REGION_STATES] = {"unknown", "inside", "outside"},
    [CLUA_CONDITION_STATES] = {"unknown", "satisfied", "unsatisfied", "unmonitored"},
    [CLUA_DESIRED_ACCURACIES] = {"kCLLocationAccuracyBest", "kCLLocationAccuracyReduced"},
};

static uint32_t word_count(int vocabulary) {
    uint32_t count = 0;
    while (count < 20 && words[vocabulary][count] != NULL) count++;
    return count;
}

static void must(bool is_kept, const char *promise) {
    if (is_kept) return;
    fprintf(stderr, "fuzz: not kept: %s\n", promise);
    abort();
}

static clua_state *open_state(host *h, uint32_t *choices, uint32_t *options) {
    clua_limits limits = {10000, 16 * 1024, 8 * 1024 * 1024};
    clua_host callbacks = {h,    bounded, uniform, exponential, normal,
                           hour, day,     weekday, intern,      name_of, print, NULL};
    clua_state *s = clua_open(limits, callbacks, DEVICES);
    must(s != NULL, "a state opens");
    for (int i = 0; i < 4; i++)
        must(clua_prelude(s, prelude[i].bytes, prelude[i].length) == CLUA_OK, "the prelude runs");
    for (int v = 0; v < CLUA_VOCABULARIES; v++)
        for (uint32_t i = 0; i < word_count(v); i++)
            clua_add_word(s, (enum clua_vocabulary)v, words[v][i], strlen(words[v][i]));
    static const uint8_t places[] = {2, 3, 1};
    must(clua_add_list(s, CLUA_CHOICES, places, 3, choices) == CLUA_OK, "a list is added");
    must(clua_add_options(s, options) == CLUA_OK, "options are added");
    clua_set_string(s, *options, "word", "three", 5);
    return s;
}

/* MARK: Calls */

static void fill_frame(clua_frame *f, dice *d, dice *stream, uint32_t device) {
    f->random = stream;
    f->time_microseconds = (int64_t)below(d, 30) * 86400000000;
    f->device = f->index = device;
    f->persona = (uint16_t)below(d, word_count(CLUA_PERSONAS));
    f->ios_major = (uint8_t)(8 + below(d, 19));
    f->ios_minor = (uint8_t)below(d, 6);
    f->status = (uint8_t)below(d, word_count(CLUA_STATUSES));
    f->kind = (uint8_t)below(d, word_count(CLUA_KINDS));
    f->usage = (uint8_t)below(d, word_count(CLUA_USAGES));
    f->choice_bits = 1 << 1 | 1 << 2 | 1 << 3;
    f->ordinal = (uint32_t)below(d, 5);
    f->asked_before = (uint32_t)below(d, 9);
    f->is_primed = one_in(d, 2);
    f->is_expected = one_in(d, 2);
    f->accuracy = (uint8_t)below(d, 2);
    memset(f->managers, 0, sizeof f->managers);
    f->managers[0] = (clua_manager){.is_alive = true, .allows_background = one_in(d, 2),
                                    .pauses_automatically = true, .name = CLUA_NO_WORD};
    f->managers_filled = 1;
    f->manager = 0;
    f->held = (uint8_t)(below(d, 32) & ~(uint64_t)CLUA_HELD_MONITOR); /* It would have a name. */
    f->monitor = CLUA_NO_WORD;
    f->session_diagnostics = f->diagnostics = (uint16_t)below(d, 1024);
    f->has_position = one_in(d, 2);
    f->timer_count = 0;
    f->sessions = (uint32_t)below(d, 100);
    f->word = f->answer = 0;
    f->accuracy_meters = 5;
}

/* What Swift relies on when it reads the frame. */
static void check_reply(const clua_frame *f, enum clua_hook hook, enum clua_status status) {
    must(memchr(f->message, 0, CLUA_MESSAGE_BYTES) != NULL, "a message ends");
    must(f->act_count <= CLUA_ACTS_MAX, "acts fit");
    if (status != CLUA_OK) return;
    if (hook == CLUA_ANSWER_PROMPT) must(f->choice_bits >> f->reply & 1, "a choice is offered");
    if (hook == CLUA_ANSWER_PRIMER || hook == CLUA_ANSWER_SETTINGS_ALERT)
        must(f->reply < 2, "an answer exists");
    if (hook == CLUA_NEXT_TAP && f->has_reply)
        must(f->reply < word_count(CLUA_FEATURES), "a feature exists");
    must(f->microseconds >= -1 && f->microseconds <= 36500LL * 86400 * 1000000, "a span is one");
    for (uint32_t i = 0; i < f->act_count; i++) {
        const clua_act *act = &f->acts[i];
        must(act->kind <= CLUA_OBSERVE, "an act has a kind");
        if (act->kind == CLUA_SETTINGS) must(act->word < word_count(CLUA_ROWS), "a row exists");
        if (act->kind == CLUA_UPGRADE_OS)
            must(act->word < word_count(CLUA_VERSIONS), "a version exists");
        if (act->kind == CLUA_START_MONITORING)
            must(isfinite(act->latitude_degrees) && isfinite(act->longitude_degrees)
                     && isfinite(act->radius_meters), "a region is one");
    }
}

static uint64_t hash_reply(uint64_t seed, const clua_frame *f, enum clua_status status) {
    seed = hash(seed, &status, sizeof status);
    if (status != CLUA_OK) return hash(seed, f->message, strlen(f->message));
    seed = hash(seed, &f->microseconds, sizeof f->microseconds);
    seed = hash(seed, &f->has_pick, sizeof f->has_pick);
    for (uint32_t i = 0; i < f->act_count; i++) {
        const clua_act *act = &f->acts[i];
        seed = hash(seed, &act->kind, 1);
        seed = hash(seed, &act->word, sizeof act->word);
        seed = hash(seed, &act->microseconds, sizeof act->microseconds);
        seed = hash(seed, &act->radius_meters, sizeof act->radius_meters);
    }
    return seed;
}

static const char *const hook_names[] = {
    "born", "next_open", "session_length", "next_tap", "answer_prompt", "answer_primer",
    "answer_settings_alert", "each_day", "launched", "entered_foreground", "entered_background",
    "tapped", "primer_answered", "settings_alert_answered",
    "locationManagerDidChangeAuthorization", "didChangeAuthorization", "didUpdateLocations",
    "didFailWithError", "monitoringDidFail", "didStartMonitoringFor", "didEnterRegion",
    "didExitRegion", "didDetermineState", "didVisit", "didUpdateHeading",
    "locationManagerDidPauseLocationUpdates", "locationManagerDidResumeLocationUpdates",
    "didCompleteTemporaryFullAccuracyAuthorization", "didReceiveMonitorEvent",
    "didReceiveLiveUpdate", "didReceiveServiceSessionDiagnostic"};

enum { HOOKS = CLUA_DID_RECEIVE_SESSION_DIAGNOSTIC + 1, OPTIONS_MAX = 64 };
struct outline {
    bool is_there[HOOKS];
    int option_count;
    struct { char name[64]; double value; } options[OPTIONS_MAX]; /* numbers alone */
};

static void note(void *context, const clua_declaration *declaration) {
    struct outline *outline = context;
    for (int i = CLUA_BORN; i < HOOKS; i++)
        if (strcmp(declaration->type, "function") == 0 && declaration->option == NULL
            && strcmp(declaration->member, hook_names[i]) == 0)
            outline->is_there[i] = true;
    bool is_default = declaration->field != NULL && strcmp(declaration->field, "default") == 0;
    if (!is_default || outline->option_count == OPTIONS_MAX) return;
    int place = outline->option_count++;
    snprintf(outline->options[place].name, 64, "%s", declaration->option);
    outline->options[place].value = declaration->number;
}

/* The timer that the hook has set last and not cancelled; 0: none. */
static int64_t last_timer(const clua_frame *f) {
    int64_t number = 0;
    for (uint32_t i = 0; i < f->act_count; i++) {
        if (f->acts[i].kind == CLUA_SET_TIMER) number = f->acts[i].number;
        if (f->acts[i].kind == CLUA_CANCEL_TIMER && f->acts[i].number == number) number = 0;
    }
    return number;
}

static void call_hooks(
    clua_state *s, host *h, int script, bool is_strategy, uint64_t seed, bool is_backwards,
    const uint32_t tables[2], transcript *out) {
    struct outline outline = {.option_count = 0};
    const bool *is_there = outline.is_there;
    if (clua_describe(s, script, note, &outline) != CLUA_OK) return;
    for (int i = 0; i < outline.option_count; i++)
        clua_set_number(s, tables[1], outline.options[i].name, outline.options[i].value);
    int functions[HOOKS];
    uint32_t line;
    int first = is_strategy ? CLUA_LAUNCHED : CLUA_BORN;
    int last = is_strategy ? CLUA_DID_RECEIVE_SESSION_DIAGNOSTIC : CLUA_EACH_DAY;
    for (int i = first; i <= last; i++)
        if (is_there[i])
            must(clua_hook(s, script, hook_names[i], &functions[i], &line) == CLUA_OK,
                 "a hook that is there is found");
    clua_frame *frame = clua_frame_of(s);
    for (int step = 0; step < DEVICES; step++) {
        uint32_t device = (uint32_t)(is_backwards ? DEVICES - 1 - step : step);
        dice d = {seed ^ device * 0x9E3779B97F4A7C15};
        for (int round = 0; round < 2; round++)
            for (int i = first; i <= last; i++) {
                if (!is_there[i]) continue;
                dice stream = {roll(&d)};
                fill_frame(frame, &d, &stream, device);
                frame->choices = tables[0];
                frame->options = tables[1];
                frame->word = (uint16_t)(i == CLUA_TAPPED || i == CLUA_DID_FAIL
                                             ? 0 : intern(h, "why", 3));
                h->said = 0;
                enum clua_status status = clua_call(s, (enum clua_hook)i, functions[i]);
                must(lua_gettop(s->L) == SLOTS, "the stack is as it was");
                check_reply(frame, (enum clua_hook)i, status);
                if (status == CLUA_MEMORY || status == CLUA_TOO_MANY_NAMES)
                    out->is_comparable = false;
                if (status != CLUA_OK && out->first_failure[0] == 0)
                    memcpy(out->first_failure, frame->message, CLUA_MESSAGE_BYTES);
                uint64_t *outcome = &out->outcomes[device];
                *outcome = hash_reply(hash(*outcome, &h->said, 8), frame, status);
                int64_t timer = status == CLUA_OK ? last_timer(frame) : 0;
                if (timer != 0) {
                    fill_frame(frame, &d, &stream, device);
                    frame->options = tables[1];
                    frame->timer = timer;
                    frame->is_last_time = true;
                    enum clua_status fired = clua_call(s, CLUA_TIMER, 0);
                    must(lua_gettop(s->L) == SLOTS, "the stack is as it was");
                    check_reply(frame, CLUA_TIMER, fired);
                    if (fired == CLUA_MEMORY || fired == CLUA_TOO_MANY_NAMES)
                        out->is_comparable = false;
                    *outcome = hash_reply(*outcome, frame, fired);
                    if (one_in(&d, 2)) clua_end_process(s, device);
                }
                if (is_telling)
                    fprintf(stderr, "  device %u, %s: %d %016llx %s\n", device, hook_names[i],
                            status, (unsigned long long)*outcome,
                            status == CLUA_OK ? "" : frame->message);
            }
        if (is_strategy && one_in(&d, 4)) clua_forget(s, device);
    }
}

void run_script(
    const text *script, bool is_strategy, uint64_t seed, bool is_backwards, transcript *out) {
    static host h;
    memset(&h, 0, sizeof h);
    *out = (transcript){.is_comparable = true};
    uint32_t tables[2];
    clua_state *s = open_state(&h, &tables[0], &tables[1]);
    int table;
    enum clua_status status =
        clua_load(s, script->bytes, script->length, "=fuzz.lua", is_strategy, &table);
    must(memchr(clua_frame_of(s)->message, 0, CLUA_MESSAGE_BYTES) != NULL, "a message ends");
    out->is_loaded = status == CLUA_OK;
    if (out->is_loaded) {
        call_hooks(s, &h, table, is_strategy, seed, is_backwards, tables, out);
    } else {
        if (status == CLUA_MEMORY) out->is_comparable = false;
        out->outcomes[0] = hash(0, clua_frame_of(s)->message, strlen(clua_frame_of(s)->message));
        memcpy(out->first_failure, clua_frame_of(s)->message, CLUA_MESSAGE_BYTES);
    }
    if (h.has_clash) out->is_comparable = false;
    clua_close(s);
}
