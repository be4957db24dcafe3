// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// Measures how fast one thread signs RTC publisher tokens.
struct SigningBenchmark {
    /// How fast it went in the best and in the middle one of many rounds.
    struct Result {
        /// Microseconds for one token in the best round: the others were disturbed.
        let best: Double
        /// Microseconds for one token in the middle round.
        let median: Double

        /// Tokens in a second of the best round.
        var tokensPerSecond: Double {
            1_000_000 / best
        }
    }

    /// Tokens in a round, which is short enough to fit between two interruptions by other processes.
    private static let batch = 1_000

    private let appID: AppID
    private let certificate: AppCertificate
    /// Channel names of different lengths and content, so that no token is like the one before.
    private let channels: [String]

    /// Prepares channel names of 12 to 20 characters, or of `hexadecimal` ones.
    init(hexadecimal count: Int? = nil) throws(TokenError) {
        appID = try AppID("970CA35de60c44645bbae8a215061b33")
        certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
        channels = (0..<4_096).map { _ in
            if let count {
                return String((0..<count).map { _ in "0123456789abcdef".randomElement() ?? "0" })
            }
            let digits = Int.random(in: 7...15)
            return "room-" + String((0..<digits).map { _ in "0123456789".randomElement() ?? "0" })
        }
    }

    /// Signs for `duration`.
    func run(_ compression: Compression, for duration: Duration) throws(TokenError) -> Result {
        var rounds: [Double] = []
        var number = 0
        let end = ContinuousClock.now + duration
        repeat {
            let start = ContinuousClock.now
            for _ in 0..<Self.batch {
                number &+= 1
                let token = AccessToken.rtc(
                    appID: appID, channel: channels[number & 4_095],
                    user: .uid(UInt32(truncatingIfNeeded: number &* 2_654_435_761)), lifetime: 3_600,
                    privilegeLifetime: 3_600)
                _ = try token.signed(with: certificate, compression: compression)
            }
            rounds.append((ContinuousClock.now - start) / .microseconds(Self.batch))
        } while ContinuousClock.now < end
        rounds.sort()
        return Result(best: rounds[0], median: rounds[rounds.count / 2])
    }
}
