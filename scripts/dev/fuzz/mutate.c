/* Scripts out of those that ship, changed token by token. */
#include "fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SCRIPTS_MAX = 64, TOKENS_MAX = 8192 };
typedef struct { const char *bytes; size_t length; } token;

static struct script {
    text text;
    token tokens[TOKENS_MAX];
    size_t count;
    bool is_strategy;
} scripts[SCRIPTS_MAX];
static size_t script_count;

void add(text *text, const char *bytes, size_t length) {
    if (text->length + length > TEXT_BYTES_MAX) return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* A token is a word, a number, a string, a comment, blanks, or one other byte. */
static size_t token_length(const char *start) {
    const char *c = start;
    if (is_word(*c)) {
        while (is_word(*c)) c++;
    } else if (isspace((unsigned char)*c)) {
        while (isspace((unsigned char)*c)) c++;
    } else if (c[0] == '-' && c[1] == '-') {
        while (*c != 0 && *c != '\n') c++;
    } else if (*c == '"') {
        for (c++; *c != 0 && *c != '"' && *c != '\n'; c++) {}
        if (*c == '"') c++;
    } else {
        c++;
    }
    return (size_t)(c - start);
}

bool read_scripts(char **paths, int count) {
    for (int i = 0; i < count && script_count < SCRIPTS_MAX; i++) {
        struct script *script = &scripts[script_count++];
        FILE *file = fopen(paths[i], "rb");
        if (file == NULL) return false;
        script->text.length = fread(script->text.bytes, 1, TEXT_BYTES_MAX, file);
        fclose(file);
        script->is_strategy = strstr(paths[i], "strategies") != NULL;
        const char *c = script->text.bytes;
        while (*c != 0 && script->count < TOKENS_MAX) {
            size_t length = token_length(c);
            script->tokens[script->count++] = (token){c, length};
            c += length;
        }
    }
    return script_count > 0;
}

static const struct script *pick_script(dice *d, bool is_strategy) {
    for (;;) {
        const struct script *script = &scripts[below(d, script_count)];
        if (script->is_strategy == is_strategy) return script;
    }
}

static token pick_token(dice *d, const struct script *script) {
    return script->tokens[below(d, script->count)];
}

void mutate_script(dice *d, bool is_strategy, text *out) {
    const struct script *script = pick_script(d, is_strategy);
    enum { CHANGES_MAX = 8 };
    size_t changes = 1 + below(d, 1 + below(d, CHANGES_MAX)), places[CHANGES_MAX];
    for (size_t i = 0; i < changes; i++) places[i] = below(d, script->count);
    for (size_t i = 0; i < script->count; i++) {
        token whole = script->tokens[i];
        bool is_changed = false;
        for (size_t k = 0; k < changes; k++) is_changed |= places[k] == i;
        if (!is_changed || isspace((unsigned char)whole.bytes[0])) {
            add(out, whole.bytes, whole.length);
            continue;
        }
        char byte = (char)roll(d);
        token other = pick_token(d, one_in(d, 4) ? pick_script(d, !is_strategy) : script);
        switch (below(d, 9)) {
        case 0: break;
        case 1: add(out, whole.bytes, whole.length); add(out, " ", 1);
                add(out, whole.bytes, whole.length); break;
        case 2: case 3: add(out, other.bytes, other.length); break;
        case 4: case 5: case 6: generate_expression(d, out); break;
        case 7: add(out, whole.bytes, whole.length); add(out, " ", 1);
                add(out, other.bytes, other.length); break;
        default: add(out, &byte, 1);
        }
    }
}

void random_bytes(dice *d, text *out) {
    if (one_in(d, 3)) add(out, "\x1bLuaT\0\x19\x93\r\n\x1a\n", 12); /* As bytecode begins. */
    const struct script *script = &scripts[below(d, script_count)];
    for (size_t left = below(d, 400); left > 0; left--) {
        char byte = (char)roll(d);
        token other = pick_token(d, script);
        if (one_in(d, 2)) add(out, other.bytes, other.length);
        else add(out, &byte, 1);
    }
}
