// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes a JSON text in UTF-8 without spaces.
///
/// The writer puts the commas; opening, closing and naming in the right order is the caller's part.
package struct JSONWriter {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Goes on after other text, which stays as it is.
    package init(after text: consuming [UInt8]) { bytes = text }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of the next member, which has to be without characters that JSON escapes.
    package mutating func name(_ name: String) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(value.magnitude))
    }

    private mutating func digits(_ value: UInt64) {
        guard value >= 100_000_000 else { return digits(UInt32(truncatingIfNeeded: value), atLeast: 1) }
        digits(value / 100_000_000)
        digits(UInt32(truncatingIfNeeded: value % 100_000_000), atLeast: 8)
    }

    /// At most eight digits, which one word holds: the last one found is the first to be written.
    private mutating func digits(_ value: UInt32, atLeast least: Int) {
        var rest = value
        var text: UInt64 = 0
        var count = 0
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            text = text &<< 8 | UInt64(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
            rest = quotient
            count &+= 1
        } while rest > 0 || count < least
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: text))
            text &>>= 8
        }
    }

    package mutating func string(_ text: String) {
        separate()
        if Self.hasEscapes(text.utf8.span) {
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 { escaped(byte) }
            bytes.append(UInt8(ascii: "\""))
        } else {
            quoted(text)
        }
    }

    /// Looks at every byte without leaving early, which is what the compiler can do sixteen at a time.
    private static func hasEscapes(_ text: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for position in text.indices {
            let byte = text[position]
            found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
        }
        return found > 0
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: some FixedWidthInteger) {
        self.name(name)
        integer(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: String, _ values: [String]) {
        self.name(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    package mutating func member(_ name: String, _ values: [some FixedWidthInteger]) {
        self.name(name)
        beginArray()
        for value in values { integer(value) }
        endArray()
    }
}
