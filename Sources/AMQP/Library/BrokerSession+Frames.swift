// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ

extension BrokerSession {
    /// The next frame that has arrived, copied out of the library's memory.
    ///
    /// The corresponding C function is `amqp_simple_wait_frame_noblock`, which also sends heartbeats when due.
    ///
    /// - Returns: the frame, or nil when there is none yet.
    /// - Throws: an error when the connection is over; also when the broker closes it.
    func nextFrame() throws(AMQPError) -> IncomingFrame? {
        var frame = unsafe amqp_frame_t()
        let status = unsafe crabbitmq_next_frame(connection, &frame)
        if status == AMQP_STATUS_TIMEOUT.rawValue { return nil }
        guard status == AMQP_STATUS_OK.rawValue else { throw failure(status: status) }
        let channel = unsafe frame.channel
        switch unsafe Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD:
            return try unsafe method(frame.payload.method, channel: channel)
        case AMQP_FRAME_HEADER:
            let header = unsafe frame.payload.properties
            guard unsafe header.class_id == UInt16(AMQP_BASIC_CLASS), let decoded = unsafe header.decoded else {
                throw AMQPError(.protocolViolation, "the broker sent a header of an unknown class")
            }
            let properties = unsafe reader.properties(decoded.assumingMemoryBound(to: amqp_basic_properties_t.self))
            return unsafe .content(channel: channel, .header(bodySize: header.body_size, properties))
        case AMQP_FRAME_BODY:
            return unsafe .content(channel: channel, .body(bytes(frame.payload.body_fragment)))
        default:
            return .other
        }
    }

    private func method(_ method: amqp_method_t, channel: UInt16) throws(AMQPError) -> IncomingFrame {
        guard let decoded = unsafe method.decoded else { return .other }
        switch unsafe method.id {
        case UInt32(AMQP_BASIC_DELIVER_METHOD):
            let deliver = unsafe reader.deliver(decoded.assumingMemoryBound(to: amqp_basic_deliver_t.self))
            return .content(channel: channel, .deliver(deliver))
        case UInt32(AMQP_BASIC_RETURN_METHOD):
            let returned = unsafe reader.returned(decoded.assumingMemoryBound(to: amqp_basic_return_t.self))
            return .content(channel: channel, .returned(returned))
        case UInt32(AMQP_BASIC_ACK_METHOD):
            let ack = unsafe decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee
            return .confirm(
                channel: channel,
                Confirm(number: ack.delivery_tag, isMultiple: ack.multiple != 0, isPositive: true))
        case UInt32(AMQP_BASIC_NACK_METHOD):
            let nack = unsafe decoded.assumingMemoryBound(to: amqp_basic_nack_t.self).pointee
            return .confirm(
                channel: channel,
                Confirm(number: nack.delivery_tag, isMultiple: nack.multiple != 0, isPositive: false))
        case UInt32(AMQP_BASIC_CANCEL_METHOD):
            return .consumerCancelled(channel: channel)
        case UInt32(AMQP_CHANNEL_CLOSE_METHOD):
            return .channelClosed(channel: channel, try unsafe serverException(method, channel: channel))
        case UInt32(AMQP_CONNECTION_CLOSE_METHOD):
            throw try unsafe serverException(method, channel: channel)
        case UInt32(AMQP_CONNECTION_BLOCKED_METHOD):
            let blocked = unsafe decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee
            return unsafe .blocked(readableText(blocked.reason))
        case UInt32(AMQP_CONNECTION_UNBLOCKED_METHOD):
            return .unblocked
        default:
            return .other
        }
    }
}
