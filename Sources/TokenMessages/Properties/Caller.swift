// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

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

    /// The most bytes of an encoded name, so that a caller fits into a routing key of 255 bytes beside the rest.
    private static let longest = 200

    /// Percent-encodes whatever is not of `[A-Za-z0-9_-]`.
    ///
    /// A name too long for a routing key ends in `~` and a hash of all of it, which no other name can.
    private static func encoded(_ name: String) -> String {
        let text = percentEncoded(name)
        guard text.utf8.count > longest else { return text }
        return "\(text.prefix(longest - 33))~\(Key.body(Array(name.utf8)).hex)"
    }

    private static func percentEncoded(_ name: String) -> String {
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
