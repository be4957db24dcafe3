// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Makes inputs of many shapes for the deflater, the same ones for the same seed.
struct PayloadGenerator {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    /// The next input, mostly short and token-like, sometimes up to 65,000 bytes.
    mutating func next() -> [UInt8] {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: tokenLike()
        case 11: skewed(length())
        case 12: fromAlphabet(length())
        case 13: repeating(length())
        case 14: fibonacci(length())
        case 15: farRepeats()
        case 16: runs(length())
        case 17: collisions(length())
        case 18: mutated()
        default: random.bytes(length())
        }
    }

    private mutating func length() -> Int {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: Int.random(in: 0...65_000, using: &random)
        case 1..<4: Int.random(in: 0...8_000, using: &random)
        case 4..<8: Int.random(in: 0...8, using: &random)
        default: Int.random(in: 0...1_000, using: &random)
        }
    }

    /// A payload of the shape of an AccessToken2.
    private mutating func tokenLike() -> [UInt8] {
        let hex = Array("0123456789abcdef".utf8)
        let names = Array(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&()+-:;<=.>?@[]^_{}|~,".utf8)
        var bytes: [UInt8] = [32, 0] + random.bytes(32) + [32, 0]
        bytes += (0..<32).map { _ in hex.randomElement(using: &random) ?? 0 }
        bytes += random.bytes(4) + [0x10, 0x0e, 0, 0] + random.bytes(4)
        let services = Int.random(in: 1...4, using: &random)
        bytes += [UInt8(services), 0]
        for _ in 0..<services {
            let privileges = Int.random(in: 0...4, using: &random)
            bytes += [UInt8.random(in: 1...10, using: &random), 0, UInt8(privileges), 0]
            let seconds = [random.bytes(2) + [0, 0], [0x10, 0x0e, 0, 0], [0, 0, 0, 0]].randomElement(using: &random)
            for id in 0..<privileges { bytes += [UInt8(id + 1), 0] + (seconds ?? []) }
            let isHex = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let count = Int.random(in: 0...64, using: &random)
                bytes +=
                    [UInt8(count), 0]
                    + (0..<count).map { _ in (isHex ? hex : names).randomElement(using: &random) ?? 0 }
            }
        }
        return bytes
    }

    private mutating func skewed(_ count: Int) -> [UInt8] {
        let limit = Int.random(in: 1...255, using: &random)
        return (0..<count).map { _ in
            let first = Int.random(in: 0...limit, using: &random)
            return UInt8(first * Int.random(in: 0...limit, using: &random) / limit)
        }
    }

    private mutating func fromAlphabet(_ count: Int) -> [UInt8] {
        let alphabet = random.bytes(Int.random(in: 1...40, using: &random))
        return (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
    }

    private mutating func repeating(_ count: Int) -> [UInt8] {
        let unit = random.bytes(Int.random(in: 1...300, using: &random))
        return (0..<count).map { unit[$0 % unit.count] }
    }

    /// Frequencies that grow like Fibonacci numbers make the deepest trees.
    private mutating func fibonacci(_ count: Int) -> [UInt8] {
        var (small, large) = (1, 1)
        var bytes: [UInt8] = []
        var symbol: UInt8 = 0
        while bytes.count < count, symbol < 24 {
            bytes += repeatElement(symbol &* 7, count: small)
            (small, large) = (large, small + large)
            symbol += 1
        }
        return Array(bytes.shuffled(using: &random).prefix(65_000))
    }

    private mutating func farRepeats() -> [UInt8] {
        let word = random.bytes(Int.random(in: 3...20, using: &random))
        var bytes: [UInt8] = []
        while bytes.count < 60_000 {
            bytes += word + random.bytes([100, 4_093, 4_096, 16_000, 32_505].randomElement(using: &random) ?? 0)
            if Int.random(in: 0..<4, using: &random) == 0 { break }
        }
        return Array(bytes.prefix(65_000))
    }

    private mutating func runs(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += repeatElement(
                UInt8.random(in: .min ... .max, using: &random), count: Int.random(in: 1...600, using: &random))
        }
        return Array(bytes.prefix(count))
    }

    /// Different byte triples of one hash, which fill the chains.
    private mutating func collisions(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let high = UInt8.random(in: 0...7, using: &random)
            bytes += [high &<< 5 | 1, high, UInt8.random(in: 0...3, using: &random)]
        }
        return Array(bytes.prefix(count))
    }

    private mutating func mutated() -> [UInt8] {
        var bytes = tokenLike() + tokenLike()
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let index = Int.random(in: bytes.indices, using: &random)
            bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        }
        return bytes
    }
}
