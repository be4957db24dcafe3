// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import CRabbitMQ

/// Sends that the broker does not answer at once. They may hang while the broker does not read; the watchdog ends
/// that.
extension BrokerSession {
    /// Holds partial segments back while `on`, so that a batch of sends travels in full ones.
    func cork(_ on: Bool) {
        clinux_tcp_cork(descriptor, on ? 1 : 0)
    }

    /// Publishes one message, which must have passed ``PublicationCheck``.
    ///
    /// The corresponding C function is `amqp_basic_publish`.
    func publish(_ publication: Publication, channel: UInt16) throws(AMQPError) {
        arena.reset()
        var properties = unsafe encoded(publication.properties)
        let status = unsafe publication.body.withUnsafeBytes { body in
            unsafe amqp_basic_publish(
                connection, channel, arena.bytes(publication.exchange), arena.bytes(publication.routingKey),
                publication.isMandatory ? 1 : 0, 0, &properties,
                amqp_bytes_t(len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress)))
        }
        try check(status: status, "publishing")
    }

    /// The corresponding C function is `amqp_basic_ack`.
    func acknowledge(_ acknowledgement: SettlementLedger.Acknowledgement, channel: UInt16) throws(AMQPError) {
        let status = unsafe amqp_basic_ack(
            connection, channel, acknowledgement.number, acknowledgement.isMultiple ? 1 : 0)
        try check(status: status, "acknowledging")
    }

    /// The corresponding C function is `amqp_basic_reject`.
    func reject(_ number: UInt64, requeue: Bool, channel: UInt16) throws(AMQPError) {
        try check(status: unsafe amqp_basic_reject(connection, channel, number, requeue ? 1 : 0), "rejecting")
    }

    private func encoded(_ properties: MessageProperties) -> amqp_basic_properties_t {
        var encoded = unsafe amqp_basic_properties_t()
        var flags = AMQP_BASIC_DELIVERY_MODE_FLAG
        unsafe encoded.delivery_mode = properties.isPersistent ? 2 : 1
        if let contentType = properties.contentType {
            flags |= AMQP_BASIC_CONTENT_TYPE_FLAG
            unsafe encoded.content_type = unsafe arena.bytes(contentType)
        }
        if let contentEncoding = properties.contentEncoding {
            flags |= AMQP_BASIC_CONTENT_ENCODING_FLAG
            unsafe encoded.content_encoding = unsafe arena.bytes(contentEncoding)
        }
        if let type = properties.type {
            flags |= AMQP_BASIC_TYPE_FLAG
            unsafe encoded.type = unsafe arena.bytes(type)
        }
        if let replyTo = properties.replyTo {
            flags |= AMQP_BASIC_REPLY_TO_FLAG
            unsafe encoded.reply_to = unsafe arena.bytes(replyTo)
        }
        if let correlationID = properties.correlationID {
            flags |= AMQP_BASIC_CORRELATION_ID_FLAG
            unsafe encoded.correlation_id = unsafe arena.bytes(correlationID)
        }
        if let messageID = properties.messageID {
            flags |= AMQP_BASIC_MESSAGE_ID_FLAG
            unsafe encoded.message_id = unsafe arena.bytes(messageID)
        }
        if let userID = properties.userID {
            flags |= AMQP_BASIC_USER_ID_FLAG
            unsafe encoded.user_id = unsafe arena.bytes(userID)
        }
        if let appID = properties.appID {
            flags |= AMQP_BASIC_APP_ID_FLAG
            unsafe encoded.app_id = unsafe arena.bytes(appID)
        }
        if let timestamp = properties.timestamp {
            flags |= AMQP_BASIC_TIMESTAMP_FLAG
            unsafe encoded.timestamp = timestamp
        }
        if let expiration = properties.expiration {
            flags |= AMQP_BASIC_EXPIRATION_FLAG
            unsafe encoded.expiration = unsafe arena.bytes(String(expiration))
        }
        if let priority = properties.priority {
            flags |= AMQP_BASIC_PRIORITY_FLAG
            unsafe encoded.priority = priority
        }
        if !properties.headers.isEmpty {
            flags |= AMQP_BASIC_HEADERS_FLAG
            unsafe encoded.headers = unsafe arena.table(properties.headers)
        }
        unsafe encoded._flags = UInt32(bitPattern: flags)
        return unsafe encoded
    }
}
