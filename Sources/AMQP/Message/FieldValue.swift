// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A value in a header table or among a queue's arguments.
public indirect enum FieldValue: Sendable, Hashable {
    /// Bytes of a long string; RabbitMQ does not insist on UTF-8.
    case bytes([UInt8])
    /// An integer of any AMQP width that fits into 64 bits with a sign.
    case integer(Int64)
    /// A truth value.
    case boolean(Bool)
    /// A floating-point number.
    case double(Double)
    /// Seconds since 1970.
    case timestamp(UInt64)
    /// Several values.
    case array([FieldValue])
    /// A nested table.
    case table(HeaderTable)
    /// No value.
    case void
    /// A value that was left out on reading: nested too deeply, one too many, or of a kind not read here.
    case omitted

    /// A text as the bytes of a long string.
    public static func string(_ text: String) -> FieldValue {
        .bytes(Array(text.utf8))
    }

    /// The value as text, where it is a long string of valid UTF-8.
    public var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The value as an integer, where it is one.
    public var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
