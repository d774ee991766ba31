/* What the C files of the fuzz target share. See ../fuzz-scripts. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stream of chance: the same seed, the same script. Source: Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators" (2014), SplitMix64. */
typedef struct { uint64_t state; } dice;
static inline uint64_t roll(dice *d) {
    uint64_t z = d->state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}
static inline size_t below(dice *d, size_t bound) { return (size_t)(roll(d) % bound); }
static inline bool one_in(dice *d, size_t n) { return below(d, n) == 0; }

enum { TEXT_BYTES_MAX = 64 * 1024 };
typedef struct {
    size_t length;
    char bytes[TEXT_BYTES_MAX + 1];
} text;
/* Drops what no longer fits. */
void add(text *text, const char *bytes, size_t length);

/* grammar.c: writes a script of all hooks that a kind has, or one expression. */
void generate_script(dice *d, bool is_strategy, text *out);
void generate_expression(dice *d, text *out);

/* mutate.c: the script at `path` of a list, with some tokens gone, doubled, swapped or foreign. */
bool read_scripts(char **paths, int count);
void mutate_script(dice *d, bool is_strategy, text *out);
void random_bytes(dice *d, text *out);

/* hooks.c: runs a script on all devices of a state, and says what came of it. */
enum { DEVICES = 6 };
typedef struct {
    bool is_loaded;
    bool is_comparable;         /* not ended by what depends on who shares a state */
    uint64_t outcomes[DEVICES]; /* a hash of all that a device answered, did and printed */
    char first_failure[512]; /* CLUA_MESSAGE_BYTES */
} transcript;
extern bool is_telling; /* each call, to standard error */
/* Raises SIGABRT where the shim breaks a promise. */
void run_script(
    const text *script, bool is_strategy, uint64_t seed, bool is_backwards, transcript *out);
/* Reads the prelude from the sources. */
bool read_prelude(const char *folder);
