// What Swift's own view of glibc lacks: accept4, which is declared only under _GNU_SOURCE, and
// malloc.h; and file systems and versions.
#pragma once

#include <gnu/libc-version.h>
#include <malloc.h>
#include <sys/socket.h>
#include <sys/statfs.h>

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags);
