// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ

/// Calls that the broker answers. Frames that arrive meanwhile are kept by the library for ``nextFrame()``.
///
/// Each throws an error that is of the channel only when the broker refused, and the channel is closed then.
extension BrokerSession {
    /// The corresponding C function is `amqp_channel_open`.
    func openChannel(_ channel: UInt16) throws(AMQPError) {
        _ = unsafe amqp_channel_open(connection, channel)
        try checkLatest(channel, "opening a channel")
    }

    /// The corresponding C function is `amqp_confirm_select`.
    func selectConfirms(_ channel: UInt16) throws(AMQPError) {
        _ = unsafe amqp_confirm_select(connection, channel)
        try checkLatest(channel, "switching confirms on")
    }

    /// The corresponding C function is `amqp_basic_qos`, for each new consumer.
    func setPrefetch(_ count: UInt16, channel: UInt16) throws(AMQPError) {
        _ = unsafe amqp_basic_qos(connection, channel, 0, count, 0)
        try checkLatest(channel, "setting the prefetch")
    }

    /// The corresponding C function is `amqp_basic_consume`.
    ///
    /// - Returns: the consumer's tag.
    func consume(
        _ queue: String, tag: String?, isExclusive: Bool, channel: UInt16
    ) throws(AMQPError) -> String {
        arena.reset()
        let answer = unsafe amqp_basic_consume(
            connection, channel, arena.bytes(queue), arena.bytes(tag ?? ""), 0, 0, isExclusive ? 1 : 0,
            amqp_empty_table)
        try checkLatest(channel, "consuming queue '\(queue)'")
        guard let answer = unsafe answer else { return "" }
        return unsafe readableText(answer.pointee.consumer_tag)
    }

    /// The corresponding C function is `amqp_basic_cancel`.
    func cancel(_ tag: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_basic_cancel(connection, channel, arena.bytes(tag))
        try checkLatest(channel, "cancelling a consumer")
    }

    /// The corresponding C function is `amqp_queue_declare`.
    func declareQueue(
        _ name: String, options: QueueOptions, arguments: HeaderTable = [:], channel: UInt16
    ) throws(AMQPError) -> QueueStatus {
        arena.reset()
        let answer = unsafe amqp_queue_declare(
            connection, channel, arena.bytes(name), options.contains(.passive) ? 1 : 0,
            options.contains(.durable) ? 1 : 0, options.contains(.exclusive) ? 1 : 0,
            options.contains(.autoDelete) ? 1 : 0, arena.table(arguments))
        try checkLatest(
            channel, options.contains(.passive) ? "looking for queue '\(name)'" : "declaring queue '\(name)'")
        guard let answer = unsafe answer else { return QueueStatus(name: name, messages: 0, consumers: 0) }
        return unsafe QueueStatus(
            name: readableText(answer.pointee.queue), messages: Int(answer.pointee.message_count),
            consumers: Int(answer.pointee.consumer_count))
    }

    /// The corresponding C function is `amqp_queue_delete`.
    func deleteQueue(_ name: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_queue_delete(connection, channel, arena.bytes(name), 0, 0)
        try checkLatest(channel, "deleting queue '\(name)'")
    }

    /// The corresponding C function is `amqp_queue_purge`.
    func purgeQueue(_ name: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_queue_purge(connection, channel, arena.bytes(name))
        try checkLatest(channel, "emptying queue '\(name)'")
    }

    /// The corresponding C function is `amqp_queue_bind`.
    func bindQueue(
        _ queue: String, to exchange: String, routingKey: String, arguments: HeaderTable, channel: UInt16
    ) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_queue_bind(
            connection, channel, arena.bytes(queue), arena.bytes(exchange), arena.bytes(routingKey),
            arena.table(arguments))
        try checkLatest(channel, "binding queue '\(queue)' to exchange '\(exchange)' with key '\(routingKey)'")
    }

    /// The corresponding C function is `amqp_exchange_declare`.
    func declareExchange(
        _ name: String, type: String, options: QueueOptions, arguments: HeaderTable, channel: UInt16
    ) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_exchange_declare(
            connection, channel, arena.bytes(name), arena.bytes(type), options.contains(.passive) ? 1 : 0,
            options.contains(.durable) ? 1 : 0, options.contains(.autoDelete) ? 1 : 0, 0, arena.table(arguments))
        try checkLatest(
            channel, options.contains(.passive) ? "looking for exchange '\(name)'" : "declaring exchange '\(name)'")
    }

    /// The corresponding C function is `amqp_exchange_delete`.
    func deleteExchange(_ name: String, channel: UInt16) throws(AMQPError) {
        arena.reset()
        _ = unsafe amqp_exchange_delete(connection, channel, arena.bytes(name), 0)
        try checkLatest(channel, "deleting exchange '\(name)'")
    }

    /// The corresponding C function is `amqp_get_rpc_reply`.
    func checkLatest(_ channel: UInt16, _ action: String) throws(AMQPError) {
        try unsafe check(amqp_get_rpc_reply(connection), channel: channel, action)
    }
}

/// How a queue or exchange is declared.
struct QueueOptions: OptionSet {
    let rawValue: Int

    static let passive = QueueOptions(rawValue: 1)
    static let durable = QueueOptions(rawValue: 2)
    static let exclusive = QueueOptions(rawValue: 4)
    static let autoDelete = QueueOptions(rawValue: 8)
}
