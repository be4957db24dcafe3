// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A part of a URL with its percent-encoding undone; nil stays nil.
func percentDecoded(_ text: Substring?, part: String, atMost limit: Int = 255) throws(AMQPURLError) -> String? {
    guard let text else { return nil }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
            throw .percentEncoding(part: part)
        }
        bytes.append(high << 4 | low)
    }
    // A zero byte would cut the C string short and log in as somebody else.
    guard bytes.count <= limit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw .value(part: part) }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .percentEncoding(part: part) }
    return decoded
}

/// A text with everything but letters, digits and `-._~` percent-encoded.
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
            bytes.append(byte)
        } else {
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
}

func isHexDigit(_ byte: UInt8) -> Bool {
    hexValue(byte) != nil
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
