// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

extension ConfigurationReport {
    /// Adds the report's members to an open object.
    package func write(to writer: inout JSONWriter) {
        writer.name("settings")
        writer.beginArray()
        for line in lines {
            writer.beginObject()
            writer.member("key", line.key)
            if let value = line.value { writer.member("value", value) }
            writer.member("source", line.source)
            if let fault = line.fault { writer.member("fault", fault) }
            writer.endObject()
        }
        writer.endArray()
        writer.name("projects")
        writer.beginArray()
        for project in projects {
            writer.beginObject()
            writer.member("appId", project.appID)
            writer.member("default", project.isDefault)
            writer.member("source", project.source)
            writer.name("certificates")
            writer.beginArray()
            for certificate in project.certificates {
                writer.beginObject()
                writer.member("slot", certificate.slot.rawValue)
                writer.member("fingerprint", certificate.fingerprint)
                writer.member("active", certificate.slot == project.active)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        if let fault { writer.member("fault", fault) }
    }
}
