// accept4, which glibc declares only under _GNU_SOURCE, and Swift does not set that. malloc_trim,
// whose header Swift's own map of glibc leaves out.
#pragma once

#include <malloc.h>
#include <sys/socket.h>

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags);
