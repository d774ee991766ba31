#include "state.h"

#include <string.h>

#ifndef LUAI_MAXSHORTLEN
#define LUAI_MAXSHORTLEN 40 /* Lua 5.4, llimits.h: longer strings are not kept as one copy. */
#endif

/*
 * What a field of a host object is: its name, the types that have it, the first major version of
 * iOS that knows it, and for a method the function and its number.
 */
#define ON(type) (1u << TYPE_##type)
#define SERVICE(kind, service) ((kind) | (service) << 8)
/* The flags of iOS 18, in the order of `DiagnosticFlags`. */
#define ANYWHERE (ON(DIAGNOSTICS) | ON(EVENT) | ON(UPDATE))
#define FLAGS(X) \
    X(authorizationDenied, ANYWHERE, 18, NULL, 0) \
    X(authorizationDeniedGlobally, ANYWHERE, 18, NULL, 0) \
    X(authorizationRestricted, ANYWHERE, 18, NULL, 0) \
    X(authorizationRequestInProgress, ANYWHERE, 18, NULL, 0) \
    X(alwaysAuthorizationDenied, ON(DIAGNOSTICS), 18, NULL, 0) \
    X(fullAccuracyDenied, ON(DIAGNOSTICS), 18, NULL, 0) \
    X(accuracyLimited, ON(EVENT) | ON(UPDATE), 18, NULL, 0) \
    X(insufficientlyInUse, ANYWHERE, 18, NULL, 0) \
    X(serviceSessionRequired, ANYWHERE, 18, NULL, 0) \
    X(conditionLimitExceeded, ON(EVENT), 18, NULL, 0)
