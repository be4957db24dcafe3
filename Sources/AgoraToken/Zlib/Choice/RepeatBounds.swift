// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How many code lengths a dynamic block may leave out because they repeat the one before.
///
/// zlib sends a length that occurs four or more times in a row once, and then how often it repeats. Whether lengths
/// are equal is not known here, only where they may be: in windows of four adjacent symbols that share a possible
/// length.
struct RepeatBounds {
    /// For each length, how many times at most it is left out.
    private(set) var byLength = Depths()
    private var run = Depths()
    private var covered = 0
    private var regions = 0
    private var lastCovered = -1

    /// Goes to the next stretch of adjacent symbols.
    @inline(__always)
    mutating func begin() {
        run = Depths()
    }

    /// Adds the next symbol of the stretch, at `position`, whose possible lengths are 255 in `possible`.
    @inline(__always)
    mutating func add(_ position: Int, _ possible: Depths) {
        run = (run &+ Depths(repeating: 1)) & possible
        // The first of a run is always sent: a run of four leaves out three, each further symbol one more.
        let four = Depths(repeating: 4)
        byLength &+= Depths(repeating: 1).replacing(with: 0, where: run .< four)
        byLength &+= Depths().replacing(with: 2, where: run .== four)
        guard !run.excess(over: 3).isZero else { return }
        if position &- 3 > lastCovered {
            // Regions that touch count as one, which only lowers the bound.
            regions &+= position &- 3 > lastCovered &+ 1 || covered == 0 ? 1 : 0
            covered &+= 4
        } else {
            covered &+= position &- lastCovered
        }
        lastCovered = position
    }

    /// How many lengths are left out in all, at most.
    var total: Int {
        var sum = 0
        for length in 1..<16 { sum &+= Int(byLength[length]) }
        return min(sum, covered &- regions)
    }
}
