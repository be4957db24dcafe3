// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a message got no answer of its own kind: what an error reply carries.
public struct MessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    public let code: ErrorCode
    /// One plain sentence with the field, the wrong value and what would be right; never a token or certificate.
    public let message: String
    /// The path of the field at fault, such as `channelName` or `privilegeExpire.joinChannel`.
    public let field: String?
    /// Whether the same message may succeed later.
    public let isRetryable: Bool
    /// Seconds, at least 1, after which the same message may succeed; `nil` where nobody knows.
    public var retryAfter: UInt32? { knownWait > 0 ? knownWait : nil }
    /// What a policy refused, where one did.
    package var denial: Denial? {
        get { box?.denial }
        set { box = newValue.map(DenialBox.init) }
    }
    // Without a flag of its own it fits into a gap.
    private let knownWait: UInt32
    private var box: DenialBox?

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - code: the kind of fault.
    ///   - message: one plain sentence without secrets.
    ///   - field: the path of the field at fault.
    ///   - isRetryable: whether the same message may succeed later; by default as the code says.
    ///   - retryAfter: seconds, at least 1, after which it may; `nil` where nobody knows.
    public init(
        _ code: ErrorCode, _ message: String, field: String? = nil, isRetryable: Bool? = nil, retryAfter: UInt32? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.isRetryable = isRetryable ?? code.isRetryable
        knownWait = retryAfter ?? 0
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

/// Keeps errors small, which travel by value through everything.
private final class DenialBox: Sendable, Hashable {
    let denial: Denial

    init(_ denial: Denial) { self.denial = denial }

    static func == (a: DenialBox, b: DenialBox) -> Bool { a.denial == b.denial }
    func hash(into hasher: inout Hasher) { hasher.combine(denial) }
}
