// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What is wrong with a message: the closed set of codes of contract version 1.
///
/// The codes are also metric labels, so no case carries anything of the message.
public enum ErrorCode: String, Error, Sendable, Hashable, CaseIterable {
    /// The body is no JSON object in UTF-8.
    case malformedJSON = "malformed_json"
    /// A field that the message does not have.
    case unknownField = "unknown_field"
    /// A field that the message needs is not there.
    case missingField = "missing_field"
    /// A field of the contract that this service, or this combination of fields, does not use.
    case fieldNotApplicable = "field_not_applicable"

    /// The value of `service` is no string.
    case invalidService = "invalid_service"
    /// The value of `appId` is not 32 hexadecimal digits.
    case invalidAppID = "invalid_app_id"
    /// The value of `channelName` is no channel name.
    case invalidChannelName = "invalid_channel_name"
    /// The value of `uid` is not an integer from 0 to 4294967295, or is 0 where no wildcard is possible.
    case invalidUID = "invalid_uid"
    /// The value of `account` is no user account.
    case invalidAccount = "invalid_account"
    /// The value of `userId` is no user id of the service.
    case invalidUserID = "invalid_user_id"
    /// The value of `roomUuid` is no room.
    case invalidRoomUUID = "invalid_room_uuid"
    /// The value of `userUuid` is no user of Flexible Classroom.
    case invalidUserUUID = "invalid_user_uuid"
    /// The value of `apaasRole` is not an integer from -32768 to 32767.
    case invalidAPaaSRole = "invalid_apaas_role"
    /// The value of `permissions` is not lists of names by `read` and `write`, by resource.
    case invalidPermissions = "invalid_permissions"
    /// The value of `role` is neither publisher nor subscriber.
    case invalidRole = "invalid_role"
    /// The value of `expire` is not a lifetime of 1 to 86400 seconds.
    case invalidExpire = "invalid_expire"
    /// The value of `privilegeExpire` is not within the lifetime, or names a privilege that the role does not have.
    case invalidPrivilegeExpire = "invalid_privilege_expire"
    /// The value of `version` is no token version.
    case invalidVersion = "invalid_version"
    /// The value of `notify` is neither `false` nor a list of leads.
    case invalidNotify = "invalid_notify"
    /// The value of `autoRenew` is no order for renewals, or one that cannot be carried out.
    case invalidAutoRenew = "invalid_auto_renew"
    /// The value of `dryRun` is neither `true` nor `false`.
    case invalidDryRun = "invalid_dry_run"
    /// The value of `leaseId` is no lease id.
    case invalidLeaseID = "invalid_lease_id"
    /// The value of `token` is no text.
    case invalidToken = "invalid_token"
    /// The value of `generation` is no generation.
    case invalidGeneration = "invalid_generation"
    /// The value of `requests` is no list of at most 100 objects.
    case invalidRequests = "invalid_requests"
    /// The value of `renewals` is no list of at most 100 objects.
    case invalidRenewals = "invalid_renewals"
    /// The value of `cancellations` is no list of at most 100 objects.
    case invalidCancellations = "invalid_cancellations"
    /// The header `deadline` is no time in Unix milliseconds.
    case invalidDeadline = "invalid_deadline"

    /// The header `contractVersion` names a version that is not spoken here.
    case unsupportedVersion = "unsupported_version"
    /// The property `type` names a message that this queue does not take.
    case unsupportedType = "unsupported_type"
    /// The field `service` names a service that is not served.
    case unsupportedService = "unsupported_service"
    /// No project of this App ID is configured, or none is the default.
    case unknownProject = "unknown_project"
    /// The deadline passed before anything was signed.
    case deadlineExceeded = "deadline_exceeded"
    /// The message id was used before with another body.
    case idempotencyConflict = "idempotency_conflict"
    /// The policy does not allow it.
    case policyDenied = "policy_denied"
    /// The caller asks for more than its share.
    case rateLimited = "rate_limited"
    /// The caller has no such lease.
    case leaseNotFound = "lease_not_found"
    /// The lease has a newer token.
    case leaseSuperseded = "lease_superseded"
    /// The lease was cancelled.
    case leaseCancelled = "lease_cancelled"
    /// The token cannot be read.
    case tokenMalformed = "token_malformed"
    /// The token is not signed by a configured certificate.
    case tokenSignatureInvalid = "token_signature_invalid"
    /// The token has run out.
    case tokenExpired = "token_expired"
    /// A fault of the service.
    case `internal` = "internal"

    /// A request or renewal says nowhere to reply to. A reason of dead letters only.
    case missingReplyTo = "missing_reply_to"
    /// The reply address is not one that replies may go to. A reason of dead letters only.
    case replyToNotAllowed = "reply_to_not_allowed"
    /// The body is larger than the limit. A reason of dead letters only.
    case messageTooLarge = "message_too_large"
    /// The broker delivered the message too often. A reason of dead letters only.
    case deliveryLimit = "delivery_limit"
    /// The store refuses this message and no other. A reason of dead letters only.
    case rejectedByStore = "rejected_by_store"

    /// Whether the same message may succeed later, unchanged but for a new deadline.
    public var isRetryable: Bool {
        switch self {
        case .internal, .rateLimited, .deadlineExceeded: true
        default: false
        }
    }

    /// Whether the code is only ever the reason of a dead letter, never part of a reply.
    public var isDeadLetterReason: Bool {
        switch self {
        case .missingReplyTo, .replyToNotAllowed, .messageTooLarge, .deliveryLimit, .rejectedByStore: true
        default: false
        }
    }
}
