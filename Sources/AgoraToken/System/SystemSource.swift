// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc
internal import Synchronization

/// What the operating system gives to a token that its maker did not: the time, and randomness.
package enum SystemSource {
    private static let pool = Mutex(RandomPool())

    /// The current time in whole seconds since 1970.
    package static func now() -> UInt32 {
        UInt32(truncatingIfNeeded: time(nil))
    }

    /// A random number for the salt of a token, from the system's source by way of a pool.
    package static func randomUInt32() -> UInt32 {
        pool.withLock { $0.next() }
    }

    /// Random bytes taken from the system 64 words at a time, because a system call each costs more than signing.
    private struct RandomPool {
        private var words = SIMD64<UInt32>()
        private var left = 0

        mutating func next() -> UInt32 {
            if left == 0 { refill() }
            left -= 1
            let word = words[left]
            // A number that was handed out is of no more use here.
            words[left] = 0
            return word
        }

        private mutating func refill() {
            let status = unsafe withUnsafeMutableBytes(of: &words) { unsafe getentropy($0.baseAddress, $0.count) }
            // 256 bytes are what getentropy always gives; it fails only where the kernel has no such call.
            precondition(status == 0, "the system gives no random bytes")
            left = words.scalarCount
        }
    }
}
