// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

/// A caller, taken apart for the rules.
///
/// It is made from the caller's text and nothing else, since that is what a lease remembers: a renewal that no message
/// asks for is judged as one by message is.
struct CallerName: Sendable, Hashable {
    /// By what the caller is known.
    enum Kind: Sendable, Hashable {
        /// The user that the broker has checked.
        case user
        /// The application that the sender names; nobody checks it.
        case app
        /// By nothing.
        case anonymous
    }

    let kind: Kind
    /// The name in UTF-8; of a long one, of which the text has only a hash, the beginning.
    let bytes: [UInt8]
    /// Whether there is more of the name than `bytes`.
    let isCut: Bool
    private let text: String

    init(_ caller: Caller) {
        text = caller.text
        let name: Substring
        switch caller.text.prefix(2) {
        case "u-": (kind, name) = (.user, caller.text.dropFirst(2))
        case "a-": (kind, name) = (.app, caller.text.dropFirst(2))
        default: (kind, name) = (.anonymous, "")
        }
        let shown = name.utf8.prefix { $0 != UInt8(ascii: "~") }
        isCut = shown.count < name.utf8.count
        bytes = Self.decoded(shown)
    }

    /// Whether a pattern stands for the name.
    ///
    /// Of a name that is cut the whole is known by its hash only, and else its beginning.
    func matches(_ pattern: TextPattern) -> Bool {
        guard isCut else { return pattern.matches(bytes.span) }
        if pattern.isExact {
            let whole =
                kind == .user
                ? Caller(userID: pattern.text, appID: nil) : Caller(userID: nil, appID: pattern.text)
            return whole.text == text
        }
        return pattern.onlyPrefix.map(bytes.starts(with:)) ?? false
    }

    /// The bytes that a percent-encoded name stands for; what is cut off in the middle of a code is left out.
    private static func decoded(_ name: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.count)
        var rest = name[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value(of:)),
                let low = rest.popFirst().flatMap(Hex.value(of:))
            else {
                break
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
