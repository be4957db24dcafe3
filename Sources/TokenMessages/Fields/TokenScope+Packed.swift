// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension TokenScope {
    /// The scope as the token's bytes tell it, where uid 12345 and account "12345" are the same.
    package var packed: [UInt8] {
        var parts = Packing()
        switch service {
        case .rtc: parts.add(1, channel, user.packed)
        case .rtm: parts.add(2, user.packed)
        case .rtcRTM, .convoAI, .stt:
            parts.add(1, channel, user.packed)
            parts.add(2, signalingUser)
            if service == .convoAI { parts.add(9) }
            if service == .stt { parts.add(10) }
        case .streaming: parts.add(3, channel, user.packed)
        case .fpa: parts.add(4)
        case .chatUser, .chatApp: parts.add(5, user.packed)
        case .fcdn: parts.add(6, channel, user.packed)
        case .apaasRoomUser, .apaasUser, .apaasApp: parts.add(7, roomUUID ?? "", user.packed)
        case .rtm2: parts.add(8, user.packed)
        }
        return parts.bytes
    }

    /// The channel, empty for a service without one.
    var channel: String { channelName ?? "" }

    /// The user of Signaling in a token for a call as well.
    var signalingUser: String { signalingUserID ?? user.packed }
}

/// Types of services and the texts that belong to each, one after the other.
private struct Packing {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(64) }

    mutating func add(_ type: UInt8, _ texts: String...) {
        bytes += [type, 0]
        for text in texts {
            let count = UInt16(truncatingIfNeeded: text.utf8.count)
            bytes.append(UInt8(truncatingIfNeeded: count))
            bytes.append(UInt8(truncatingIfNeeded: count >> 8))
            bytes.append(contentsOf: text.utf8)
        }
    }
}
