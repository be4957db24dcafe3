// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import CRabbitMQ
import Glibc
import Platform

/// Sends that the broker does not answer at once. They may hang while the broker does not read; the watchdog ends
/// that.
extension BrokerSession {
    /// Begins a batch of publications and acknowledgements, nothing of which need be sent before ``endBatch()``.
    func beginBatch() {
        if writer == nil { clinux_tcp_cork(descriptor, 1) }
    }

    /// Sends what is left of a batch.
    func endBatch() throws(AMQPError) {
        if writer == nil { clinux_tcp_cork(descriptor, 0) } else { try sendWritten() }
    }

    /// Publishes one message of a batch, which must have passed ``PublicationCheck``.
    ///
    /// The corresponding C function is `amqp_basic_publish`, which is called on encrypted connections only.
    func publish(_ publication: Publication, channel: UInt16) throws(AMQPError) {
        guard writer == nil else {
            writer?.publish(publication, channel: channel)
            return try sendIfMuch()
        }
        arena.reset()
        var properties = unsafe encoded(publication.properties.fields)
        let status = unsafe publication.body.withUnsafeBytes { body in
            unsafe amqp_basic_publish(
                connection, channel, arena.bytes(publication.exchange), arena.bytes(publication.routingKey),
                publication.isMandatory ? 1 : 0, 0, &properties,
                amqp_bytes_t(len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress)))
        }
        try check(status: status, "publishing")
    }

    /// Acknowledges deliveries in a batch.
    ///
    /// The corresponding C function is `amqp_basic_ack`, which is called on encrypted connections only.
    func acknowledge(_ acknowledgement: SettlementLedger.Acknowledgement, channel: UInt16) throws(AMQPError) {
        guard writer == nil else {
            writer?.acknowledge(acknowledgement, channel: channel)
            return try sendIfMuch()
        }
        let status = unsafe amqp_basic_ack(
            connection, channel, acknowledgement.number, acknowledgement.isMultiple ? 1 : 0)
        try check(status: status, "acknowledging")
    }

    /// The corresponding C function is `amqp_basic_reject`.
    func reject(_ number: UInt64, requeue: Bool, channel: UInt16) throws(AMQPError) {
        try check(status: unsafe amqp_basic_reject(connection, channel, number, requeue ? 1 : 0), "rejecting")
    }

    /// Bytes that are sent before their batch ends.
    private static var much: Int { 128 << 10 }

    private func sendIfMuch() throws(AMQPError) {
        if (writer?.bytes.count ?? 0) >= Self.much { try sendWritten() }
    }

    /// Sends what was written, beside the library, which holds nothing back between two of its calls.
    ///
    /// The corresponding C function is `send`. It may hang as the library's may.
    private func sendWritten() throws(AMQPError) {
        guard let length = writer?.bytes.count, length > 0 else { return }
        let isSent =
            unsafe writer?.bytes.withUnsafeBytes { bytes in
                var sent = 0
                while sent < length {
                    let count = unsafe send(
                        descriptor, bytes.baseAddress?.advanced(by: sent), length - sent, Int32(MSG_NOSIGNAL))
                    if count > 0 {
                        sent += count
                    } else if count < 0, errno == EAGAIN {
                        PollEvents.wait(for: .writable, of: descriptor, atMost: .seconds(1))
                    } else if count < 0, errno != EINTR {
                        return false
                    }
                }
                return true
            } ?? true
        writer?.removeAll()
        guard isSent else { throw failure(status: AMQP_STATUS_SOCKET_ERROR.rawValue).during("sending") }
    }

    private func encoded(_ properties: MessageProperties.Fields) -> amqp_basic_properties_t {
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
        if let messageID = properties.messageIDBytes {
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
