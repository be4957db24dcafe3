// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A notice: something that happened to a lease, as an event of CloudEvents 1.0.
public struct Notice: Sendable, Hashable {
    /// The property `content_type`.
    public static let contentType = "application/cloudevents+json"

    /// A step of the schedule that was never announced by itself, because this notice came so late.
    public struct Missed: Sendable, Hashable {
        /// The kind of notice that was left out.
        public var kind: NoticeKind
        /// The second for which it was planned, since 1970.
        public var plannedAt: UInt32

        /// Names a step.
        public init(kind: NoticeKind, plannedAt: UInt32) {
            self.kind = kind
            self.plannedAt = plannedAt
        }
    }

    /// What happened.
    public var kind: NoticeKind
    /// The lease.
    public var leaseID: String
    /// The number of the token that the notice is about.
    public var generation: Int64
    /// Whose lease it is.
    public var caller: Caller
    /// The App ID of the project.
    public var appID: String
    /// Service, channel and user.
    public var scope: TokenScope
    /// The end of the lease in seconds since 1970.
    public var expiresAt: UInt32
    /// The privileges that end at this step, with their ends in seconds since 1970.
    public var privileges: [PrivilegeTime]
    /// The second for which the notice was planned, since 1970, before jitter.
    public var plannedAt: UInt32
    /// When the notice was made, in milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// Steps that this notice stands for as well.
    public var missed: [Missed]
    /// How often the notice was tried, from 1.
    public var attempt: Int
    /// Why, for a kind that has reasons.
    public var reason: String?
    /// The trace of the request.
    public var trace: TraceContext?

    /// Describes what happened.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - leaseID: the lease.
    ///   - generation: the number of the token that the notice is about.
    ///   - caller: whose lease it is.
    ///   - appID: the App ID of the project.
    ///   - scope: service, channel and user.
    ///   - expiresAt: the end of the lease in seconds since 1970.
    ///   - privileges: the privileges that end at this step, with their ends in seconds since 1970.
    ///   - plannedAt: the second for which the notice was planned, since 1970, before jitter.
    ///   - timeMilliseconds: now, in milliseconds since 1970.
    ///   - missed: steps that this notice stands for as well.
    ///   - attempt: how often the notice was tried, from 1.
    ///   - reason: why, for a kind that has reasons.
    ///   - trace: the trace of the request.
    public init(
        kind: NoticeKind, leaseID: String, generation: Int64, caller: Caller, appID: String, scope: TokenScope,
        expiresAt: UInt32, privileges: [PrivilegeTime], plannedAt: UInt32, timeMilliseconds: Int64,
        missed: [Missed] = [], attempt: Int = 1, reason: String? = nil, trace: TraceContext? = nil
    ) {
        self.kind = kind
        self.leaseID = leaseID
        self.generation = generation
        self.caller = caller
        self.appID = appID
        self.scope = scope
        self.expiresAt = expiresAt
        self.privileges = privileges
        self.plannedAt = plannedAt
        self.timeMilliseconds = timeMilliseconds
        self.missed = missed
        self.attempt = attempt
        self.reason = reason
        self.trace = trace
    }

    /// The id of the event and the `message_id`: the same for every copy.
    public var id: String { "\(leaseID)/\(generation)/\(kind.rawValue)/\(plannedAt)" }

    /// The CloudEvents source.
    public var source: String { "/agora-token/\(caller)" }

    /// The routing key on the notices exchange.
    public var routingKey: String { "\(kind.rawValue).\(scope.service.rawValue).\(caller)" }

    /// Seconds from now to the end of the lease, 0 after it.
    public var expiresIn: Int64 { max(0, (Int64(expiresAt) * 1000 - timeMilliseconds + 999) / 1000) }

    /// How much later than planned the notice was made; 0 for an early one.
    ///
    /// What tells of an event is planned for the moment of the event, of which ``plannedAt`` is the second: it counts
    /// from the end of that.
    public var lateByMilliseconds: Int64 {
        let planned = Int64(plannedAt) * 1000 + (kind.isOfEvent ? 999 : 0)
        return max(0, timeMilliseconds - planned)
    }
}
