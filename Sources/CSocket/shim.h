// accept4, which glibc declares only under _GNU_SOURCE, and Swift does not set that.
#pragma once

#include <sys/socket.h>

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags);
