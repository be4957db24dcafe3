// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FakeBroker

/// Makes wrong input of right frames, the same for the same seed.
struct HostileFrames {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// What a broker may send to a consumer.
    private static let deliveries: [[UInt8]] = [
        AMQPBytes.message(1, number: 1, "hello"),
        AMQPBytes.message(1, number: 2, "with headers", table: AMQPBytes.nestedTable(depth: 40)),
        AMQPBytes.deliver(1, number: 3) + AMQPBytes.header(1, bodySize: 6) + AMQPBytes.body(1, "one")
            + AMQPBytes.body(1, "two"),
        AMQPBytes.deliver(1, number: 4) + header(of: 0xf8fc),
        AMQPBytes.method(1, [0, 60, 0, 30], [1, UInt8(ascii: "t"), 1]),  // basic.cancel
        AMQPBytes.method(1, [0, 20, 0, 20], [1]),  // channel.flow
        AMQPBytes.method(1, [0, 20, 0, 40], AMQPBytes.short(404) + [1, UInt8(ascii: "x"), 0, 60, 0, 20]),
        AMQPBytes.frame(8, 0, []),
    ]

    /// What a broker may send to a publisher.
    private static let outcomes: [[UInt8]] = [
        AMQPBytes.method(1, [0, 60, 0, 80], AMQPBytes.longLong(1) + [0]),  // basic.ack
        AMQPBytes.method(2, [0, 60, 0, 120], AMQPBytes.longLong(1) + [1]),  // basic.nack
        AMQPBytes.method(
            1, [0, 60, 0, 50], AMQPBytes.short(312) + [8] + Array("NO_ROUTE".utf8) + [0, 1, UInt8(ascii: "a")])
            + AMQPBytes.header(1, bodySize: 4) + AMQPBytes.body(1, "back"),
        AMQPBytes.method(0, [0, 10, 0, 60], [6] + Array("memory".utf8)),  // connection.blocked
        AMQPBytes.method(0, [0, 10, 0, 61]),  // connection.unblocked
        AMQPBytes.method(0, [0, 10, 0, 50], AMQPBytes.short(320) + [1, UInt8(ascii: "x"), 0, 0, 0, 0]),
        AMQPBytes.frame(8, 0, []),
    ]

    /// A header whose flags announce properties: fourteen short strings that also pass as numbers and a table.
    private static func header(of flags: UInt16) -> [UInt8] {
        let properties = (0..<14).flatMap { _ in [0, 0, 0, 1] as [UInt8] }
        return AMQPBytes.frame(2, 1, [0, 60, 0, 0] + AMQPBytes.longLong(0) + AMQPBytes.short(flags) + properties)
    }

    mutating func forConsumer() -> [UInt8] { spoil(Self.deliveries) }

    mutating func forPublisher() -> [UInt8] { spoil(Self.outcomes) }

    private mutating func spoil(_ frames: [[UInt8]]) -> [UInt8] {
        var bytes = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
            frames.randomElement(using: &random) ?? []
        }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = Int.random(in: place...min(bytes.count, place + 40), using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4:
                bytes.replaceSubrange(
                    place..<end, with: (place..<end).map { _ in .random(in: 0...255, using: &random) })
            case 5: bytes.insert(contentsOf: frames.randomElement(using: &random) ?? [], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
