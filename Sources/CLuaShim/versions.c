/* Which iOS a device has, and what there is on it. */
#include "state.h"

void clua_check_version(lua_State *L, const char *name, int since) {
    const clua_frame *f = &state_of(L)->frame;
    if (f->ios_major >= since) return;
    clua_fail(L, "%s exists from iOS %d.0 on and this device has %d.%d: guard it with "
              "app.available(\"%d.0\")", name, since, f->ios_major, f->ios_minor, since);
}

/* Reads "17" or "17.6". */
static bool parse_version(const char *text, int version[2]) {
    version[0] = version[1] = 0;
    for (int part = 0; part < 2; part++) {
        int digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 2; digits++)
            version[part] = version[part] * 10 + (*text++ - '0');
        if (digits == 0) return false;
        if (*text == 0) return true;
        if (*text++ != '.') return false;
    }
    return false;
}

/* app.available("17.0"): whether the device has this version of iOS or a later one. */
int clua_app_available(lua_State *L) {
    int index = lua_islightuserdata(L, 1) ? 2 : 1, version[2];
    char shown[64];
    const clua_frame *frame = &state_of(L)->frame;
    if (lua_type(L, index) != LUA_TSTRING || !parse_version(lua_tostring(L, index), version))
        return clua_fail(L, "available takes a version such as \"17.0\", not %s",
                         clua_show(L, index, shown));
    bool is_available = frame->ios_major != version[0] ? frame->ios_major > version[0]
                                                       : frame->ios_minor >= version[1];
    lua_pushboolean(L, is_available);
    return 1;
}

const char *clua_release(void) { return LUA_RELEASE; }
