// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Inflates the blocks of a deflate stream (RFC 1951) into at most ``Zlib/maximumInflated`` bytes.
struct Inflater {
    var bits: BitReader
    private(set) var output: [UInt8] = []

    init(_ bits: BitReader) {
        self.bits = bits
        output.reserveCapacity(512)
    }

    /// Inflates all blocks.
    mutating func run() throws(TokenError) {
        var isLast = false
        while !isLast {
            isLast = try bits.take(1) == 1
            switch try bits.take(2) {
            case 0: try stored()
            case 1:
                let codes = try Self.fixed.get()
                try compressed(literals: codes.literals, distances: codes.distances)
            case 2: try dynamic()
            default: throw .invalidCompression(reason: "it holds a block of an unknown type")
            }
        }
    }

    private mutating func stored() throws(TokenError) {
        bits.align()
        let count = try bits.take(16)
        guard try bits.take(16) == count ^ 0xffff else {
            throw .invalidCompression(reason: "a stored block has a wrong length")
        }
        guard output.count + count <= Zlib.maximumInflated else { throw .inflatedTooLarge }
        for _ in 0..<count {
            output.append(UInt8(truncatingIfNeeded: try bits.take(8)))
        }
    }

    private mutating func compressed(
        literals: HuffmanDecoder, distances: HuffmanDecoder
    ) throws(TokenError) {
        while true {
            let symbol = try literals.next(&bits)
            if symbol < 256 {
                guard output.count < Zlib.maximumInflated else { throw .inflatedTooLarge }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol <= 285 else { throw .invalidCompression(reason: "it holds an invalid length") }
            let lengthCode = symbol - 257
            let length =
                DeflateFormat.lengthBase(lengthCode) + (try bits.take(DeflateFormat.lengthExtraBits(lengthCode)))
            let distanceCode = try distances.next(&bits)
            guard distanceCode < 30 else { throw .invalidCompression(reason: "it holds an invalid distance") }
            let distance =
                DeflateFormat.distanceBase(distanceCode)
                + (try bits.take(DeflateFormat.distanceExtraBits(distanceCode)))
            guard distance <= output.count else {
                throw .invalidCompression(reason: "it refers to bytes before its beginning")
            }
            guard output.count + length <= Zlib.maximumInflated else { throw .inflatedTooLarge }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func dynamic() throws(TokenError) {
        let literalCount = try bits.take(5) + 257
        let distanceCount = try bits.take(5) + 1
        let orderCount = try bits.take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else {
            throw .invalidCompression(reason: "a block announces too many codes")
        }
        var orderLengths = Array(repeating: UInt8(0), count: 19)
        for index in 0..<orderCount {
            orderLengths[DeflateFormat.codeLengthOrder[index]] = UInt8(truncatingIfNeeded: try bits.take(3))
        }
        let order = try HuffmanDecoder(lengths: orderLengths[...], mayBeSingle: false)
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try order.next(&bits)
            switch symbol {
            case 16:
                guard let last = lengths.last else {
                    throw .invalidCompression(reason: "a block repeats a length before there is one")
                }
                lengths += Array(repeating: last, count: 3 + (try bits.take(2)))
            case 17: lengths += Array(repeating: 0, count: 3 + (try bits.take(3)))
            case 18: lengths += Array(repeating: 0, count: 11 + (try bits.take(7)))
            default: lengths.append(UInt8(symbol))
            }
        }
        guard lengths.count == literalCount + distanceCount else {
            throw .invalidCompression(reason: "a block has too many lengths")
        }
        guard lengths[256] != 0 else { throw .invalidCompression(reason: "a block has no end") }
        try compressed(
            literals: HuffmanDecoder(lengths: lengths[..<literalCount], mayBeSingle: true),
            distances: HuffmanDecoder(lengths: lengths[literalCount...], mayBeSingle: true))
    }

    /// The fixed codes, built once; that they are complete is known.
    private static let fixed = Result { () throws(TokenError) in
        let lengths =
            Array(repeating: UInt8(8), count: 144) + Array(repeating: 9, count: 112)
            + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8)
        return (
            literals: try HuffmanDecoder(lengths: lengths[...], mayBeSingle: false),
            distances: try HuffmanDecoder(lengths: Array(repeating: 5, count: 32)[...], mayBeSingle: false)
        )
    }
}
