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
    package mutating func name(_ name: String) { quote(name.utf8.span, isName: true) }

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
        guard value >= 100_000_000 else { return firstDigits(UInt32(truncatingIfNeeded: value)) }
        digits(value / 100_000_000)
        let text = Self.eightDigits(UInt32(truncatingIfNeeded: value % 100_000_000))
        bytes.append(addingCapacity: 8) { free in
            for place in 0..<8 { free.append(UInt8(truncatingIfNeeded: text &>> (8 &* place))) }
        }
    }

    /// The digits of a number below 10^8, without zeros before it.
    private mutating func firstDigits(_ value: UInt32) {
        guard value >= 10 else { return bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        let text = Self.eightDigits(value)
        let zeros = (text ^ 0x3030_3030_3030_3030).trailingZeroBitCount / 8
        bytes.append(addingCapacity: 8 &- zeros) { free in
            for place in zeros..<8 { free.append(UInt8(truncatingIfNeeded: text &>> (8 &* place))) }
        }
    }

    /// The eight digits of a number below 10^8, the first of them in the lowest byte.
    ///
    /// Halves, pairs and digits are each divided all at once; the factors are those of 1/100 and 1/10, rounded up as far
    /// as is exact for numbers of four and of two digits.
    private static func eightDigits(_ value: UInt32) -> UInt64 {
        let halves = UInt64(value / 10_000) | UInt64(value % 10_000) &<< 32
        let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8 | 0x3030_3030_3030_3030
    }

    package mutating func string(_ text: String) {
        let utf8 = text.utf8.span
        if Self.hasEscapes(utf8) {
            separate()
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 { escaped(byte) }
            bytes.append(UInt8(ascii: "\""))
        } else if utf8.count <= Self.short {
            quote(utf8, isName: false)
        } else {
            separate()
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: text.utf8)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Up to so many bytes are copied one by one faster than as a whole.
    private static var short: Int { 40 }

    /// Writes a text without escapes in quotes, with what stands around it.
    ///
    /// Such texts are short and many: one look at the room left for each, instead of one for each byte.
    private mutating func quote(_ text: Span<UInt8>, isName: Bool) {
        let isLater = needsComma
        bytes.append(addingCapacity: text.count + 4) { free in
            if isLater { free.append(UInt8(ascii: ",")) }
            free.append(UInt8(ascii: "\""))
            for position in text.indices { free.append(text[position]) }
            free.append(UInt8(ascii: "\""))
            if isName { free.append(UInt8(ascii: ":")) }
        }
        needsComma = !isName
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
