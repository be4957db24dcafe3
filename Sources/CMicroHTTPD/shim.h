// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <microhttpd.h>

// MHD_start_daemon takes variable arguments, which Swift cannot call. The daemon serves a socket that already listens,
// on one thread of its own, and closes it in the end.
static inline struct MHD_Daemon *cmicrohttpd_start(int socket, MHD_AccessHandlerCallback handler, void *context) {
    return MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, handler, context,
                            MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_CONNECTION_LIMIT, 64u,
                            MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_END);
}
