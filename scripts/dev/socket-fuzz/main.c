/* Sends mutated lines over many connections at once, in pieces, and reads what comes back.
 *
 *   fuzz-socket CORPUS SOCKET SEED LINES SECONDS    either 0: without that end
 *   fuzz-socket CORPUS --show SEED NUMBER           prints one line
 *
 * Exit status: 0 the daemon took it, 1 it is gone, or says that it failed. */
#define _GNU_SOURCE
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds after which a peer that has heard nothing sends more, and those after which it gives
 * up; those for which one reads nothing, and those within which the daemon takes a connection. */
enum { PEERS = 32, PATIENCE = 300, PAUSE = 5, DEAF = 200, CONNECT = 10000 };

enum ending { STAYS, SHUTS, VANISHES, VANISHES_HALF_WAY, IS_DEAF };

struct peer {
    int descriptor;
    struct random random;
    struct bytes out;
    size_t sent;
    enum ending ending;
    long long heard, deaf_until, loaded;
    int is_answered;
    /* The end of what came last, for words that are cut in two. */
    char tail[64];
    size_t tail_count;
};

static struct peer peers[PEERS];
static const char *path;
static unsigned long long sent_lines, connections, answer_bytes, answers, bytes_sent;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static void fail(const char *what) {
    fprintf(stderr, "fuzz-socket: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void open_peer(struct peer *peer) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    for (long long began = now();; usleep(1000)) {
        peer->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (peer->descriptor < 0) fail("socket");
        if (!connect(peer->descriptor, (struct sockaddr *)&address, sizeof address)) break;
        close(peer->descriptor);
        if (errno != EAGAIN) fail("the daemon is gone");
        if (now() - began > CONNECT) fail("the daemon accepts nobody");
    }
    connections++;
    peer->heard = now();
    peer->deaf_until = 0;
    peer->tail_count = 0;
    peer->ending = STAYS;
    peer->out.count = peer->sent = 0;
}

static void close_peer(struct peer *peer) {
    close(peer->descriptor);
    open_peer(peer);
}

/* What a peer sends next, and what it does then. */
static void load(struct peer *peer, const struct corpus *corpus, uint64_t seed) {
    size_t count = 1 + random_below(&peer->random, 24);
    peer->loaded = now();
    peer->is_answered = 0;
    peer->out.count = peer->sent = 0;
    for (size_t i = 0; i < count; i++) line_append(&peer->out, corpus, seed, sent_lines++);
    size_t what = random_below(&peer->random, 100);
    peer->ending = what < 90   ? STAYS
                   : what < 92 ? SHUTS
                   : what < 94 ? VANISHES
                   : what < 97 ? VANISHES_HALF_WAY
                               : IS_DEAF;
    /* No newline at the end. */
    if (!random_below(&peer->random, 16)) peer->out.count--;
    if (peer->ending == VANISHES_HALF_WAY)
        peer->out.count = random_below(&peer->random, peer->out.count) + 1;
}

static void send_some(struct peer *peer) {
    size_t left = peer->out.count - peer->sent, count = left;
    size_t what = random_below(&peer->random, 16);
    if (!what) count = 1;
    else if (what < 4) count = 1 + random_below(&peer->random, left);
    ssize_t done =
        send(peer->descriptor, peer->out.at + peer->sent, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done < 0) {
        if (errno != EAGAIN) close_peer(peer);
        return;
    }
    peer->sent += (size_t)done;
    bytes_sent += (unsigned long long)done;
    if (peer->sent < peer->out.count) return;
    peer->heard = now();
    switch (peer->ending) {
    case STAYS: break;
    case SHUTS: shutdown(peer->descriptor, SHUT_WR); break;
    case VANISHES:
    case VANISHES_HALF_WAY: close_peer(peer); break;
    case IS_DEAF: peer->deaf_until = now() + DEAF; break;
    }
}

