// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import LeaseStore
import TokenMessages

@testable import TokenWorker

/// Allows what the test allows, and signs with the certificate of the samples.
struct TestAuthority: RenewalAuthority {
    /// Why nothing may be renewed, if it may not.
    let refusal = Shared<MessageError?>(nil)
    /// Why nothing can be written down, if it cannot.
    let recordFault = Shared<String?>(nil)
    /// What was written down.
    let records = Shared<[Reply]>([])
    /// When, in milliseconds since 1970.
    let recordTimes = Shared<[Int64]>([])

    func judge(_ lease: Lease) -> Judgement {
        if let refusal = refusal.value { .denied(refusal) } else { .allowed(certificate: "c") }
    }

    func record(_ deeds: [(lease: Lease, reply: Reply)], at now: Int64) throws(AuditTrail.Failure) {
        if let reason = recordFault.value { throw AuditTrail.Failure(reason: reason) }
        records.change { $0 += deeds.map(\.reply) }
        recordTimes.change { $0.append(now) }
    }

    func reply(_ lease: Lease) throws(MessageError) -> Reply {
        do {
            let project = Project(appID: try AppID(Bench.appID), certificate: try AppCertificate(Bench.certificate))
            return ReplyComposer(projects: Projects([project], standard: project)).renewal(lease)
        } catch {
            throw MessageError(.internal, "\(error)")
        }
    }
}
