// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension Key {
    /// The key of a lease that its caller named.
    package static func lease(caller: Caller, leaseID: String) -> Key {
        var parts = KeyParts(.ownLease)
        parts.append(caller.text)
        parts.append(leaseID)
        return parts.key
    }

    /// The key of the one lease that a caller has for a project and scope.
    ///
    /// Not for wildcard scopes, whose holders would end each other's notices: see ``wildcardLease(caller:request:)``.
    package static func lease(caller: Caller, appID: String, scope: TokenScope) -> Key {
        var parts = KeyParts(.scopeLease)
        parts.append(caller.text)
        parts.append(appID)
        parts.append(scope.packed)
        return parts.key
    }

    /// The key of a lease of its own for each request.
    package static func wildcardLease(caller: Caller, request: Key) -> Key {
        var parts = KeyParts(.wildcardLease)
        parts.append(caller.text)
        parts.append(request)
        return parts.key
    }

    /// The key by which a token leads to its lease where its scope cannot.
    ///
    /// - Parameters:
    ///   - appID: the project.
    ///   - issuedAt: the issue time in the token, in seconds since 1970.
    ///   - salt: the salt in the token.
    ///   - scope: what the token is for.
    /// - Returns: the key.
    package static func token(appID: String, issuedAt: UInt32, salt: UInt32, scope: TokenScope) -> Key {
        var parts = KeyParts(.token)
        parts.append(appID)
        parts.append(issuedAt)
        parts.append(salt)
        parts.append(scope.packed)
        return parts.key
    }

    /// The key by which a token of version 006 leads to its lease: it does not tell its scope.
    ///
    /// - Parameters:
    ///   - appID: the project.
    ///   - issuedAt: the issue time, a day before the end in the token, in seconds since 1970.
    ///   - salt: the salt in the token.
    /// - Returns: the key.
    package static func legacyToken(appID: String, issuedAt: UInt32, salt: UInt32) -> Key {
        var parts = KeyParts(.legacyToken)
        parts.append(appID)
        parts.append(issuedAt)
        parts.append(salt)
        return parts.key
    }

    /// The key of the renewal that a lease's own plan makes of one of its generations: of each there is one.
    package static func plannedRenewal(of lease: Key, generation: Int64) -> Key {
        var parts = KeyParts(.plannedRenewal)
        parts.append(lease.bytes)
        parts.append(UInt32(truncatingIfNeeded: generation >> 32))
        parts.append(UInt32(truncatingIfNeeded: generation))
        return parts.key
    }

    /// The key of a body, to tell a repeat from another message of the same id.
    package static func body(_ body: [UInt8]) -> Key {
        var parts = KeyParts(.body)
        parts.append(body)
        return parts.key
    }
}

/// Texts and numbers joined so that no two different lists give the same bytes, then hashed.
struct KeyParts {
    /// What a key stands for; the first byte of what is hashed, so that kinds never meet.
    enum Kind: UInt8 {
        case ownLease = 1
        case scopeLease, wildcardLease, token, body, request, unnamedRequest, reply, item, legacyToken, plannedRenewal
    }

    private var bytes: [UInt8]

    init(_ kind: Kind) {
        bytes = []
        // Most messages fit, with their padding.
        bytes.reserveCapacity(320)
        bytes.append(kind.rawValue)
    }

    mutating func append(_ part: [UInt8]) {
        append(UInt32(truncatingIfNeeded: part.count))
        bytes += part
    }

    mutating func append(_ part: String) {
        append(UInt32(truncatingIfNeeded: part.utf8.count))
        bytes.append(contentsOf: part.utf8)
    }

    /// As the sixteen bytes of the key would be.
    mutating func append(_ part: Key) {
        append(16)
        part.append(to: &bytes)
    }

    mutating func append(_ number: UInt32) {
        bytes.append(UInt8(truncatingIfNeeded: number &>> 24))
        bytes.append(UInt8(truncatingIfNeeded: number &>> 16))
        bytes.append(UInt8(truncatingIfNeeded: number &>> 8))
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    /// The key; nothing more may be appended.
    var key: Key {
        mutating get {
            let (high, low) = SHA256.half(padding: &bytes)
            return Key(high: high, low: low)
        }
    }
}
