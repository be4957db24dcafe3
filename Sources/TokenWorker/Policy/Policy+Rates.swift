// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension Policy {
    /// Counts a signature or an explanation that a rule allows, for its rate.
    ///
    /// - Parameters:
    ///   - caller: who asks.
    ///   - rule: the rule that has decided.
    ///   - grant: what for.
    ///   - limiter: what is left of each caller's rate.
    ///   - now: milliseconds since 1970.
    ///   - item: the place in the batch, as far as the question may come again.
    /// - Returns: why not now; nil where there was something left.
    static func charge(
        _ caller: Caller, _ rule: PolicyRule?, _ grant: Grant, _ limiter: RateLimiter, at now: Int64, item: Int? = nil
    ) -> MessageError? {
        guard let rule, let rate = rule.allowance?.rate else { return nil }
        let name = RateBuckets.Name(rule: rule.name, caller: caller.text)
        guard let wait = limiter.take(name, rate, at: now, for: item) else { return nil }
        var refusal = MessageError(
            .rateLimited,
            "\(caller.text) asks more often than rule \"\(rule.name)\" allows; ask again in \(Self.text(wait))",
            retryAfter: UInt32(clamping: Self.seconds(wait)))
        refusal.denial = Denial(rule: rule.name, grant: grant)
        return refusal
    }

    /// A time to wait in milliseconds, for people.
    private static func text(_ milliseconds: Int64) -> String {
        milliseconds < 1000 ? "\(milliseconds) ms" : "\(seconds(milliseconds)) s"
    }

    /// The whole seconds after which as many milliseconds are over.
    private static func seconds(_ milliseconds: Int64) -> Int64 {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest > 0 ? seconds + 1 : seconds
    }
}