#define FIELDS(X) \
    X(device, ON(PERSON), 0, NULL, 0) \
    X(persona, ON(PERSON), 0, NULL, 0) \
    X(ios, ON(PERSON) | ON(PROMPT) | ON(APP), 0, NULL, 0) \
    X(options, ON(PERSON) | ON(APP), 0, NULL, 0) \
    X(local_hour, ON(PERSON), 0, NULL, 0) \
    X(day, ON(PERSON), 0, NULL, 0) \
    X(weekday, ON(PERSON), 0, NULL, 0) \
    X(now, ON(PERSON) | ON(APP), 0, NULL, 0) \
    X(status, ON(PERSON), 0, NULL, 0) \
    X(kind, ON(PROMPT), 0, NULL, 0) \
    X(choices, ON(PROMPT), 0, NULL, 0) \
    X(purpose, ON(PROMPT), 0, NULL, 0) \
    X(ordinal, ON(PROMPT), 0, NULL, 0) \
    X(asked_before, ON(PROMPT), 0, NULL, 0) \
    X(primed, ON(PROMPT), 0, NULL, 0) \
    X(expected, ON(PROMPT), 0, NULL, 0) \
    X(has, ON(PROMPT), 0, clua_prompt_has, 0) \
    X(id, ON(PRIMER), 0, NULL, 0) \
    X(manager, ON(APP), 0, NULL, 0) \
    X(sessions, ON(APP), 0, NULL, 0) \
    X(first_launch, ON(APP), 0, NULL, 0) \
    X(launched_by_system, ON(APP), 0, NULL, 0) \
    X(available, ON(APP), 0, clua_app_available, 0) \
    X(show_primer, ON(APP), 0, clua_app_method, CLUA_SHOW_PRIMER) \
    X(show_settings_alert, ON(APP), 0, clua_app_method, CLUA_SHOW_SETTINGS_ALERT) \
    X(feature_done, ON(APP), 0, clua_app_method, CLUA_FEATURE_DONE) \
    X(milestone, ON(APP), 0, clua_app_method, CLUA_MILESTONE) \
    X(after, ON(APP), 0, clua_set_timer, 0) \
    X(every, ON(APP), 0, clua_set_timer, 1) \
    X(start, ON(APP), 0, clua_start_task, 0) \
    X(authorizationStatus, ON(MANAGER), 0, NULL, 0) \
    X(accuracyAuthorization, ON(MANAGER), 14, NULL, 0) \
    X(allowsBackgroundLocationUpdates, ON(MANAGER), 9, NULL, 0) \
    X(requestWhenInUseAuthorization, ON(MANAGER), 0, clua_manager_method, \
      CLUA_REQUEST_WHEN_IN_USE) \
    X(requestAlwaysAuthorization, ON(MANAGER), 0, clua_manager_method, CLUA_REQUEST_ALWAYS) \
    X(requestTemporaryFullAccuracyAuthorization, ON(MANAGER), 14, clua_manager_method, \
      CLUA_REQUEST_FULL_ACCURACY) \
    X(requestLocation, ON(MANAGER), 9, clua_manager_method, CLUA_REQUEST_LOCATION) \
    X(startUpdatingLocation, ON(MANAGER), 0, clua_manager_method, \
      SERVICE(CLUA_START, CLUA_UPDATES)) \
    X(stopUpdatingLocation, ON(MANAGER), 0, clua_manager_method, SERVICE(CLUA_STOP, CLUA_UPDATES)) \
    X(startMonitoringSignificantLocationChanges, ON(MANAGER), 0, clua_manager_method, \
      SERVICE(CLUA_START, CLUA_SIGNIFICANT_CHANGE)) \
    X(stopMonitoringSignificantLocationChanges, ON(MANAGER), 0, clua_manager_method, \
      SERVICE(CLUA_STOP, CLUA_SIGNIFICANT_CHANGE)) \
    X(startMonitoringVisits, ON(MANAGER), 0, clua_manager_method, \
      SERVICE(CLUA_START, CLUA_VISITS)) \
    X(stopMonitoringVisits, ON(MANAGER), 0, clua_manager_method, SERVICE(CLUA_STOP, CLUA_VISITS)) \
    X(startMonitoring, ON(MANAGER), 0, clua_region_method, CLUA_START_MONITORING) \
    X(stopMonitoring, ON(MANAGER), 0, clua_region_method, CLUA_STOP_MONITORING) \
    X(requestState, ON(MANAGER), 0, clua_region_method, CLUA_REQUEST_STATE) \
    X(startUpdatingHeading, ON(MANAGER), 0, clua_manager_method, \
      SERVICE(CLUA_START, CLUA_HEADING)) \
    X(stopUpdatingHeading, ON(MANAGER), 0, clua_manager_method, SERVICE(CLUA_STOP, CLUA_HEADING)) \
    X(release, ON(MANAGER), 0, clua_release_manager, 0) \
    X(pausesLocationUpdatesAutomatically, ON(MANAGER), 0, NULL, 0) \
    X(showsBackgroundLocationIndicator, ON(MANAGER), 11, NULL, 0) \
    X(desiredAccuracy, ON(MANAGER), 0, NULL, 0) \
    X(distanceFilter, ON(MANAGER), 0, NULL, 0) \
    X(location, ON(MANAGER) | ON(UPDATE), 0, NULL, 0) \
    X(horizontalAccuracy, ON(LOCATION) | ON(VISIT), 0, NULL, 0) \
    X(coordinate, ON(LOCATION) | ON(VISIT), 0, NULL, 0) \
    X(altitude, ON(LOCATION), 0, NULL, 0) \
    X(course, ON(LOCATION), 0, NULL, 0) \
    X(speed, ON(LOCATION), 0, NULL, 0) \
    X(identifier, ON(REGION) | ON(MANAGER) | ON(EVENT), 0, NULL, 0) \
    X(managers, ON(APP), 0, NULL, 0) \
    X(service_sessions, ON(APP), 0, NULL, 0) \
    X(background_activity_session, ON(APP), 0, NULL, 0) \
    X(monitor, ON(APP), 0, NULL, 0) \
    X(live_updates, ON(APP), 0, NULL, 0) \
    X(is_arrival, ON(VISIT), 0, NULL, 0) \
    X(arrivalDate, ON(VISIT), 0, NULL, 0) \
    X(departureDate, ON(VISIT), 0, NULL, 0) \
    X(trueHeading, ON(HEADING), 0, NULL, 0) \
    X(magneticHeading, ON(HEADING), 0, NULL, 0) \
    X(headingAccuracy, ON(HEADING), 0, NULL, 0) \
    X(authorization, ON(SERVICE_SESSION), 0, NULL, 0) \
    X(diagnostics, ON(SERVICE_SESSION), 0, NULL, 0) \
    X(invalidate, ON(SERVICE_SESSION) | ON(BACKGROUND_SESSION), 0, clua_session_method, 0) \
    X(cancel, ON(TIMER) | ON(LIVE_UPDATES), 0, cancel, 0) \
    X(name, ON(MONITOR), 0, NULL, 0) \
    X(add, ON(MONITOR), 0, clua_monitor_method, CLUA_ADD_CONDITION) \
    X(remove, ON(MONITOR), 0, clua_monitor_method, CLUA_REMOVE_CONDITION) \
    X(state, ON(EVENT), 0, NULL, 0) \
    FLAGS(X)

