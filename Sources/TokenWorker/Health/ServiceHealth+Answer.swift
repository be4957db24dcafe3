// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension ServiceHealth {
    /// What `/readyz` answers: each part on a line, the verdict before them.
    package var readyAnswer: HTTPAnswer {
        let lines = checks.map { "\($0.name): \($0.fault ?? "ok")" }
        return HTTPAnswer(
            status: isReady ? 200 : 503, lines: [isReady ? "ready" : "not ready"] + lines.map(Self.singleLine))
    }

    /// What `/livez` answers.
    ///
    /// A broker or a store that is away is no reason to start the service anew.
    package var liveAnswer: HTTPAnswer {
        HTTPAnswer(
            status: isAlive ? 200 : 503,
            lines: [isAlive ? "alive" : "stuck"]
                + stuck.map { "\($0.thread): has not moved for \($0.duration.components.seconds) s" })
    }

    /// The texts of brokers and databases may have several lines.
    private static func singleLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
