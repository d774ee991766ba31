/*
 * Reads what lua_dump writes of a function, to find assignments to variables outside it. How it
 * ends is in ends.c.
 *
 * Source: Lua 5.4, ldump.c and lopcodes.h: the format 5.4.0 of precompiled chunks, and SETUPVAL,
 * `UpValue[B] := R[A]`, whose number is 10. It reads only what this process has just dumped.
 */
#include "state.h"

#include <string.h>

#if LUA_VERSION_NUM != 504
#error "the format of precompiled chunks is read for Lua 5.4 alone"
#endif

enum { OP_SETUPVAL = 10, OUTSIDE_MAX = 256, HEADER_BYTES = 4 + 1 + 1 + 6 + 3 + 8 + 8 };

struct reader {
    const uint8_t *at, *end;
    bool is_found;
    char name[CLUA_NAME_BYTES_MAX];
    uint32_t line;
};

static uint8_t read_byte(struct reader *r) { return r->at < r->end ? *r->at++ : 0x80; }

/* Seven bits a byte, the highest first; the last byte has its eighth bit set. */
static size_t read_size(struct reader *r) {
    size_t value = 0;
    for (;;) {
        uint8_t byte = read_byte(r);
        value = value << 7 | (byte & 0x7F);
        if (byte & 0x80) return value;
    }
}

static const uint8_t *read_block(struct reader *r, size_t bytes) {
    const uint8_t *block = r->at;
    size_t left = (size_t)(r->end - r->at);
    r->at += bytes < left ? bytes : left;
    return block;
}

/* The length is one more than that of the text; 0 stands for no text. */
static const char *read_string(struct reader *r, size_t *length) {
    size_t size = read_size(r);
    *length = size == 0 ? 0 : size - 1;
    return (const char *)read_block(r, *length);
}

/* Its text, or NULL where it is none. */
static const char *read_constant(struct reader *r, size_t *length) {
    switch (read_byte(r)) {
    case LUA_TNUMBER | 0 << 4: read_block(r, sizeof(lua_Integer)); return NULL;
    case LUA_TNUMBER | 1 << 4: read_block(r, sizeof(lua_Number)); return NULL;
    case LUA_TSTRING | 0 << 4: case LUA_TSTRING | 1 << 4: return read_string(r, length);
    default: return NULL; /* nil, true and false have no more than their kind. */
    }
}

static void skip_constants(struct reader *r) {
    size_t length;
    for (size_t left = read_size(r); left > 0; left--) read_constant(r, &length);
}

/*
 * Reads one function. `outside[i]` tells whether variable i of the enclosing function lies outside
 * the function that was dumped; NULL for that one, whose variables all do.
 */
static void read_function(struct reader *r, const bool *outside) {
    size_t length;
    read_string(r, &length); /* the source */
    uint32_t line = (uint32_t)read_size(r);
    read_size(r);
    read_block(r, 3); /* parameters, whether there may be more, registers */

    size_t code_count = read_size(r);
    const uint8_t *code = read_block(r, code_count * 4);
    skip_constants(r);

    bool is_outside[OUTSIDE_MAX] = {false};
    size_t variable_count = read_size(r);
    for (size_t i = 0; i < variable_count; i++) {
        bool is_local = read_byte(r) != 0;
        uint8_t index = read_byte(r);
        read_byte(r);
        if (i < OUTSIDE_MAX) is_outside[i] = outside == NULL || (!is_local && outside[index]);
    }

    size_t place = 0;
    uint8_t variable = 0;
    for (; place < code_count; place++) {
        uint32_t instruction;
        memcpy(&instruction, code + place * 4, 4);
        variable = (uint8_t)(instruction >> 16);
        if ((instruction & 0x7F) == OP_SETUPVAL && is_outside[variable]) break;
    }
    bool is_here = place < code_count;

    for (size_t left = read_size(r); left > 0; left--) read_function(r, is_outside);

    size_t line_count = read_size(r);
    const int8_t *steps = (const int8_t *)read_block(r, line_count);
    size_t from = 0;
    for (size_t left = read_size(r); left > 0; left--) { /* lines that no step leads to */
        size_t at = read_size(r);
        uint32_t absolute = (uint32_t)read_size(r);
        if (at > place) continue;
        line = absolute;
        from = at + 1;
    }
    for (size_t i = from; i <= place && i < line_count; i++) line += (uint32_t)steps[i];

    for (size_t left = read_size(r); left > 0; left--) { /* local variables */
        read_string(r, &length);
        read_size(r);
        read_size(r);
    }
    size_t name_count = read_size(r);
    for (size_t i = 0; i < name_count; i++) {
        const char *name = read_string(r, &length);
        if (!is_here || i != variable || r->is_found) continue;
        size_t kept = length < sizeof r->name - 1 ? length : sizeof r->name - 1;
        memcpy(r->name, name, kept);
        r->name[kept] = 0;
        r->line = line;
    }
    r->is_found |= is_here;
}

struct bytecode clua_code(const uint8_t *bytes, size_t length) {
    struct reader r = {.at = bytes, .end = bytes + length};
    size_t ignored;
    read_block(&r, HEADER_BYTES + 1);
    read_string(&r, &ignored);
    read_size(&r);
    read_size(&r);
    uint8_t parameters = read_byte(&r);
    bool has_more = read_byte(&r) != 0;
    read_byte(&r); /* registers */
    size_t count = read_size(&r);
    const uint8_t *code = read_block(&r, count * 4);
    return (struct bytecode){code, count, r.at, r.end, parameters, has_more};
}

const char *clua_constant(const struct bytecode *code, size_t place, size_t *length) {
    struct reader r = {.at = code->constants, .end = code->end};
    const char *text = NULL;
    if (place >= read_size(&r)) return NULL;
    for (size_t i = 0; i <= place; i++) text = read_constant(&r, length);
    return text;
}

bool clua_find_assignment(const uint8_t *bytes, size_t length, char name[64], uint32_t *line) {
    struct reader r = {.at = bytes, .end = bytes + length, .name = "?"};
    read_block(&r, HEADER_BYTES);
    read_byte(&r); /* the number of variables outside, which stands in the function too */
    read_function(&r, NULL);
    memcpy(name, r.name, sizeof r.name);
    *line = r.line;
    return r.is_found;
}
