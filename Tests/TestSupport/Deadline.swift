// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Asks again every 10 ms until there is an answer, and throws when there is none in time.
///
/// Nil means "not yet", and so does an error that `answer` throws until the time is up. The description says what
/// was waited for.
package func firstAnswer<Answer>(
    within limit: Duration, _ what: @autoclosure () -> String, _ answer: () async throws -> Answer?
) async throws -> Answer {
    let end = ContinuousClock.now + limit
    while true {
        var reason = ""
        do {
            if let found = try await answer() { return found }
        } catch {
            reason = ": \(error)"
        }
        guard ContinuousClock.now < end else { throw TestFailure("\(what()): not within \(limit)\(reason)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Asks again every 10 ms until it holds, and throws when it does not in time.
package func eventually(
    within limit: Duration, _ what: @autoclosure () -> String, holds: () async throws -> Bool
) async throws {
    _ = try await firstAnswer(within: limit, what()) { try await holds() ? true : nil }
}
