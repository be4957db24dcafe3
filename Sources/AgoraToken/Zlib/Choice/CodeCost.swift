// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A lower bound for the bits that a set of codes takes, from how often each occurs: their entropy.
struct CodeCost {
    /// n·log₂n in units of 2⁻¹⁶ bits, rounded down.
    private let down = Table<1_024, UInt32>(repeating: 0)
    /// n·log₂n in units of 2⁻¹⁶ bits, rounded up.
    private let up = Table<1_024, UInt32>(repeating: 0)

    init() {
        for number in 2..<1_024 {
            let exact = UInt64(number) &* Self.logarithm(UInt64(number))
            down[number] = UInt32(truncatingIfNeeded: exact &>> 16)
            // The logarithm was cut off by less than 2⁻³¹, a thousand times that is far below one unit.
            up[number] = UInt32(truncatingIfNeeded: exact &>> 16) &+ 2
        }
    }

    /// n·log₂n of a part, to be subtracted from the total's.
    @inline(__always)
    func part(_ number: Int) -> Int {
        Int(up[number])
    }

    /// The bits, rounded up, for codes that occur `total` times, given the sum of ``part(_:)`` of each.
    @inline(__always)
    func bits(_ total: Int, parts: Int) -> Int {
        // No code is shorter than one bit.
        max(total, (Int(down[total]) &- parts &+ 0xffff) &>> 16)
    }

    /// log₂ of a number in units of 2⁻³², found by squaring: each step doubles the logarithm and takes one bit of it.
    private static func logarithm(_ number: UInt64) -> UInt64 {
        let whole = 63 &- number.leadingZeroBitCount
        var result = UInt64(whole) &<< 32
        var mantissa = number &<< UInt64(63 &- whole)
        for bit in 1...32 {
            let square = mantissa.multipliedFullWidth(by: mantissa).high
            if square &>> 63 != 0 {
                result |= 1 &<< UInt64(32 &- bit)
                mantissa = square
            } else {
                mantissa = square &<< 1
            }
        }
        return result
    }
}