static void look_for_failure(struct peer *peer, const char *at, size_t count) {
    static const char word[] = "\"error\":{\"code\":-32603";
    char joint[2 * sizeof peer->tail];
    size_t head = count < sizeof peer->tail ? count : sizeof peer->tail;
    memcpy(joint, peer->tail, peer->tail_count);
    memcpy(joint + peer->tail_count, at, head);
    if (memmem(at, count, word, sizeof word - 1) ||
        memmem(joint, peer->tail_count + head, word, sizeof word - 1)) {
        fprintf(stderr, "fuzz-socket: the daemon says that it failed: %.*s\nafter: %.*s\n",
            (int)count, at, (int)peer->out.count, peer->out.at);
        exit(1);
    }
    size_t kept = count < sizeof peer->tail ? count : sizeof peer->tail;
    memcpy(peer->tail, at + count - kept, kept);
    peer->tail_count = kept;
}

static void receive_some(struct peer *peer) {
    static char buffer[1 << 18];
    ssize_t count = recv(peer->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count <= 0) {
        if (!count || errno != EAGAIN) close_peer(peer);
        return;
    }
    answer_bytes += (unsigned long long)count;
    for (char *at = buffer, *end = buffer + count;
         (at = memchr(at, '\n', (size_t)(end - at))); at++)
        answers++;
    if (peer->ending != SHUTS) peer->heard = now();
    peer->is_answered = 1;
    look_for_failure(peer, buffer, (size_t)count);
}

static int is_loaded(const struct peer *peer) { return peer->sent < peer->out.count; }

int main(int count, char **words) {
    if (count == 5 && !strcmp(words[2], "--show")) {
        struct corpus corpus = corpus_read(words[1]);
        struct bytes line = {0};
        line_append(&line, &corpus, strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10));
        fwrite(line.at, 1, line.count, stdout);
        return 0;
    }
    if (count != 6) {
        fprintf(stderr, "fuzz-socket CORPUS SOCKET SEED LINES SECONDS\n");
        return 2;
    }
    struct corpus corpus = corpus_read(words[1]);
    path = words[2];
    uint64_t seed = strtoull(words[3], NULL, 10);
    unsigned long long lines = strtoull(words[4], NULL, 10);
    long long seconds = strtoll(words[5], NULL, 10), began = now();
    for (size_t i = 0; i < PEERS; i++) {
        peers[i].random = random_of(~seed, i);
        open_peer(&peers[i]);
    }
    int is_loading = 1;
    long long ended = 0;
    /* Who has subscribed hears without end. */
    for (int is_busy = 1; is_busy && (is_loading || now() - ended < 5 * PATIENCE);) {
        struct pollfd entries[PEERS];
        long long time = now();
        if ((lines && sent_lines >= lines) || (seconds && time - began >= seconds * 1000))
            if (is_loading) is_loading = 0, ended = time;
        is_busy = is_loading;
        for (size_t i = 0; i < PEERS; i++) {
            struct peer *peer = &peers[i];
            /* Not much more than the daemon can serve: what a peer has sent when it vanishes is
             * never looked at. */
            int is_due = peer->is_answered || time - peer->loaded > PAUSE;
            if (is_loading && is_due && !is_loaded(peer) && peer->ending != SHUTS &&
                time > peer->deaf_until)
                load(peer, &corpus, seed);
            /* It waits for something that does not come: gone, in the middle of a call. */
            if (time - peer->heard > PATIENCE && time > peer->deaf_until) {
                if (is_loading) close_peer(peer);
                else peer->out.count = peer->sent = 0;
            }
            if (is_loaded(peer) || time - peer->heard <= PATIENCE) is_busy = 1;
            entries[i] = (struct pollfd){peer->descriptor, 0, 0};
            if (time > peer->deaf_until) entries[i].events |= POLLIN;
            if (is_loaded(peer)) entries[i].events |= POLLOUT;
        }
        if (poll(entries, PEERS, 10) < 0) fail("poll");
        for (size_t i = 0; i < PEERS; i++) {
            if (entries[i].revents & (POLLIN | POLLHUP | POLLERR)) receive_some(&peers[i]);
            if (entries[i].revents & POLLOUT && is_loaded(&peers[i])) send_some(&peers[i]);
        }
    }
    double took = (double)(now() - began) / 1000;
    printf("%llu lines (%llu MB) in %.1f s, %.0f a second; %llu answers (%llu MB), %llu "
           "connections\n",
        sent_lines, bytes_sent / 1000000, took, (double)sent_lines / took, answers,
        answer_bytes / 1000000, connections);
    return 0;
}
