// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Finds repetitions as zlib does at level 6: hash chains, and a match given up when the next byte has a longer one.
///
/// Every limit below decides which bytes come out, so none is free to choose.
struct MatchFinder: ~Copyable {
    /// A match this long is good enough to search the next byte's chain only a quarter as far.
    private static let good = 8
    /// After a match this long the next byte is not searched at all.
    private static let lazy = 16
    /// A match this long ends the search.
    private static let nice = 128
    /// How many candidates of a chain are tried.
    private static let chain = 128
    /// Matches reach back at most 32 KiB less the lookahead that zlib keeps.
    private static let farthest = 32_768 - 262
    /// A match of three bytes is not worth a distance above this.
    private static let farthestOfThree = 4_096
    private static let longest = 258

    /// The last position of each hash, counted from ``base``, so that older runs need not be cleared away.
    private let heads = Table<32_768, UInt16>(repeating: 0)
    /// The position before with the same hash, for each position.
    private let links = Table<65_536, UInt16>(repeating: 0)
    private var base = 0

    init() {}

    /// Reports the first `count` bytes of `input`, at most 65,000, to `sink`.
    @inline(__always)
    mutating func run(_ input: Bytes, count: Int, into sink: inout some SymbolSink) {
        if base + count > 65_535 {
            heads.fill(with: 0)
            base = 0
        }
        search(input, count: count, into: &sink)
        base += count
    }

    @inline(__always)
    private func search(_ input: Bytes, count: Int, into sink: inout some SymbolSink) {
        var position = 0
        var length = 2
        var start = 0
        var hasPending = false
        while position < count {
            let previousLength = length
            let previousStart = start
            length = 2
            if count &- position >= 3 {
                let candidate = insert(position, input)
                // Position 0 stands for "none", as do the entries of earlier runs below it.
                if candidate > base, previousLength < Self.lazy,
                    position &- (candidate &- base) <= Self.farthest
                {
                    (length, start) = longestMatch(
                        input, at: position, left: count &- position, candidate: candidate &- base,
                        previousLength: previousLength, previousStart: start)
                    if length == 3, position &- start > Self.farthestOfThree { length = 2 }
                }
            }
            if previousLength >= 3, length <= previousLength {
                let end = position &- 1 &+ previousLength
                let lastInsert = min(end &- 1, count &- 3)
                var next = position &+ 1
                while next <= lastInsert {
                    _ = insert(next, input)
                    next &+= 1
                }
                sink.match(length: previousLength, distance: position &- 1 &- previousStart, end: end)
                position = end
                length = 2
                hasPending = false
            } else {
                if hasPending { sink.literal(input[position &- 1], end: position) }
                hasPending = true
                position &+= 1
            }
        }
        if hasPending { sink.literal(input[count &- 1], end: count) }
    }

    /// Enters `position` into its chain, and returns the entry that headed the chain before.
    @inline(__always)
    private func insert(_ position: Int, _ input: Bytes) -> Int {
        let word = input.load(position, as: UInt32.self)
        let first = Int(word & 0xff)
        let second = Int(word &>> 8 & 0xff)
        let third = Int(word &>> 16 & 0xff)
        let slot = (first &<< 10 ^ second &<< 5 ^ third) & 0x7fff
        let head = heads[slot]
        links[position] = head
        heads[slot] = UInt16(truncatingIfNeeded: base &+ position)
        return Int(head)
    }

    /// The longest match along the chain from `candidate`, if it is longer than `previousLength`.
    @inline(__always)
    private func longestMatch(
        _ input: Bytes, at position: Int, left: Int, candidate: Int, previousLength: Int, previousStart: Int
    ) -> (length: Int, start: Int) {
        let limit = max(position &- Self.farthest, 0)
        let nice = min(Self.nice, left)
        let longest = min(Self.longest, left)
        var tries = previousLength >= Self.good ? Self.chain / 4 : Self.chain
        var best = previousLength
        var start = previousStart
        var candidate = candidate
        repeat {
            // Two bytes tell most candidates that cannot be longer.
            if input.load(candidate &+ best &- 1, as: UInt16.self)
                == input.load(position &+ best &- 1, as: UInt16.self)
            {
                let length = commonLength(input, candidate, position, longest)
                if length > best {
                    start = candidate
                    best = length
                    if length >= nice { break }
                }
            }
            candidate = Int(links[candidate]) &- base
            tries &-= 1
        } while candidate > limit && tries != 0
        return (min(best, left), start)
    }

    /// How many bytes are equal at both positions, up to `longest`.
    @inline(__always)
    private func commonLength(_ input: Bytes, _ one: Int, _ other: Int, _ longest: Int) -> Int {
        var length = 0
        while length < longest {
            let difference = input.load(one &+ length, as: UInt64.self) ^ input.load(other &+ length, as: UInt64.self)
            if difference != 0 {
                return min(length &+ difference.trailingZeroBitCount &>> 3, longest)
            }
            length &+= 8
        }
        return longest
    }
}
