/*
 * What works for long within one instruction, and pays for it.
 *
 * Lua reads a string as a number, compares two of them and copies a list of arguments without a
 * step that the count hook sees.
 */
#include "state.h"

#include <string.h>

/* MARK: Arguments */

/* A C function, after its arguments have been paid for: long strings, and many values. */
static int call_paid(lua_State *L) {
    enum { BYTES_PER_INSTRUCTION = 64, VALUES_PER_INSTRUCTION = 16 };
    int count = lua_gettop(L);
    int64_t price = count / VALUES_PER_INSTRUCTION;
    for (int i = 1; i <= count; i++)
        if (lua_type(L, i) == LUA_TSTRING)
            price += (int64_t)lua_rawlen(L, i) / BYTES_PER_INSTRUCTION;
    if (price > 0) clua_spend(L, price);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* paid(value): a C function without upvalues as one that pays; anything else as it is. */
static int host_paid(lua_State *L) {
    lua_settop(L, 1);
    if (lua_iscfunction(L, 1)) lua_pushcclosure(L, call_paid, 1);
    return 1;
}

/* pay_for(list): for the comparisons of its strings when C sorts it. Short ones are free. */
static int host_pay_for(lua_State *L) {
    enum { FREE_BYTES = 40, BYTES_PER_INSTRUCTION = 4 };
    lua_Unsigned bytes = 0, count = lua_rawlen(L, 1);
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        lua_Unsigned length = lua_rawlen(L, -1);
        if (length > FREE_BYTES) bytes += length;
        lua_pop(L, 1);
    }
    clua_spend(L, (int64_t)(bytes / BYTES_PER_INSTRUCTION));
    return 0;
}

void clua_define_prices(lua_State *L) {
    lua_pushcfunction(L, host_paid);
    lua_setfield(L, -2, "paid");
    lua_pushcfunction(L, host_pay_for);
    lua_setfield(L, -2, "pay_for");
}

/* MARK: Comparisons */

_Thread_local int64_t clua_segments_compared;

/*
 * Wins over libc's inside liblua, as maths.c says: the order of strings is that of their bytes,
 * whatever the locale of the process. `<` asks once for each stretch between two NUL bytes, of
 * which a string may have thousands.
 */
int strcoll(const char *left, const char *right) {
    clua_segments_compared++;
    return strcmp(left, right);
}

/* MARK: Values */

/*
 * How many values there are between the frames of the stack, where they are many: each `...` and
 * each call copies them all.
 *
 * Who has worked within the slice lies at most CLUA_SLICE calls up the stack.
 *
 * Source: Lua 5.4, lstate.h, the head of `CallInfo`; the same in all of 5.4. A slot of the stack
 * has 16 bytes.
 */
static int64_t many_values(const lua_Debug *at) {
    enum { SLOT_BYTES = 16, VALUES_FREE = 1000 };
    struct frame {
        const char *function, *top;
        const struct frame *previous;
    };
    int64_t values = 0;
    const struct frame *frame = (const void *)at->i_ci;
    for (int i = 0; i < CLUA_SLICE && frame->previous != NULL; i++, frame = frame->previous) {
        int64_t between = (frame->function - frame->previous->function) / SLOT_BYTES;
        if (between > VALUES_FREE) values += between;
    }
    return values;
}

int64_t clua_slice_price(const lua_Debug *at) {
    enum { SEGMENTS_PER_INSTRUCTION = 16, VALUES_PER_INSTRUCTION = 8 };
    int64_t segments = clua_segments_compared;
    clua_segments_compared = 0;
    return CLUA_SLICE + segments / SEGMENTS_PER_INSTRUCTION
        + many_values(at) / VALUES_PER_INSTRUCTION;
}

void clua_arm(lua_State *L, lua_State *task) {
    lua_Debug at;
    clua_spend(L, lua_getstack(task, 0, &at) ? clua_slice_price(&at) : CLUA_SLICE);
    lua_sethook(task, clua_spend_slice, LUA_MASKCOUNT, CLUA_SLICE);
}
