// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Frames as AMQP 0-9-1 writes them, byte for byte, right or wrong as a test wants them.
package enum AMQPBytes {
    package static func long(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    package static func longLong(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    package static func short(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static func frame(_ type: UInt8, _ channel: UInt16, _ payload: [UInt8]) -> [UInt8] {
        [type] + short(channel) + long(UInt32(payload.count)) + payload + [0xce]
    }

    package static func method(_ channel: UInt16, _ method: [UInt8], _ arguments: [UInt8] = []) -> [UInt8] {
        frame(1, channel, method + arguments)
    }

    package static func deliver(_ channel: UInt16, number: UInt64) -> [UInt8] {
        method(channel, [0, 60, 0, 60], [1, UInt8(ascii: "t")] + longLong(number) + [0, 0, 1, UInt8(ascii: "q")])
    }

    /// A header without properties, or with a headers table given in its encoding.
    package static func header(_ channel: UInt16, bodySize: UInt64, table: [UInt8]? = nil) -> [UInt8] {
        let properties = table.map { short(0x2000) + long(UInt32($0.count)) + $0 } ?? short(0)
        return frame(2, channel, [0, 60, 0, 0] + longLong(bodySize) + properties)
    }

    package static func body(_ channel: UInt16, _ text: String) -> [UInt8] {
        frame(3, channel, Array(text.utf8))
    }

    package static func message(_ channel: UInt16, number: UInt64, _ text: String, table: [UInt8]? = nil) -> [UInt8] {
        deliver(channel, number: number) + header(channel, bodySize: UInt64(text.utf8.count), table: table)
            + body(channel, text)
    }

    /// A table with one entry whose value is an array in an array in an array and so on.
    package static func nestedTable(depth: Int) -> [UInt8] {
        let value = (0..<depth).flatMap { [UInt8(ascii: "A")] + long(UInt32(5 * (depth - 1 - $0))) }
        return [1, UInt8(ascii: "h")] + value
    }
}
