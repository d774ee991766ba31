/* How a strategy describes a circle: a region of a manager, a condition of a monitor. */
#include "state.h"

#include <math.h>
#include <string.h>

static const char *const fields[] = {"identifier", "latitude", "longitude", "radius"};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void refuse_other_fields(lua_State *L, int table, const char *what) {
    char shown[64], text[128];
    if (!clua_push_other_key(L, table, fields, FIELDS)) return;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    struct nearest nearest = clua_nearest_to(name);
    for (int i = 0; i < FIELDS; i++) clua_offer(&nearest, fields[i]);
    clua_fail(L, "a %s has an identifier, a latitude, a longitude and a radius, and no %s%s", what,
              clua_show(L, -1, shown), clua_suggestion(&nearest, text));
}

static uint16_t read_identifier(lua_State *L, int table, const char *what) {
    lua_pushliteral(L, "identifier");
    lua_rawget(L, table);
    return clua_check_name(
        L, -1, strcmp(what, "region") == 0 ? "the identifier of a region"
                                           : "the identifier of a condition");
}

/* `range` says in words what `least` and `most` bound. */
static double read_number(
    lua_State *L, int table, const char *field, double least, double most, const char *what,
    const char *range) {
    char shown[64];
    lua_pushstring(L, field);
    lua_rawget(L, table);
    lua_Number number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (lua_Number)NAN;
    if (!(number >= least && number <= most)) /* Not a number is in no range. */
        clua_fail(L, "the %s of a %s is %s, not %s", field, what, range, clua_show(L, -1, shown));
    return number;
}

void clua_read_circle(lua_State *L, int index, const char *what, bool is_whole, clua_act *act) {
    clua_push_contents(L, index);
    clua_spend(L, 100); /* A table that was large once takes long. */
    int table = lua_gettop(L);
    refuse_other_fields(L, table, what);
    act->word = read_identifier(L, table, what);
    if (!is_whole) return;
    act->latitude_degrees =
        read_number(L, table, "latitude", -90, 90, what, "a number of degrees in -90 ... 90");
    act->longitude_degrees =
        read_number(L, table, "longitude", -180, 180, what, "a number of degrees in -180 ... 180");
    /* RG3: what is too large for the system is a failure of its own, not of the script. */
    act->radius_meters =
        read_number(L, table, "radius", 1e-3, 1e9, what, "a number of meters in 0.001 ... 1e9");
}

/* startMonitoring { identifier = name, latitude = , longitude = , radius = }; stopMonitoring and
 * requestState take the same table, one with the identifier alone, or the region of a callback. */
int clua_region_method(lua_State *L) {
    char shown[64];
    enum clua_act_kind kind = (enum clua_act_kind)lua_tointeger(L, UP(UP_EXTRA));
    bool is_start = kind == CLUA_START_MONITORING;
    clua_check_self(L, TYPE_MANAGER, clua_region_method, (int)kind);
    clua_act act = {.kind = (uint8_t)kind, .manager = (uint8_t)object_number(L, 1)};
    if (!is_start && lua_islightuserdata(L, 2) && clua_check_alive(L, 2) == TYPE_REGION) {
        act.word = state_of(L)->frame.word;
        *clua_append_act(L, kind) = act;
        return 0;
    }
    if (!lua_istable(L, 2)) {
        if (is_start)
            return clua_fail(L, "startMonitoring takes { identifier = name, latitude = degrees, "
                             "longitude = degrees, radius = meters }, not %s",
                             clua_show(L, 2, shown));
        return clua_fail(L, "%s takes a region or { identifier = name }, not %s",
                         kind == CLUA_REQUEST_STATE ? "requestState" : "stopMonitoring",
                         clua_show(L, 2, shown));
    }
    clua_read_circle(L, 2, "region", is_start, &act);
    *clua_append_act(L, kind) = act;
    return 0;
}
