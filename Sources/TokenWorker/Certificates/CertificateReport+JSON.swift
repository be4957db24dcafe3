// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

extension CertificateReport {
    /// Adds the report's members to an open object.
    package func write(to writer: inout JSONWriter) {
        if let now { writer.member("now", now) }
        writer.name("certificates")
        writer.beginArray()
        for entry in entries {
            writer.beginObject()
            if let project = entry.project { writer.member("appId", project) }
            if let slot = entry.slot { writer.member("slot", slot.rawValue) }
            writer.member("fingerprint", entry.fingerprint)
            writer.member("state", entry.state.rawValue)
            if now != nil {
                writer.member("liveLeases", entry.liveLeases)
                if let end = entry.lastEnd { writer.member("lastLeaseEndsAt", end) }
                if let use = entry.lastUse { writer.member("lastSignedBy", use) }
                writer.member("signers", entry.signers)
            }
            if case .at(let moment) = entry.release { writer.member("canGoAt", moment) }
            writer.member("canGo", entry.release == .now)
            writer.endObject()
        }
        writer.endArray()
    }
}
