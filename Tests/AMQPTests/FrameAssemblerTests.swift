// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import AMQP

/// AMQP 0-9-1, section 4.2.6: a content is a method frame, a header frame, and body frames up to the header's size.
@Suite struct FrameAssemblerTests {
    private let deliver = DeliverMethod(number: 7, isRedelivered: true, exchange: "e", routingKey: "k")

    @Test func putsAMessageTogether() throws {
        var assembler = FrameAssembler(maximumBodySize: 100)
        var properties = MessageProperties()
        properties.messageID = "m"
        #expect(try assembler.add(.deliver(deliver)) == nil)
        #expect(try assembler.add(.header(bodySize: 5, properties)) == nil)
        #expect(try assembler.add(.body([1, 2])) == nil)
        #expect(try assembler.add(.body([])) == nil)
        let message = try assembler.add(.body([3, 4, 5]))
        #expect(message == .delivery(deliver, properties, .bytes([1, 2, 3, 4, 5])))
    }

    @Test func anEmptyBodyNeedsNoFrame() throws {
        var assembler = FrameAssembler(maximumBodySize: 100)
        _ = try assembler.add(.deliver(deliver))
        let message = try assembler.add(.header(bodySize: 0, MessageProperties()))
        #expect(message == .delivery(deliver, MessageProperties(), .bytes([])))
    }

    @Test("L18: a body over the limit is skipped and the next message read")
    func skipsLargeBodies() throws {
        var assembler = FrameAssembler(maximumBodySize: 4)
        _ = try assembler.add(.deliver(deliver))
        _ = try assembler.add(.header(bodySize: 5, MessageProperties()))
        _ = try assembler.add(.body([1, 2, 3]))
        #expect(try assembler.add(.body([4, 5])) == .delivery(deliver, MessageProperties(), .tooLarge(5)))
        _ = try assembler.add(.deliver(deliver))
        _ = try assembler.add(.header(bodySize: 4, MessageProperties()))
        let next = try assembler.add(.body([1, 2, 3, 4]))
        #expect(next == .delivery(deliver, MessageProperties(), .bytes([1, 2, 3, 4])))
    }

    @Test("L18: a sender's 64-bit size reserves nothing")
    func believesNoSize() throws {
        var assembler = FrameAssembler(maximumBodySize: 1 << 20)
        _ = try assembler.add(.deliver(deliver))
        #expect(try assembler.add(.header(bodySize: .max, MessageProperties())) == nil)
        #expect(try assembler.add(.body([1])) == nil)
    }

    @Test func readsReturns() throws {
        var assembler = FrameAssembler(maximumBodySize: 100)
        let returned = ReturnMethod(code: 312, text: "NO_ROUTE", exchange: "", routingKey: "q")
        _ = try assembler.add(.returned(returned))
        _ = try assembler.add(.header(bodySize: 2, MessageProperties()))
        #expect(try assembler.add(.body([1, 2])) == .returned(returned, MessageProperties()))
    }

    @Test(
        "Frames out of order end the connection",
        arguments: [
            [ContentFrame.header(bodySize: 1, MessageProperties())],
            [.body([1])],
            [.deliver(DeliverMethod(number: 1, isRedelivered: false, exchange: "", routingKey: "")), .body([1])],
            [
                .deliver(DeliverMethod(number: 1, isRedelivered: false, exchange: "", routingKey: "")),
                .deliver(DeliverMethod(number: 2, isRedelivered: false, exchange: "", routingKey: "")),
            ],
            [
                .deliver(DeliverMethod(number: 1, isRedelivered: false, exchange: "", routingKey: "")),
                .header(bodySize: 2, MessageProperties()), .header(bodySize: 2, MessageProperties()),
            ],
            [
                .deliver(DeliverMethod(number: 1, isRedelivered: false, exchange: "", routingKey: "")),
                .header(bodySize: 2, MessageProperties()), .body([1, 2, 3]),
            ],
        ])
    func refusesDisorder(_ frames: [ContentFrame]) throws {
        var assembler = FrameAssembler(maximumBodySize: 100)
        for frame in frames.dropLast() { #expect(try assembler.add(frame) == nil) }
        let error = #expect(throws: AMQPError.self) { try assembler.add(try #require(frames.last)) }
        #expect(error?.code == .protocolViolation)
    }
}
