// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <microhttpd.h>

// MHD_start_daemon takes variable arguments, which Swift cannot call. The daemon serves a socket that already listens,
// on one thread of its own, and closes it in the end. Every callback gets the same context.
static inline struct MHD_Daemon *cmicrohttpd_start(int socket, unsigned int connections, unsigned int idle_seconds,
                                                   MHD_AccessHandlerCallback handler,
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback connection, void *context) {
    return MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                            handler, context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket,
                            MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connection,
                            context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// MHD_get_connection_info takes variable arguments, too.
static inline int cmicrohttpd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

// The address of the other end, or NULL.
static inline const struct sockaddr *cmicrohttpd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

// Gives every field of the head to the iterator.
static inline int cmicrohttpd_fields(struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
    return MHD_get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}
