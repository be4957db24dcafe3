// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How the body of a token is written into its zlib stream.
public enum Compression: Sendable, Hashable, CaseIterable {
    /// The very bytes that zlib writes at level 6, as the official builders in C++, Python, Java, PHP and Ruby do.
    case identical
    /// Uncompressed blocks: faster to make, and about 20 characters longer. As valid, since any zlib stream is.
    case stored
}