/* timer:cancel(), and the same of a sequence of live updates. */
static int cancel(lua_State *L) {
    uintptr_t bits = (uintptr_t)lua_touserdata(L, 1);
    bool is_timer = !lua_islightuserdata(L, 1) || (bits & ((1 << TYPE_BITS) - 1)) == TYPE_TIMER;
    return is_timer ? clua_cancel_timer(L) : clua_session_method(L);
}

enum field {
#define X(name, types, since, method, extra) FIELD_##name,
    FIELDS(X)
#undef X
    FIELD_COUNT
};

static const struct {
    const char *name;
    uint32_t types;
    uint8_t since;
    lua_CFunction method;
    int extra;
} fields[FIELD_COUNT] = {
#define X(name, types, since, method, extra) {#name, types, since, method, extra},
    FIELDS(X)
#undef X
};

const char *clua_method_name(enum clua_type type, lua_CFunction method, int extra) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool is_same = fields[i].method == method && fields[i].extra == extra;
        if (is_same && fields[i].types >> type & 1) return fields[i].name;
    }
    return "method";
}

bool clua_is_method(const char *name, size_t length) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool has_length = fields[i].method != NULL && strlen(fields[i].name) == length;
        if (has_length && memcmp(fields[i].name, name, length) == 0) return true;
    }
    return false;
}

/* MARK: Fields */

static int refuse_field(lua_State *L, enum clua_type type) {
    char text[128], shown[64];
    if (lua_type(L, 2) != LUA_TSTRING)
        return clua_fail(L, "fields of a %s have names, not %s", clua_type_name(type),
                         clua_show(L, 2, shown));
    struct nearest nearest = clua_nearest_to(lua_tostring(L, 2));
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].types >> type & 1) clua_offer(&nearest, fields[i].name);
    const char *article = strchr("aeiou", clua_type_name(type)[0]) ? "an" : "a";
    return clua_fail(L, "%s %s has no field %s%s", article, clua_type_name(type),
                     clua_show(L, 2, shown), clua_suggestion(&nearest, text));
}

/*
 * Lua keeps one copy of each short string, so where a field's name lies tells which one it is: a
 * place in `known_names`, or the next few after it. The names are alive as long as the state.
 */
static unsigned name_place(const void *name) {
    return (unsigned)((uintptr_t)name >> 4) % CLUA_KNOWN_NAMES;
}

static void know_name(clua_state *s, const void *name, int field) {
    for (unsigned place = name_place(name), tries = 0; tries < CLUA_NAME_TRIES; tries++, place++) {
        clua_known_name *known = &s->known_names[place % CLUA_KNOWN_NAMES];
        if (known->name != NULL) continue;
        *known = (clua_known_name){name, field};
        return;
    }
}

/* The number of the field named at index 2, or -1 where it has to be looked up. */
static int known_field(lua_State *L, const clua_state *s) {
    if (lua_type(L, 2) != LUA_TSTRING) return -1;
    const void *name = lua_topointer(L, 2);
    for (unsigned place = name_place(name), tries = 0; tries < CLUA_NAME_TRIES; tries++, place++) {
        const clua_known_name *known = &s->known_names[place % CLUA_KNOWN_NAMES];
        if (known->name == name) return known->field;
    }
    return -1;
}

/* The number of the field named at index 2, which an object of this type must have. */
static int check_field(lua_State *L, const clua_state *s, enum clua_type type) {
    int field = known_field(L, s);
    if (field < 0) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, UP(SLOT_FIELDS)) != LUA_TNUMBER) refuse_field(L, type);
        field = (int)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    if ((fields[field].types >> type & 1) == 0) refuse_field(L, type);
    if (fields[field].since > s->frame.ios_major)
        clua_check_version(L, fields[field].name, fields[field].since);
    return field;
}

static void push_word(lua_State *L, enum clua_vocabulary vocabulary, int place) {
    lua_rawgeti(L, UP_WORDS(vocabulary), place + 1);
}

static int comes_with_movement(lua_State *L, const char *what) {
    return clua_fail(L, "%s is not there yet: it comes with movement", what);
}

