/* Mutated lines. Each depends on the seed and its number alone. */
#define _GNU_SOURCE
#include "lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Bytes of a line that is still mutated further, far above those of a call. */
enum { LINE_BYTES_MAX = 1 << 16, SPANS_MAX = 256 };

struct random random_of(uint64_t seed, uint64_t number) {
    struct random random = {seed * 0x9e3779b97f4a7c15u ^ number * 0xd1342543de82ef95u};
    random_next(&random);
    return random;
}

/* SplitMix64: Steele, Lea and Flood, 2014. */
uint64_t random_next(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t random_below(struct random *random, size_t count) {
    return count ? random_next(random) % count : 0;
}

void bytes_append(struct bytes *bytes, const char *at, size_t count) {
    if (bytes->count + count > bytes->room) {
        bytes->room = (bytes->count + count) * 2;
        bytes->at = realloc(bytes->at, bytes->room);
        if (!bytes->at) abort();
    }
    memcpy(bytes->at + bytes->count, at, count);
    bytes->count += count;
}

/* Puts `count` bytes in the place of those from `from` up to `to`. */
static void replace(struct bytes *line, size_t from, size_t to, const char *at, size_t count) {
    struct bytes tail = {0};
    bytes_append(&tail, line->at + to, line->count - to);
    line->count = from;
    bytes_append(line, at, count);
    bytes_append(line, tail.at, tail.count);
    free(tail.at);
}

struct corpus corpus_read(const char *path) {
    struct corpus corpus = {0};
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t count;
    while ((count = getline(&line, &room, file)) > 1) {
        line[count - 1] = 0;
        corpus.lines = realloc(corpus.lines, (corpus.count + 1) * sizeof(char *));
        if (!corpus.lines) abort();
        corpus.lines[corpus.count++] = strdup(line);
    }
    free(line);
    fclose(file);
    if (!corpus.count) {
        fprintf(stderr, "%s: no line\n", path);
        exit(2);
    }
    return corpus;
}

/* A value of the line, or a member with its name. */
struct span {
    size_t from, to;
    int is_member;
};

static size_t skip_string(const struct bytes *line, size_t at) {
    for (at++; at < line->count && line->at[at] != '"'; at++)
        if (line->at[at] == '\\') at++;
    return at < line->count ? at + 1 : line->count;
}

/* The end of the value that begins at `at`, in a line that may be JSON. */
static size_t skip_value(const struct bytes *line, size_t at) {
    size_t depth = 0;
    while (at < line->count) {
        char c = line->at[at];
        if (c == '"') {
            at = skip_string(line, at);
        } else if (c == '{' || c == '[') {
            depth++, at++;
        } else if (c == '}' || c == ']') {
            if (!depth) return at;
            depth--, at++;
        } else if (!depth && (c == ',' || c == ':')) {
            return at;
        } else {
            at++;
            if (depth) continue;
            while (at < line->count && !strchr(",:]}", line->at[at])) at++;
            return at;
        }
        if (!depth) return at;
    }
    return line->count;
}

static size_t find_spans(const struct bytes *line, struct span spans[SPANS_MAX]) {
    size_t count = 0;
    for (size_t at = 0; at < line->count && count < SPANS_MAX;) {
        char c = line->at[at];
        if (strchr("{}[],: ", c)) {
            if (c == '{' || c == '[') spans[count++] = (struct span){at, skip_value(line, at), 0};
            at++;
            continue;
        }
        size_t end = c == '"' ? skip_string(line, at) : skip_value(line, at);
        if (end < line->count && line->at[end] == ':') {
            spans[count++] = (struct span){at, skip_value(line, end + 1), 1};
            at = end + 1;
        } else {
            spans[count++] = (struct span){at, end, 0};
            at = end > at ? end : at + 1;
        }
    }
    return count;
}

static const char *const values[] = {
    "null", "true", "false", "0", "-0", "-1", "1", "1e999", "-1e308", "5e-324", "0.1", "1.0",
    "18446744073709551616", "9223372036854775807", "4294967296", "9007199254740993", "1E400", "01",
    "+1", ".5", "NaN", "Infinity", "123456789012345678901234567890123456789012345678901234567890",
    "\"\"", "\"a\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\xf0\x9f\x99\x82\"",
    "\"\xcc\x81\xcc\x81\xcc\x81\"", "\"\xe2\x80\xae\"", "\"../../etc/passwd\"", "\"\\n\\r\\t\"",
    "\"' or 1=1; --\"", "\"%s%n\"", "\"max\"", "\"0.001x\"", "\"1d\"", "\"3650d\"", "\"1e9d\"",
    "\"2026-03-01T08:00\"", "\"status = denied and not (persona = depends or device < 7)\"",
    "\"count(denied) >= 1\"", "\"((((((((((((((((((((\"", "[]", "{}", "[[]]", "[null]",
    "{\"a\":{}}", "[1,2,3]", "{\"fleet\":\"fuzz1\"}", "\"fuzz1\"", "\"fuzz2\"", "\"fuzz3\"",
};

static const char *const pieces[] = {
    "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "\xff\xfe", "\xc3", "\xed\xa0\x80",
    "\xf4\x90\x80\x80", "\xef\xbb\xbf", "\x7f", "\x1b[2J", "\r", "\t", " ", "//", "/*", "e", "-",
    "'", "\xe2\x80\xa8", "\n", "\r\n", "\n\n",
};

/* Of one line in some thousands: what is long or deep. */
static void grow(struct bytes *line, struct random *random) {
    size_t place = random_below(random, line->count + 1);
    size_t count = (size_t)1 << random_below(random, 21);
    char *text = malloc(count);
    if (!text) abort();
    memset(text, "[{ \"a0\xff"[random_below(random, 7)], count);
    replace(line, place, place, text, count);
    free(text);
}

static void by_bytes(struct bytes *line, const struct corpus *corpus, struct random *random) {
    size_t from = random_below(random, line->count + 1);
    size_t to = from + random_below(random, line->count - from + 1);
    switch (random_below(random, 7)) {
    case 0:  /* One byte is another. */
        if (from < line->count) line->at[from] = (char)random_next(random);
        break;
    case 1: {  /* One bit is. */
        if (from < line->count) line->at[from] ^= (char)(1 << random_below(random, 8));
        break;
    }
    case 2: {
        const char *piece = pieces[random_below(random, COUNT(pieces))];
        replace(line, from, from, piece, strlen(piece));
        break;
    }
    case 3: replace(line, from, from, "", 1); break;  /* NUL. */
    case 4: replace(line, from, to - from > 8 ? from + 8 : to, "", 0); break;
    case 5: line->count = from; break;
    default: {  /* The end of another line. */
        const char *other = corpus->lines[random_below(random, corpus->count)];
        size_t begin = random_below(random, strlen(other));
        replace(line, from, line->count, other + begin, strlen(other) - begin);
    }
    }
}

static void by_structure(struct bytes *line, const struct corpus *corpus, struct random *random) {
    struct span spans[SPANS_MAX];
    size_t count = find_spans(line, spans);
    if (!count) return by_bytes(line, corpus, random);
    struct span span = spans[random_below(random, count)];
    int has_comma = span.to < line->count && line->at[span.to] == ',';
    struct bytes text = {0};
    switch (random_below(random, 5)) {
    case 0:  /* It is missing. */
        replace(line, span.from, span.to + (size_t)has_comma, "", 0);
        break;
    case 1:  /* It is there twice. */
        bytes_append(&text, line->at + span.from, span.to - span.from);
        bytes_append(&text, ",", 1);
        replace(line, span.from, span.from, text.at, text.count);
        break;
    case 2: {  /* It comes from another call. */
        const char *other = corpus->lines[random_below(random, corpus->count)];
        struct bytes source = {0};
        bytes_append(&source, other, strlen(other));
        size_t others = find_spans(&source, spans);
        struct span chosen = spans[random_below(random, others)];
        replace(line, span.from, span.to, source.at + chosen.from, chosen.to - chosen.from);
        free(source.at);
        break;
    }
    case 3: {  /* A list of it. */
        size_t times = 1 + random_below(random, 4);
        bytes_append(&text, "[", 1);
        for (size_t i = 0; i < times; i++) {
            if (i) bytes_append(&text, ",", 1);
            bytes_append(&text, line->at + span.from, span.to - span.from);
        }
        bytes_append(&text, "]", 1);
        replace(line, span.from, span.to, text.at, text.count);
        break;
    }
    default: {  /* Another value. */
        size_t from = span.from;
        if (span.is_member) from = skip_string(line, from) + 1;
        if (from > span.to) from = span.to;
        const char *value = values[random_below(random, COUNT(values))];
        replace(line, from, span.to, value, strlen(value));
    }
    }
    free(text.at);
}

/* As a batch, now and then with more calls than one may have. */
static void batch(struct bytes *line, const struct corpus *corpus, struct random *random) {
    struct bytes text = {0};
    size_t count = random_below(random, random_below(random, 8) ? 6 : 70);
    bytes_append(&text, "[", 1);
    bytes_append(&text, line->at, line->count);
    for (size_t i = 0; i < count; i++) {
        const char *other = corpus->lines[random_below(random, corpus->count)];
        bytes_append(&text, ",", 1);
        bytes_append(&text, other, strlen(other));
    }
    bytes_append(&text, "]", 1);
    replace(line, 0, line->count, text.at, text.count);
    free(text.at);
}

void line_append(
    struct bytes *out, const struct corpus *corpus, uint64_t seed, uint64_t number) {
    static const char stop[] = "daemon.stop";
    struct random random = random_of(seed, number);
    const char *call = corpus->lines[random_below(&random, corpus->count)];
    struct bytes line = {0};
    bytes_append(&line, call, strlen(call));
    /* One in ten stays as it is, so that there is something to be hostile to. */
    size_t count = random_below(&random, 10) ? 1 + random_below(&random, 4) : 0;
    for (size_t i = 0; i < count && line.count < LINE_BYTES_MAX; i++) {
        size_t what = random_below(&random, 100);
        if (what < 40) {
            by_bytes(&line, corpus, &random);
        } else if (what < 95) {
            by_structure(&line, corpus, &random);
        } else {
            batch(&line, corpus, &random);
        }
    }
    if (!random_below(&random, 4096)) grow(&line, &random);
    /* No line may stop the daemon, whatever it has become. */
    char *word;
    while ((word = memmem(line.at, line.count, stop, sizeof stop - 1))) *word = 'D';
    bytes_append(out, line.at, line.count);
    bytes_append(out, "\n", 1);
    free(line.at);
}
