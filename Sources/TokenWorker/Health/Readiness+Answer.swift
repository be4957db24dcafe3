// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Readiness {
    /// What `/readyz` answers: each part on a line, the verdict before them.
    var readyAnswer: HTTPAnswer {
        HTTPAnswer(isReady: isReady, parts: checks.map { (name: $0.name, fault: $0.fault) })
    }

    /// What `/livez` answers.
    ///
    /// A broker or a store that is away is no reason to start the worker anew.
    var liveAnswer: HTTPAnswer {
        let stuck = silences.filter { $0.duration > Self.deadlySilence }
        return HTTPAnswer(
            status: isAlive ? 200 : 503,
            lines: [isAlive ? "alive" : "stuck"]
                + stuck.map { "\($0.thread): has not moved for \($0.duration.components.seconds) s" })
    }
}

extension HTTPAnswer {
    /// Says whether a server is ready: the verdict on the first line, then each part with its fault, if any.
    package init(isReady: Bool, parts: [(name: String, fault: String?)]) {
        let lines = parts.map { "\($0.name): \($0.fault ?? "ok")" }
        self.init(status: isReady ? 200 : 503, lines: [isReady ? "ready" : "not ready"] + lines.map(Self.singleLine))
    }

    /// The texts of brokers and databases may have several lines.
    private static func singleLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
