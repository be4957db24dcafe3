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

    private enum Progress {
        case idle, method, body
    }

    private let maximumBodySize: UInt64
    private var progress = Progress.idle
    /// The method, one of the two, and the properties: kept apart from ``progress`` so that they are moved, not copied.
    private var deliver: DeliverMethod?
    private var returned: ReturnMethod?
    private var properties = MessageProperties()
    private var bodySize: UInt64 = 0
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
    mutating func add(_ frame: consuming ContentFrame) throws(AMQPError) -> Message? {
        switch consume frame {
        case .deliver(let method):
            try step(from: .idle, to: .method)
            deliver = method
            return nil
        case .returned(let method):
            try step(from: .idle, to: .method)
            returned = method
            return nil
        case .header(let size, let properties):
            try step(from: .method, to: .body)
            self.properties = properties
            bodySize = size
            received = 0
            return size == 0 ? finish() : nil
        case .body(let fragment):
            try step(from: .body, to: .body)
            guard UInt64(fragment.count) <= bodySize - received else {
                throw AMQPError(.protocolViolation, "the broker sent more body than it announced")
            }
            received += UInt64(fragment.count)
            keep(fragment)
            return received == bodySize ? finish() : nil
        }
    }

    private mutating func step(from expected: Progress, to next: Progress) throws(AMQPError) {
        guard progress == expected else {
            throw AMQPError(.protocolViolation, "the broker sent parts of a message out of order")
        }
        progress = next
    }

    /// Nobody looks at the body of what came back, so only a delivery's is kept.
    private mutating func keep(_ fragment: [UInt8]) {
        guard deliver != nil, bodySize <= maximumBodySize else { return }
        if bytes.isEmpty {
            bytes = fragment
        } else {
            bytes += fragment
        }
    }

    private mutating func finish() -> Message? {
        progress = .idle
        var (properties, body) = (MessageProperties(), [UInt8]())
        swap(&properties, &self.properties)
        swap(&body, &bytes)
        if let method = deliver.take() {
            return .delivery(method, properties, bodySize <= maximumBodySize ? .bytes(body) : .tooLarge(bodySize))
        }
        return returned.take().map { .returned($0, properties) }
    }
}
