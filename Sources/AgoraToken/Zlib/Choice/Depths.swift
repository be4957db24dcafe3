// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A count for each depth of a tree, 0 to 15, side by side.
///
/// Sixteen bytes are one register of the processor, and each operation below is one or two of its instructions.
typealias Depths = SIMD16<UInt8>

extension Depths {
    /// The counts, but none above `limit`.
    @inline(__always)
    func limited(to limit: UInt8) -> Depths {
        let limit = Depths(repeating: limit)
        return replacing(with: limit, where: self .> limit)
    }

    /// How far each count exceeds the other.
    @inline(__always)
    func excess(over other: Depths) -> Depths {
        (self &- other).replacing(with: 0, where: self .< other)
    }

    /// How far each count exceeds `other`.
    @inline(__always)
    func excess(over other: UInt8) -> Depths {
        excess(over: Depths(repeating: other))
    }

    /// Every count one level further down.
    @inline(__always)
    var deeper: Depths {
        Depths(
            0, self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14])
    }

    /// Whether all counts are zero.
    @inline(__always)
    var isZero: Bool {
        unsafe unsafeBitCast(self, to: UInt128.self) == 0
    }
}
