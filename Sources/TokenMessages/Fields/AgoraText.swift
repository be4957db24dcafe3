// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The rule for channel names, user accounts and RTM user ids: so many bytes of Agora's 89 characters.
enum AgoraText {
    /// The most bytes of a channel name.
    static let longestChannelName = 64
    /// The most bytes of an RTC user account.
    static let longestAccount = 255
    /// The most bytes of an RTM user id, as Signaling's documentation has it.
    static let longestUserID = 64

    /// Refuses a text with another character, or with too many bytes.
    static func check(_ text: String, field: String, longest: Int, or code: ErrorCode) throws(MessageError) {
        if let position = text.utf8.firstIndex(where: { !isAllowed($0) }) {
            let before = text.unicodeScalars[..<position].count
            let scalar = text.unicodeScalars[position]
            throw MessageError(
                code, "\(field) has \(shown(scalar)) at position \(before + 1); it may have \(alphabet)", field: field)
        }
        guard text.utf8.count <= longest else {
            throw MessageError(
                code, "\(field) is \(text.utf8.count) bytes long; it must not be longer than \(longest)", field: field)
        }
    }

    /// The most bytes of a room's or user's id in Flexible Classroom, whose users are Signaling's as well.
    static let longestUUID = 64
    /// The most bytes of a Chat user's name or id.
    static let longestChatUser = 255

    private static let alphabet = "letters and digits of ASCII, space and !#$%&()+-:;<=.>?@[]^_{}|~,"

    /// One bit for each character of ASCII: the lower 64 and the upper 64.
    private static let allowed: (low: UInt64, high: UInt64) = {
        var masks: (low: UInt64, high: UInt64) = (0, 0)
        let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&()+-:;<=.>?@[]^_{}|~,"
        for byte in characters.utf8 {
            if byte < 64 { masks.low |= 1 << UInt64(byte) } else { masks.high |= 1 << UInt64(byte - 64) }
        }
        return masks
    }()

    private static func isAllowed(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        let mask = byte < 64 ? allowed.low : allowed.high
        return mask >> UInt64(byte & 63) & 1 == 1
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(Shown.quoted(String(Character(scalar)))) (\(code))"
    }
}