static int object_index(lua_State *L) {
    const clua_state *s = state_of(L);
    const clua_frame *f = &s->frame;
    enum clua_type type = clua_check_alive(L, 1);
    if (type == TYPE_LOCATIONS && lua_type(L, 2) == LUA_TNUMBER) {
        if (lua_tonumber(L, 2) == 1) push_object(L, s, TYPE_LOCATION);
        else lua_pushnil(L);
        return 1;
    }
    if (type == TYPE_MANAGERS || type == TYPE_SERVICE_SESSIONS) {
        (type == TYPE_MANAGERS ? clua_push_manager : clua_push_service_session)(L);
        return 1;
    }
    const clua_manager *manager = &f->managers[type == TYPE_MANAGER ? object_number(L, 1) : 0];
    enum field field = (enum field)check_field(L, s, type);
    switch (field) {
    case FIELD_device: lua_pushinteger(L, f->device); break;
    case FIELD_persona: push_word(L, CLUA_PERSONAS, f->persona); break;
    case FIELD_ios: /* As 17.6 is written: minor versions end at 9. */
        lua_pushnumber(L, (lua_Number)(f->ios_major * 10 + f->ios_minor) / 10);
        break;
    case FIELD_options: lua_rawgeti(L, UP(SLOT_SHARED), f->options); break;
    case FIELD_local_hour:
        lua_pushnumber(L, s->host.hour(s->host.context, f->time_microseconds));
        break;
    case FIELD_now: lua_pushnumber(L, (lua_Number)f->time_microseconds / 1e6); break;
    case FIELD_day: lua_pushinteger(L, s->host.day(s->host.context, f->time_microseconds)); break;
    case FIELD_weekday:
        lua_pushinteger(L, s->host.weekday(s->host.context, f->time_microseconds));
        break;
    case FIELD_status: case FIELD_authorizationStatus:
        push_word(L, CLUA_STATUSES, f->status);
        break;
    case FIELD_kind: push_word(L, CLUA_KINDS, f->kind); break;
    case FIELD_choices: lua_rawgeti(L, UP(SLOT_SHARED), f->choices); break;
    case FIELD_purpose: push_word(L, CLUA_USAGES, f->usage); break;
    case FIELD_ordinal: lua_pushinteger(L, f->ordinal); break;
    case FIELD_asked_before: lua_pushinteger(L, f->asked_before); break;
    case FIELD_primed: lua_pushboolean(L, f->is_primed); break;
    case FIELD_expected: lua_pushboolean(L, f->is_expected); break;
    case FIELD_id: push_word(L, CLUA_NAMES, f->word); break;
    case FIELD_identifier:
        if (type == TYPE_MANAGER) clua_push_manager_name(L, object_number(L, 1));
        else clua_push_name(L, UP_WORDS(CLUA_NAMES), f->word);
        break;
    case FIELD_name: clua_push_name(L, UP_WORDS(CLUA_NAMES), f->monitor); break;
    case FIELD_state: push_word(L, CLUA_CONDITION_STATES, f->answer); break;
    case FIELD_managers: push_object(L, s, TYPE_MANAGERS); break;
    case FIELD_service_sessions: push_object(L, s, TYPE_SERVICE_SESSIONS); break;
    case FIELD_background_activity_session:
        clua_push_held(L, TYPE_BACKGROUND_SESSION, CLUA_HELD_BACKGROUND);
        break;
    case FIELD_monitor: clua_push_held(L, TYPE_MONITOR, CLUA_HELD_MONITOR); break;
    case FIELD_live_updates: clua_push_held(L, TYPE_LIVE_UPDATES, CLUA_HELD_LIVE_UPDATES); break;
    case FIELD_is_arrival: lua_pushboolean(L, f->is_arrival); break;
    case FIELD_authorization: push_word(L, CLUA_ACCESSES, (int)object_number(L, 1)); break;
    case FIELD_diagnostics: push_object(L, s, TYPE_DIAGNOSTICS); break;
    case FIELD_pausesLocationUpdatesAutomatically:
        lua_pushboolean(L, manager->pauses_automatically);
        break;
    case FIELD_showsBackgroundLocationIndicator:
        lua_pushboolean(L, manager->shows_indicator);
        break;
    case FIELD_desiredAccuracy:
        push_word(L, CLUA_DESIRED_ACCURACIES, manager->desired_accuracy);
        break;
    case FIELD_manager: push_object(L, s, TYPE_MANAGER); break;
    case FIELD_sessions: lua_pushinteger(L, f->sessions); break;
    case FIELD_first_launch: lua_pushboolean(L, f->is_first_launch); break;
    case FIELD_launched_by_system: lua_pushboolean(L, f->was_launched_by_system); break;
    case FIELD_accuracyAuthorization: push_word(L, CLUA_ACCURACIES, f->accuracy); break;
    case FIELD_allowsBackgroundLocationUpdates:
        lua_pushboolean(L, manager->allows_background);
        break;
    case FIELD_horizontalAccuracy:
        if (type == TYPE_VISIT) return comes_with_movement(L, "the accuracy of a visit");
        lua_pushnumber(L, f->accuracy_meters);
        break;
    case FIELD_location:
        if (type == TYPE_MANAGER) return comes_with_movement(L, "location");
        if (f->has_position) push_object(L, s, TYPE_LOCATION);
        else lua_pushnil(L);
        break;
    case FIELD_distanceFilter: case FIELD_arrivalDate: case FIELD_departureDate:
    case FIELD_trueHeading: case FIELD_magneticHeading: case FIELD_headingAccuracy:
        return comes_with_movement(L, fields[field].name);
    case FIELD_coordinate: case FIELD_altitude: case FIELD_course: case FIELD_speed:
        return clua_fail(L, "positions have no %s until movement is modelled", fields[field].name);
    case FIELD_authorizationDenied ... FIELD_conditionLimitExceeded: {
        uint16_t flags = type == TYPE_DIAGNOSTICS ? f->session_diagnostics : f->diagnostics;
        lua_pushboolean(L, flags >> (field - FIELD_authorizationDenied) & 1);
        break;
    }
    default: lua_rawgeti(L, UP(SLOT_METHODS), field);
    }
    return 1;
}

