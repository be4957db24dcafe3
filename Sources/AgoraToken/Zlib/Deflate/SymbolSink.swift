// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Takes the literals and matches that a ``MatchFinder`` finds, in their order.
protocol SymbolSink {
    /// Takes one byte as it is. `end` is the position after it.
    mutating func literal(_ byte: UInt8, end: Int)

    /// Takes a repetition of `length` bytes, 3 to 258, from `distance` bytes before. `end` is the position after it.
    mutating func match(length: Int, distance: Int, end: Int)
}
