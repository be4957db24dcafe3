// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// Who asks: the owner of leases, and the last word of the routing key of their notices.
public struct Caller: Sendable, Hashable, CustomStringConvertible {
    /// `u-` and the validated user, `a-` and the app id, or `anonymous`, percent-encoded.
    public let text: String

    /// Names the caller of a message by its properties.
    ///
    /// - Parameters:
    ///   - userID: the property `user_id`, which the broker has validated.
    ///   - appID: the property `app_id`, which nobody has.
    public init(userID: String?, appID: String?) {
        if let userID, !userID.isEmpty {
            text = "u-" + Self.encoded(userID)
        } else if let appID, !appID.isEmpty {
            text = "a-" + Self.encoded(appID)
        } else {
            text = "anonymous"
        }
    }

    /// Takes a caller's text as ``text`` gave it.
    public init(text: String) { self.text = text }

    /// Messages without `user_id` and `app_id`.
    public static let anonymous = Caller(text: "anonymous")

    /// The text.
    public var description: String { text }

    /// Percent-encodes whatever is not of `[A-Za-z0-9_-]`.
    private static func encoded(_ name: String) -> String {
        var text: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 15] {
                    text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
