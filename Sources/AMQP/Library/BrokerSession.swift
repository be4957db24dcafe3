// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import CRabbitMQ
import Glibc
import Platform

/// One connection to a broker, from login to its end.
///
/// Owned by one thread, which makes all calls.
///
/// After any error that is not of a channel only, the connection is of no use any more: librabbitmq's state is
/// undefined then, and only dropping the session is safe.
@safe
final class BrokerSession {
    /// The library's connection.
    let connection: OpaquePointer
    let arena = Arena()
    let stallGuard: StallGuard
    let callLimit: Duration
    /// How long a call may hang in the socket.
    let stallLimit: Duration
    /// What OpenSSL refers to, where the connection is encrypted.
    let handshake: TLSHandshake?
    var reader = PropertyReader()
    /// What goes out in one piece; nil where the connection is encrypted, as only the library can encrypt.
    var writer: FrameWriter?
    private(set) var broker = BrokerIdentity(product: "", version: "")
    private(set) var frameMax = 0
    private(set) var descriptor: Int32 = -1

    /// Creates a session that is not connected.
    init(
        _ connection: OpaquePointer, handshake: TLSHandshake?, stallGuard: StallGuard, callLimit: Duration,
        stallLimit: Duration
    ) {
        unsafe self.connection = unsafe connection
        self.handshake = handshake
        self.stallGuard = stallGuard
        self.callLimit = callLimit
        self.stallLimit = stallLimit
    }

    /// Closes the socket without a word to the broker.
    ///
    /// The corresponding C function is `amqp_destroy_connection`.
    deinit {
        stallGuard.willClose()
        unsafe amqp_destroy_connection(connection)
    }

    /// Notes what the login has brought.
    func loggedIn(to broker: BrokerIdentity, descriptor: Int32) {
        self.broker = broker
        self.descriptor = descriptor
        frameMax = unsafe Int(amqp_get_frame_max(connection))
        if handshake == nil { writer = FrameWriter(frameMax: frameMax) }
    }

    /// Tells the watchdog that the thread does not hang.
    func isMoving() {
        stallGuard.allow(stallLimit)
    }

    /// Whether the library holds what it has read already.
    ///
    /// The corresponding C function is `amqp_data_in_buffer`, beside that of ``hasPutAside``.
    var holdsInput: Bool {
        unsafe amqp_data_in_buffer(connection) != 0 || hasPutAside
    }

    /// Whether the library holds frames that came while a call waited for its answer.
    ///
    /// The corresponding C function is `amqp_frames_enqueued`.
    var hasPutAside: Bool { unsafe amqp_frames_enqueued(connection) != 0 }

    /// Whether there may be a frame although the socket shows none: inside OpenSSL there always may.
    var mayHideInput: Bool { handshake != nil || holdsInput }

    /// Gives memory of handled frames back.
    ///
    /// The corresponding C function is `amqp_maybe_release_buffers`.
    func releaseBuffers() {
        unsafe amqp_maybe_release_buffers(connection)
    }

    /// Takes leave of the broker.
    ///
    /// The corresponding C function is `amqp_connection_close`.
    ///
    /// - Throws: an error when the broker does not answer in time.
    func close() throws(AMQPError) {
        setCallTimeout(min(callLimit, .seconds(2)))
        try unsafe check(amqp_connection_close(connection, AMQP_REPLY_SUCCESS), "closing the connection")
    }

    /// Limits calls that the broker answers.
    ///
    /// The corresponding C function is `amqp_set_rpc_timeout`.
    func setCallTimeout(_ limit: Duration) {
        var time = limit.timeValue
        unsafe amqp_set_rpc_timeout(connection, &time)
    }

    /// Turns a negative status of the library into an error.
    func check(status: Int32, _ action: String) throws(AMQPError) {
        guard status != AMQP_STATUS_OK.rawValue else { return }
        throw failure(status: status).during(action)
    }

    /// What a status of the library means.
    func failure(status: Int32) -> AMQPError {
        if stallGuard.isAborted { return AMQPError(.closed, "the connection was cut on request") }
        if stallGuard.didShutDown { return AMQPError(.timedOut, "the broker neither read nor answered in time") }
        let text = unsafe String(cString: amqp_error_string2(status))
        return switch status {
        case AMQP_STATUS_TIMEOUT.rawValue: AMQPError(.timedOut, "the broker did not answer in time")
        case AMQP_STATUS_HEARTBEAT_TIMEOUT.rawValue: AMQPError(.heartbeatMissed, "the broker's heartbeats stopped")
        case AMQP_STATUS_SOCKET_ERROR.rawValue, AMQP_STATUS_CONNECTION_CLOSED.rawValue,
            AMQP_STATUS_TCP_ERROR.rawValue, AMQP_STATUS_SOCKET_CLOSED.rawValue, AMQP_STATUS_SSL_ERROR.rawValue:
            AMQPError(.disconnected, "the connection broke (\(text))")
        case AMQP_STATUS_BROKER_UNSUPPORTED_SASL_METHOD.rawValue:
            AMQPError(.authenticationFailed, "the broker does not offer this mechanism")
        default: AMQPError(.protocolViolation, "the broker sent what cannot be read (\(text))")
        }
    }

    /// Turns the reply to a call into an error where it is one.
    ///
    /// A channel that the broker closed is acknowledged here, as librabbitmq leaves that to its caller.
    func check(_ reply: amqp_rpc_reply_t, channel: UInt16 = 0, _ action: String) throws(AMQPError) {
        switch unsafe reply.reply_type {
        case AMQP_RESPONSE_NORMAL:
            return
        case AMQP_RESPONSE_LIBRARY_EXCEPTION:
            throw unsafe failure(status: reply.library_error).during(action)
        case AMQP_RESPONSE_SERVER_EXCEPTION:
            throw try unsafe serverException(reply.reply, channel: channel).during(action)
        default:
            throw failure(status: AMQP_STATUS_CONNECTION_CLOSED.rawValue).during(action)
        }
    }

    /// Acknowledges the broker's closing of a channel or of the connection.
    ///
    /// - Returns: the broker's reason.
    /// - Throws: an error when even the acknowledgement fails.
    func serverException(_ method: amqp_method_t, channel: UInt16) throws(AMQPError) -> AMQPError {
        switch unsafe method.id {
        case UInt32(AMQP_CHANNEL_CLOSE_METHOD):
            let close = unsafe method.decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
            let error = unsafe AMQPError(
                replyCode: close.reply_code, text: readableText(close.reply_text), isOfChannelOnly: true)
            var ok = amqp_channel_close_ok_t()
            try check(
                status: unsafe amqp_send_method(connection, channel, UInt32(AMQP_CHANNEL_CLOSE_OK_METHOD), &ok),
                "acknowledging that the broker closed a channel (\(error))")
            return error
        case UInt32(AMQP_CONNECTION_CLOSE_METHOD):
            let close = unsafe method.decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
            let error = unsafe AMQPError(replyCode: close.reply_code, text: readableText(close.reply_text))
            var ok = amqp_connection_close_ok_t()
            // Courtesy only: the connection is over whether this arrives or not.
            _ = unsafe amqp_send_method(connection, 0, UInt32(AMQP_CONNECTION_CLOSE_OK_METHOD), &ok)
            return error
        default:
            return AMQPError(.protocolViolation, "the broker answered with an unexpected method")
        }
    }
}

extension Duration {
    /// The duration as the C library takes it, at least a millisecond.
    var timeValue: timeval {
        let milliseconds = Int(max(pollMilliseconds, 1))
        return timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    }
}
