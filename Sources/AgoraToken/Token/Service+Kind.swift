// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Service {
    /// Which service it is.
    public enum Kind: UInt16, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// Voice and video calls.
        case rtc = 1
        /// Real-time messaging.
        case rtm = 2
        /// Media streaming.
        case streaming = 3
        /// Full-path acceleration.
        case fpa = 4
        /// Chat.
        case chat = 5
        /// Fusion CDN.
        case fcdn = 6
        /// aPaaS, also called Education.
        case apaas = 7
        /// Real-time messaging with permissions.
        case rtm2 = 8
        /// Conversational AI.
        case convoAI = 9
        /// Speech to text.
        case stt = 10

        /// The name that Agora uses for the service.
        public var description: String {
            switch self {
            case .rtc: "RTC"
            case .rtm: "RTM"
            case .streaming: "Streaming"
            case .fpa: "FPA"
            case .chat: "Chat"
            case .fcdn: "FCDN"
            case .apaas: "aPaaS"
            case .rtm2: "RTM2"
            case .convoAI: "ConvoAI"
            case .stt: "STT"
            }
        }
    }

    /// Which service it is.
    public var kind: Kind {
        switch self {
        case .rtc: .rtc
        case .rtm: .rtm
        case .streaming: .streaming
        case .fpa: .fpa
        case .chat: .chat
        case .fcdn: .fcdn
        case .apaas: .apaas
        case .rtm2: .rtm2
        case .convoAI: .convoAI
        case .stt: .stt
        }
    }

    /// The number that stands for the service in a token, 1 to 10.
    public var type: UInt16 {
        kind.rawValue
    }
}
