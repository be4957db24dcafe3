// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken

/// One line of `agora-token sign --batch`: everything that a token is made of, or what is wrong with it.
///
/// Only the format's own rules are checked, none of Agora's about names and lifetimes.
package enum SignLine {
    /// Answers a line with `{"id":…,"token":…}` or `{"id":…,"error":{…}}`, without the end of line.
    ///
    /// - Parameters:
    ///   - line: A JSON object in UTF-8.
    ///   - isStored: Whether to write stored blocks instead of zlib's bytes.
    /// - Returns: The answer, and whether it has a token.
    package static func answer(_ line: [UInt8], isStored: Bool = false) -> (line: [UInt8], isSigned: Bool) {
        var json = JSONWriter()
        json.beginObject()
        var isSigned = false
        do throws(LineError) {
            let fields = try LineFields(line)
            LineID(fields["id"]).write(to: &json)
            do throws(LineError) {
                json.member("token", try token(fields, isStored: isStored))
                isSigned = true
            } catch {
                error.write(to: &json)
            }
        } catch {
            LineID.none.write(to: &json)
            error.write(to: &json)
        }
        json.endObject()
        return (json.bytes, isSigned)
    }

    private static func token(_ fields: LineFields, isStored: Bool) throws(LineError) -> String {
        // Entries of vector files have the token that they expect beside them.
        let common: Set<String> = ["id", "version", "appId", "appCertificate", "salt", "token"]
        do {
            switch try fields.optionalText("version") ?? (fields["ts"] == nil ? "007" : "006") {
            case "007":
                try fields.check(common.union(["issueTs", "expire", "services"]))
                let token = AccessToken(
                    appID: try fields.appID(), issuedAt: try fields.optionalInteger("issueTs", as: UInt32.self),
                    lifetime: try fields.integer("expire", as: UInt32.self),
                    salt: try fields.optionalInteger("salt", as: UInt32.self), services: try fields.services())
                return try token.signed(
                    with: try fields.certificate(), compression: isStored ? .stored : .identical)
            case "006":
                try fields.check(common.union(["ts", "channelName", "account", "privileges"]))
                let token = LegacyToken(
                    appID: try fields.appID(), channel: try fields.text("channelName"),
                    account: try fields.text("account"), expiresAt: try fields.optionalInteger("ts", as: UInt32.self),
                    salt: try fields.optionalInteger("salt", as: UInt32.self), privileges: try fields.privileges())
                return try token.signed(with: try fields.certificate())
            case let version:
                throw LineError(
                    .unsupportedVersion, "version is \(Shown.quoted(version)); it must be \"007\" or \"006\"",
                    field: "version")
            }
        } catch let error as LineError {
            throw error
        } catch let error as TokenError {
            throw LineError(invalid: error == .noService ? "services" : "token", "\(error)")
        } catch {
            throw LineError(.internal, "the token could not be made")
        }
    }
}
