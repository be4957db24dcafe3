// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How often each symbol occurs in a block: what the choice of its type and its trees are made from.
struct BlockStatistics {
    /// By literal and length symbol.
    let literals = Table<512, UInt16>(repeating: 0)
    /// By distance symbol.
    let distances = Table<32, UInt16>(repeating: 0)
    /// The extra bits of all lengths and distances.
    var extraBits = 0

    /// Forgets everything, and counts the end of the block.
    mutating func reset() {
        literals.fill(DeflateFormat.literals, with: 0)
        distances.fill(with: 0)
        literals[DeflateFormat.endOfBlock] = 1
        extraBits = 0
    }

    @inline(__always)
    func count(literal byte: UInt8) {
        literals[Int(byte)] &+= 1
    }

    @inline(__always)
    mutating func count(lengthCode: Int, distanceCode: Int) {
        literals[DeflateFormat.firstLength &+ lengthCode] &+= 1
        distances[distanceCode] &+= 1
        extraBits &+=
            DeflateFormat.lengthExtraBits(lengthCode) &+ DeflateFormat.distanceExtraBits(distanceCode)
    }

    /// The size of the block's symbols in the fixed codes, in bits.
    var fixedBits: Int {
        var bits = extraBits
        for symbol in 0..<DeflateFormat.literals {
            bits &+= Int(literals[symbol]) &* DeflateFormat.fixedLength(symbol)
        }
        for symbol in 0..<DeflateFormat.distances {
            bits &+= Int(distances[symbol]) &* 5
        }
        return bits
    }
}
