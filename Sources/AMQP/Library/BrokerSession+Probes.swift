// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ

/// Calls that the broker is bound to refuse, after it has looked whether they are permitted: nothing comes of them.
extension BrokerSession {
    /// Consumes with an argument that is not valid.
    ///
    /// The corresponding C function is `amqp_basic_consume`.
    ///
    /// - Throws: `preconditionFailed` where the user may read the queue, `accessRefused` where not.
    func consumeInvalid(_ queue: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_basic_consume(
            connection, channel, arena.bytes(queue), amqp_empty_bytes, 0, 0, 0,
            arena.table(["x-priority": .string("none")]))
        try checkLatest(channel, "consuming queue '\(queue)'")
    }

    /// Publishes a message with an expiration that is not valid.
    ///
    /// The corresponding C functions are `amqp_basic_publish`, and `amqp_confirm_select` to hear of the refusal.
    ///
    /// - Throws: `preconditionFailed` where the user may publish so, `accessRefused` where not.
    func publishInvalid(to exchange: String, routingKey: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        var properties = unsafe amqp_basic_properties_t()
        unsafe properties.expiration = unsafe arena.bytes("never")
        unsafe properties._flags = UInt32(bitPattern: AMQP_BASIC_EXPIRATION_FLAG)
        let status = unsafe amqp_basic_publish(
            connection, channel, arena.bytes(exchange), arena.bytes(routingKey), 0, 0, &properties, amqp_empty_bytes)
        try check(status: status, "publishing")
        _ = unsafe amqp_confirm_select(connection, channel)
        try checkLatest(channel, "publishing to exchange '\(exchange)'")
    }
}
