// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FakeBroker
import Testing

@testable import AMQP

/// Against bytes put together by hand from the protocol's definition.
@Suite struct FrameWriterTests {
    private func publication(_ body: [UInt8], _ properties: MessageProperties = .init()) -> Publication {
        Publication(
            id: 7, channel: .replies, exchange: "ex", routingKey: "key", isMandatory: true, properties: properties,
            body: body)
    }

    private let method = AMQPBytes.method(
        3, [0, 60, 0, 40], [0, 0, 2] + Array("ex".utf8) + [3] + Array("key".utf8) + [1])

    @Test func aMessageIsMethodHeaderAndBody() {
        var writer = FrameWriter(frameMax: 131_072)
        writer.publish(publication(Array("hello".utf8)), channel: 3)
        let header = AMQPBytes.frame(2, 3, [0, 60, 0, 0] + AMQPBytes.longLong(5) + [0x10, 0x00, 1])
        #expect(writer.bytes == method + header + AMQPBytes.body(3, "hello"))
    }

    @Test func noBodyIsNoBodyFrame() {
        var writer = FrameWriter(frameMax: 131_072)
        writer.publish(publication([]), channel: 3)
        let header = AMQPBytes.frame(2, 3, [0, 60, 0, 0] + AMQPBytes.longLong(0) + [0x10, 0x00, 1])
        #expect(writer.bytes == method + header)
    }

    /// Each property in the order of its flag, the highest first.
    @Test func propertiesTravelInTheProtocolsOrder() {
        var properties = MessageProperties()
        properties.contentType = "a"
        properties.contentEncoding = "b"
        properties.headers = ["h": .boolean(true)]
        properties.isPersistent = true
        properties.priority = 9
        properties.correlationID = [0xFF, 0]
        properties.replyTo = "c"
        properties.expiration = 60_000
        properties.messageIDBytes = [0xFE]
        properties.timestamp = 0x0102_0304_0506_0708
        properties.type = "e"
        properties.userID = "f"
        properties.appID = "g"
        var writer = FrameWriter(frameMax: 131_072)
        writer.publish(publication([], properties), channel: 3)
        let letter = { (text: String) in [1] + Array(text.utf8) }
        let encoded: [UInt8] =
            [0xFF, 0xF8] + letter("a") + letter("b") + AMQPBytes.long(4) + letter("h")
            + [UInt8(ascii: "t"), 1] + [2, 9] + [2, 0xFF, 0] + letter("c") + [5] + Array("60000".utf8) + [1, 0xFE]
            + [1, 2, 3, 4, 5, 6, 7, 8] + letter("e") + letter("f") + letter("g")
        #expect(
            writer.bytes == method + AMQPBytes.frame(2, 3, [0, 60, 0, 0] + AMQPBytes.longLong(0) + encoded))
    }

    @Test func everyKindOfHeaderHasItsLetter() {
        let values: [(FieldValue, [UInt8])] = [
            (.bytes([1, 2]), Array("S".utf8) + AMQPBytes.long(2) + [1, 2]),
            (.integer(-2), Array("l".utf8) + AMQPBytes.longLong(UInt64.max - 1)),
            (.boolean(false), Array("t".utf8) + [0]),
            (.double(1), Array("d".utf8) + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
            (.timestamp(5), Array("T".utf8) + AMQPBytes.longLong(5)),
            (.void, Array("V".utf8)),
            (.array([.void, .boolean(true)]), Array("A".utf8) + AMQPBytes.long(3) + Array("Vt".utf8) + [1]),
            (.table(["k": .void]), Array("F".utf8) + AMQPBytes.long(3) + [1] + Array("kV".utf8)),
        ]
        for (value, encoded) in values {
            var properties = MessageProperties()
            properties.headers = ["n": value]
            var writer = FrameWriter(frameMax: 131_072)
            writer.publish(publication([], properties), channel: 3)
            let table = [1, UInt8(ascii: "n")] + encoded
            let content = [0x30, 0x00] + AMQPBytes.long(UInt32(table.count)) + table + [1]
            let header = AMQPBytes.frame(2, 3, [0, 60, 0, 0] + AMQPBytes.longLong(0) + content)
            #expect(writer.bytes == method + header, "\(value)")
        }
    }

    /// No frame is larger than was negotiated, and the bodies together are the message's.
    @Test(arguments: [4087, 4088, 4089, 8176, 8177, 20_000])
    func largeBodiesAreCut(size: Int) {
        var writer = FrameWriter(frameMax: 4096)
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        writer.publish(publication(body), channel: 3)
        var rest = writer.bytes.dropFirst(method.count)
        var received: [UInt8] = []
        var bodies = 0
        while !rest.isEmpty {
            let length = Int(AMQPBytes.number(rest.dropFirst(3).prefix(4)))
            #expect(length + 8 <= 4096)
            if rest.first == 3 {
                received += rest.dropFirst(7).prefix(length)
                bodies += 1
            }
            #expect(rest.dropFirst(7 + length).first == 0xCE)
            rest = rest.dropFirst(8 + length)
        }
        #expect(received == body && bodies == (size + 4087) / 4088)
    }

    @Test func acknowledgements() {
        var writer = FrameWriter(frameMax: 131_072)
        writer.acknowledge(.init(number: 258, isMultiple: true), channel: 1)
        writer.acknowledge(.init(number: 3, isMultiple: false), channel: 2)
        #expect(
            writer.bytes == AMQPBytes.method(1, [0, 60, 0, 80], AMQPBytes.longLong(258) + [1])
                + AMQPBytes.method(2, [0, 60, 0, 80], AMQPBytes.longLong(3) + [0]))
    }

    @Test func whatWasSentIsForgotten() {
        var writer = FrameWriter(frameMax: 131_072)
        writer.publish(publication([UInt8](repeating: 1, count: 1 << 20)), channel: 1)
        writer.removeAll()
        #expect(writer.bytes.isEmpty && writer.bytes.capacity <= 256 << 10)
    }
}
