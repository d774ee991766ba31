/*
 * Finds hooks that need no count of instructions: they have no loop, and call nothing but methods
 * of the host.
 *
 * Source: Lua 5.4, ldump.c, lopcodes.h and lparser.c: the instructions by number, which registers
 * they write, and that a parameter is a register from 0 on. It reads only what this process has
 * just dumped.
 */
#include "state.h"

#include <string.h>

enum {
    OP_MOVE = 0, OP_LFALSESKIP = 6, OP_LOADNIL = 8, OP_SETUPVAL = 10, OP_GETFIELD = 14,
    OP_SETTABUP = 15, OP_SETFIELD = 18, OP_SELF = 20, OP_CONCAT = 53, OP_JMP = 56, OP_EQ = 57,
    OP_TEST = 66, OP_TESTSET = 67, OP_CALL = 68, OP_RETURN = 70, OP_RETURN1 = 72, OP_SETLIST = 78,
    OP_VARARGPREP = 81, OP_EXTRAARG = 82
};
enum { INSTRUCTIONS_MAX = 500 /* Far below the budget of a call. */, REGISTERS = 256 };

static uint32_t instruction_at(const uint8_t *code, size_t place) {
    uint32_t instruction;
    memcpy(&instruction, code + place * 4, 4);
    return instruction;
}

static uint8_t operation(uint32_t instruction) { return instruction & 0x7F; }
static uint8_t operand_a(uint32_t instruction) { return (uint8_t)(instruction >> 7); }
static uint8_t operand_b(uint32_t instruction) { return (uint8_t)(instruction >> 16); }

/* By how much a jump goes on. */
static int32_t jump(uint32_t instruction) {
    return (int32_t)(instruction >> 7) - ((1 << 24) - 1);
}

/* No loop, no function made, nothing to close, and no concatenation, which may take long. */
static bool ends_soon(uint32_t instruction) {
    uint8_t op = operation(instruction);
    if (op == OP_JMP) return jump(instruction) >= 0;
    if (op == OP_SETUPVAL) return false;
    return op < OP_CONCAT || (op > OP_JMP && op <= OP_CALL)
        || (op >= OP_RETURN && op <= OP_RETURN1) || op == OP_SETLIST || op == OP_VARARGPREP
        || op == OP_EXTRAARG;
}

static bool is_test(uint8_t op) { return op >= OP_EQ && op <= OP_TESTSET; }

/* Whether register A is written; those from it on by a call, and to A + B by LOADNIL. */
static bool writes_a(uint8_t op) {
    bool is_read = (op >= OP_SETTABUP && op <= OP_SETFIELD) || (op >= OP_EQ && op <= OP_TEST)
        || (op >= OP_RETURN && op <= OP_SETLIST) || op == OP_JMP || op >= OP_VARARGPREP;
    return !is_read;
}

/* What a register holds. */
enum content { ANYTHING, HOST_VALUE, HOST_METHOD };

/* Forgets what the instruction overwrites. */
static void overwrite(enum content *content, uint32_t instruction) {
    uint8_t op = operation(instruction), a = operand_a(instruction);
    if (!writes_a(op)) return;
    unsigned last = op == OP_CALL      ? REGISTERS - 1
                    : op == OP_LOADNIL ? a + operand_b(instruction)
                    : op == OP_SELF    ? a + 1u
                                       : a;
    for (unsigned i = a; i <= last && i < REGISTERS; i++) content[i] = ANYTHING;
}

/* Whether `object:method` names one of the host's: no string has a function of such a name. */
static bool names_method(const struct bytecode *code, uint32_t instruction) {
    enum { IS_CONSTANT = 1 << 15 };
    size_t length = 0;
    const char *name =
        instruction & IS_CONSTANT ? clua_constant(code, instruction >> 24, &length) : NULL;
    return name != NULL && clua_is_method(name, length);
}

/*
 * Follows what comes from the host within each stretch without a jump into it: parameters that
 * nothing overwrites, their fields, and the methods that `object:method` looks up. The first
 * parameter is `self`, which is the script's.
 */
static bool calls_host_alone(const struct bytecode *bytecode) {
    const uint8_t *code = bytecode->instructions;
    size_t count = bytecode->count;
    bool is_target[INSTRUCTIONS_MAX + 1] = {false};
    enum content at_start[REGISTERS] = {ANYTHING}, content[REGISTERS];
    for (unsigned i = 1; i < bytecode->parameters; i++) at_start[i] = HOST_VALUE;
    for (size_t i = 0; i < count; i++) {
        uint32_t instruction = instruction_at(code, i);
        uint8_t op = operation(instruction);
        size_t target = op == OP_JMP ? i + 1 + (size_t)jump(instruction) : i + 2;
        if (op == OP_JMP || is_test(op) || op == OP_LFALSESKIP)
            is_target[target < count ? target : count] = true;
        overwrite(at_start, instruction);
    }
    memcpy(content, at_start, sizeof content);
    for (size_t i = 0; i < count; i++) {
        uint32_t instruction = instruction_at(code, i);
        uint8_t op = operation(instruction), a = operand_a(instruction);
        if (is_target[i]) memcpy(content, at_start, sizeof content);
        if (op == OP_CALL && content[a] != HOST_METHOD) return false;
        bool is_host = content[operand_b(instruction)] == HOST_VALUE;
        overwrite(content, instruction);
        if (!is_host) continue;
        if (op == OP_GETFIELD || op == OP_MOVE) content[a] = HOST_VALUE;
        if (op == OP_SELF && names_method(bytecode, instruction)) content[a] = HOST_METHOD;
    }
    return true;
}

bool clua_ends_by_itself(const uint8_t *bytes, size_t length) {
    struct bytecode code = clua_code(bytes, length);
    if (code.count > INSTRUCTIONS_MAX || code.has_more_parameters) return false;
    for (size_t i = 0; i < code.count; i++)
        if (!ends_soon(instruction_at(code.instructions, i))) return false;
    return calls_host_alone(&code);
}
