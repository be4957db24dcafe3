// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

/// One line of `agora-token explain --batch`: a token and how it is used.
package enum ExplainLine {
    /// Answers a line with `{"id":…,"accepted":…,"refusals":[…],"remarks":[…],"content":{…}}`, or with an error.
    ///
    /// - Parameters:
    ///   - line: A JSON object in UTF-8: `token`, and optionally `id`, `appId` with `appCertificate`, `service`,
    ///     `channelName`, `uid`, `account` or `userId`, and `at`, in seconds since 1970.
    ///   - projects: The certificates for lines that have none.
    /// - Returns: The answer without the end of line, and whether the token is accepted.
    package static func answer(
        _ line: [UInt8], projects: [AppID: [AppCertificate]]
    ) -> (line: [UInt8], isAccepted: Bool) {
        var json = JSONWriter()
        json.beginObject()
        var isAccepted = false
        do throws(LineError) {
            let fields = try LineFields(line)
            LineID(fields["id"]).write(to: &json)
            do throws(LineError) {
                let report = try report(fields, projects: projects)
                report.write(to: &json)
                isAccepted = report.isAccepted
            } catch {
                error.write(to: &json)
            }
        } catch {
            LineID.none.write(to: &json)
            error.write(to: &json)
        }
        json.endObject()
        return (json.bytes, isAccepted)
    }

    private static func report(
        _ fields: LineFields, projects: [AppID: [AppCertificate]]
    ) throws(LineError) -> TokenReport {
        try fields.check([
            "id", "token", "appId", "appCertificate", "service", "channelName", "uid", "account", "userId", "at",
        ])
        var projects = projects
        if fields["appId"] != nil || fields["appCertificate"] != nil {
            projects = [try fields.appID(): [try fields.certificate()]]
        }
        var service: Service.Kind?
        if let name = try fields.optionalText("service") {
            guard let kind = Service.Kind(usedFor: name) else {
                throw LineError(
                    .unsupportedService,
                    "service is \(Shown.quoted(name)); it must be one of \(Service.Kind.namesOfUses)", field: "service")
            }
            service = kind
        }
        // The user of messaging has no number.
        let userID = try fields.optionalText("userId").map { RTCUser.account($0) }
        return TokenReport(
            try fields.text("token"), projects: projects, service: service,
            channel: try fields.optionalText("channelName"), user: try fields.user() ?? userID,
            at: try fields.optionalInteger("at", as: UInt32.self))
    }
}
