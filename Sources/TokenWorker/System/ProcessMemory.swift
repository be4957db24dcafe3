// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import CLinux

/// How the process uses memory.
package enum ProcessMemory {
    /// The size from which on blocks go back to the system when they are freed, in bytes.
    private static let largeBlock: Int32 = 128 << 10

    /// Keeps a burst of large messages from holding their memory for as long as the process lives.
    ///
    /// Left alone, the C library takes a first large block that is freed for a sign of many to come, and from then on
    /// puts such blocks among small ones, from where they do not go back.
    ///
    /// The corresponding C function is `mallopt`.
    package static func returnLargeBlocks() { clinux_map_blocks_from(largeBlock) }
}
