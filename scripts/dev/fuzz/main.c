/*
 * Feeds scripts to the shim until the time is up. Each is run twice, in two states, the devices
 * in one order and in the other: all that a device answers, does and prints must be the same, or
 * something has leaked from another device or from an address.
 */
#include "fuzz.h"

#include <errno.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { HANG_SECONDS = 20 };
static uint64_t case_seed;
static text script;

static void tell_case(void) {
    fprintf(stderr, "fuzz: in the script of seed %llu; see it with: "
            "scripts/dev/fuzz-scripts --show %llu\n",
            (unsigned long long)case_seed, (unsigned long long)case_seed);
}

static void on_signal(int signal) {
    if (signal == SIGPROF) fprintf(stderr, "fuzz: hangs for %d s\n", HANG_SECONDS);
    tell_case();
    _exit(1);
}

/* Of this process's own time: a machine that is busy is no hang. */
static void limit(int seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static bool make_script(uint64_t seed) {
    dice d = {seed};
    bool is_strategy = one_in(&d, 2);
    script.length = 0;
    script.bytes[0] = 0;
    switch (below(&d, 10)) {
    case 0: random_bytes(&d, &script); break;
    case 1: case 2: case 3: case 4: mutate_script(&d, is_strategy, &script); break;
    default: generate_script(&d, is_strategy, &script);
    }
    return is_strategy;
}

static transcript run_case(uint64_t seed) {
    case_seed = seed;
    bool is_strategy = make_script(seed);
    transcript forth, back;
    limit(HANG_SECONDS);
    run_script(&script, is_strategy, seed, false, &forth);
    run_script(&script, is_strategy, seed, true, &back);
    limit(0);
    bool is_same = forth.is_loaded == back.is_loaded
        && memcmp(forth.outcomes, back.outcomes, sizeof forth.outcomes) == 0;
    if (forth.is_comparable && back.is_comparable && !is_same) {
        fprintf(stderr, "fuzz: two orders of devices, two outcomes: %s / %s\n",
                forth.first_failure, back.first_failure);
        tell_case();
        exit(1);
    }
    return forth;
}

int main(int count, char **words) {
    if (count < 6) {
        fprintf(stderr, "usage: fuzz run|show SEED SECONDS PRELUDE SCRIPT...\n");
        return 2;
    }
    uint64_t first = strtoull(words[2], NULL, 10);
    long seconds = strtol(words[3], NULL, 10);
    if (!read_prelude(words[4]) || !read_scripts(words + 5, count - 5)) {
        fprintf(stderr, "fuzz: cannot read the prelude or the scripts: %s\n", strerror(errno));
        return 2;
    }
    signal(SIGPROF, on_signal);
    signal(SIGABRT, on_signal);
    __asan_set_death_callback(tell_case);
    if (strcmp(words[1], "show") == 0) {
        is_telling = true;
        make_script(first);
        fwrite(script.bytes, 1, script.length, stdout);
        fflush(stdout);
        fprintf(stderr, "fuzz: %s\n", run_case(first).first_failure);
        return 0;
    }
    size_t total = 0, loaded = 0, incomparable = 0;
    for (time_t end = time(NULL) + seconds; time(NULL) < end; total++) {
        transcript outcome = run_case(first + total);
        loaded += outcome.is_loaded;
        incomparable += !outcome.is_comparable;
    }
    printf("fuzz: %zu scripts from seed %llu on, %zu of them loaded, %zu ended for want of memory: "
           "no crash, leak or hang\n", total, (unsigned long long)first, loaded, incomparable);
    return 0;
}
