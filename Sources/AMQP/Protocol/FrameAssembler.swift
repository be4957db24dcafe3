// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Puts the frames of one channel together to messages.
///
/// Each channel has its own assembler, so frames of different channels may be interleaved in any way.
struct FrameAssembler {
    /// A whole message.
    enum Message: Hashable {
        case delivery(DeliverMethod, MessageProperties, Delivery.Body)
        case returned(ReturnMethod, MessageProperties)
    }

    private enum Method {
        case deliver(DeliverMethod)
        case returned(ReturnMethod)
    }

    private enum Progress {
        case idle
        case method(Method)
        case body(Method, MessageProperties, size: UInt64)
    }

    private let maximumBodySize: UInt64
    private var progress = Progress.idle
    private var received: UInt64 = 0
    private var bytes: [UInt8] = []

    /// Creates an assembler between messages.
    ///
    /// - Parameter maximumBodySize: bodies over this many bytes are counted and not kept.
    init(maximumBodySize: UInt64) {
        self.maximumBodySize = maximumBodySize
    }

    /// Takes the next frame of the channel.
    ///
    /// - Returns: the message that the frame completes.
    /// - Throws: ``AMQPError/Code/protocolViolation`` for a frame out of order or too much body.
    mutating func add(_ frame: ContentFrame) throws(AMQPError) -> Message? {
        switch (progress, frame) {
        case (.idle, .deliver(let method)):
            progress = .method(.deliver(method))
            return nil
        case (.idle, .returned(let method)):
            progress = .method(.returned(method))
            return nil
        case (.method(let method), .header(let size, let properties)):
            if size == 0 { return finish(method, properties, size: 0) }
            progress = .body(method, properties, size: size)
            received = 0
            return nil
        case (.body(let method, let properties, let size), .body(let fragment)):
            guard UInt64(fragment.count) <= size - received else {
                throw AMQPError(.protocolViolation, "the broker sent more body than it announced")
            }
            received += UInt64(fragment.count)
            keep(fragment, of: method, size: size)
            return received == size ? finish(method, properties, size: size) : nil
        default:
            throw AMQPError(.protocolViolation, "the broker sent parts of a message out of order")
        }
    }

    /// Nobody looks at the body of what came back, so only a delivery's is kept.
    private mutating func keep(_ fragment: [UInt8], of method: Method, size: UInt64) {
        guard case .deliver = method, size <= maximumBodySize else { return }
        if bytes.isEmpty {
            bytes = fragment
        } else {
            bytes += fragment
        }
    }

    private mutating func finish(_ method: Method, _ properties: MessageProperties, size: UInt64) -> Message {
        progress = .idle
        let body = bytes
        bytes = []
        switch method {
        case .deliver(let method):
            return .delivery(method, properties, size <= maximumBodySize ? .bytes(body) : .tooLarge(size))
        case .returned(let method):
            return .returned(method, properties)
        }
    }
}
