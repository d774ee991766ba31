/* What both halves of the socket's fuzzer share: lines out of a seed, and who sends them. */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* The stream of one thing, which depends on the seed and on that alone. */
struct random random_of(uint64_t seed, uint64_t number);
uint64_t random_next(struct random *random);
/* In 0 ..< count, 0 where that is nothing. */
size_t random_below(struct random *random, size_t count);

struct bytes {
    char *at;
    size_t count, room;
};

void bytes_append(struct bytes *bytes, const char *at, size_t count);

/* Valid calls, a line each. */
struct corpus {
    char **lines;
    size_t count;
};

struct corpus corpus_read(const char *path);

/* Appends the mutated line of that number, with its newline. */
void line_append(
    struct bytes *out, const struct corpus *corpus, uint64_t seed, uint64_t number);

#endif
