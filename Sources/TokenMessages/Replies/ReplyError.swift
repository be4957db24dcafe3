// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a body is not the reply or notice that it should be.
public struct ReplyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is missing or wrong; no value of the body.
    public let description: String
}
