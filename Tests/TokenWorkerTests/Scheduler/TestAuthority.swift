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

    func judge(_ lease: Lease) -> Judgement {
        if let refusal = refusal.value { .denied(refusal) } else { .allowed(certificate: "c") }
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
