// libmicrohttpd, and the one function of it that takes any number of arguments.
#pragma once

#include <microhttpd.h>

// Serves connections of a socket that listens, on one thread of its own that waits with epoll.
//
// connections: at a time; seconds: of silence; bytes: of memory for one connection's headers.
static inline struct MHD_Daemon *locfleet_http_start(
    int listener, unsigned int connections, unsigned int seconds, size_t bytes,
    MHD_AccessHandlerCallback answer, void *context, MHD_NotifyConnectionCallback notify) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, bytes,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_END);
}

// The connection's socket; only for as long as it has not been told closed.
static inline int locfleet_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : (int)info->connect_fd;
}