static int object_newindex(lua_State *L) {
    char shown[64];
    enum clua_type type = clua_check_alive(L, 1);
    bool is_list =
        type == TYPE_LOCATIONS || type == TYPE_MANAGERS || type == TYPE_SERVICE_SESSIONS;
    enum field field = is_list ? FIELD_COUNT : (enum field)check_field(L, state_of(L), type);
    switch (field) {
    case FIELD_allowsBackgroundLocationUpdates:
        return clua_set_property(L, CLUA_ALLOW_BACKGROUND, fields[field].name);
    case FIELD_pausesLocationUpdatesAutomatically:
        return clua_set_property(L, CLUA_PAUSE_AUTOMATICALLY, fields[field].name);
    case FIELD_showsBackgroundLocationIndicator:
        return clua_set_property(L, CLUA_SHOW_INDICATOR, fields[field].name);
    case FIELD_desiredAccuracy:
        return clua_set_property(L, CLUA_DESIRE_ACCURACY, fields[field].name);
    case FIELD_distanceFilter: return comes_with_movement(L, fields[field].name);
    default:
        return clua_fail(L, "a %s is read-only: %s cannot be set", clua_type_name(type),
                         clua_show(L, 2, shown));
    }
}

static int object_length(lua_State *L) {
    enum clua_type type = clua_check_alive(L, 1);
    if (type != TYPE_LOCATIONS) return clua_fail(L, "a %s has no length", clua_type_name(type));
    lua_pushinteger(L, 1);
    return 1;
}

/* MARK: Definition */

void clua_define_objects(lua_State *L, int first) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        const char *name = lua_pushstring(L, fields[i].name);
        if (strlen(name) <= LUAI_MAXSHORTLEN) know_name(state_of(L), lua_topointer(L, -1), i);
        lua_pushinteger(L, i);
        lua_rawset(L, first + SLOT_FIELDS - 1);
        if (fields[i].method == NULL) continue;
        clua_push_function(L, first, fields[i].method, fields[i].extra);
        lua_rawseti(L, first + SLOT_METHODS - 1, i);
    }
    /* All light userdata share one metatable, and scripts see no others. */
    lua_pushlightuserdata(L, (void *)(uintptr_t)TYPE_APP);
    lua_newtable(L);
    clua_push_function(L, first, object_index, 0);
    lua_setfield(L, -2, "__index");
    clua_push_function(L, first, object_newindex, 0);
    lua_setfield(L, -2, "__newindex");
    clua_push_function(L, first, object_length, 0);
    lua_setfield(L, -2, "__len");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "app");
}

const char *clua_field(uint32_t number, uint32_t *types, uint8_t *since) {
    if (number >= FIELD_COUNT) return NULL;
    *types = fields[number].types;
    *since = fields[number].since;
    return fields[number].name;
}
