// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// librabbitmq, and what Swift cannot call of it.

#pragma once
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_tcp_socket.h>
#include <sys/time.h>

/// amqp_login_with_properties, which is variadic, with the PLAIN mechanism.
static inline amqp_rpc_reply_t crabbitmq_login_plain(
    amqp_connection_state_t connection, const char *virtual_host, int channel_max, int frame_max, int heartbeat,
    const amqp_table_t *client_properties, const char *user, const char *password) {
    return amqp_login_with_properties(
        connection, virtual_host, channel_max, frame_max, heartbeat, client_properties, AMQP_SASL_METHOD_PLAIN, user,
        password);
}

/// amqp_login_with_properties with the EXTERNAL mechanism; the identity must not be empty.
static inline amqp_rpc_reply_t crabbitmq_login_external(
    amqp_connection_state_t connection, const char *virtual_host, int channel_max, int frame_max, int heartbeat,
    const amqp_table_t *client_properties, const char *identity) {
    return amqp_login_with_properties(
        connection, virtual_host, channel_max, frame_max, heartbeat, client_properties, AMQP_SASL_METHOD_EXTERNAL,
        identity);
}

/// The next frame if a whole one is there: amqp_simple_wait_frame_noblock that does not wait.
static inline int crabbitmq_next_frame(amqp_connection_state_t connection, amqp_frame_t *frame) {
    struct timeval now = {0, 0};
    return amqp_simple_wait_frame_noblock(connection, frame, &now);
}
