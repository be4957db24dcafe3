// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import TokenMessages

/// What became of a token that is kept.
public enum KeptTokenUpdate: Sendable, Hashable {
    /// There is a new token: the first one, the next one, or one for a token that had run out.
    case token(TokenReply)
    /// There is no new token yet, and why; it is tried again. Told once for each reason in a row.
    case failed(ClientError)
    /// No further token will come: it was ended, or cannot be kept, for the reason given. The last update.
    case ended(ClientError?)
}
