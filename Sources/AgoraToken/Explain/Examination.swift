// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Collects what there is to say about one token in one situation.
struct Examination {
    let projects: [AppID: [AppCertificate]]
    let service: Service.Kind?
    let channel: String?
    let user: RTCUser?
    let moment: UInt64
    private(set) var refusals: [Finding] = []
    private(set) var remarks: [Finding] = []

    init(
        projects: [AppID: [AppCertificate]], service: Service.Kind?, channel: String?, user: RTCUser?, moment: UInt64
    ) {
        self.projects = projects
        self.service = service
        self.channel = channel
        self.user = user
        self.moment = moment
    }

    mutating func refuse(_ code: Finding.Code, _ message: String, _ advice: String, _ error: AgoraError?) {
        refusals.append(Finding(code: code, message: message, advice: advice, agoraError: error))
    }

    mutating func remark(_ code: Finding.Code, _ message: String, _ advice: String = "") {
        remarks.append(Finding(code: code, message: message, advice: advice, agoraError: nil))
    }

    /// Says why the text could not be read.
    mutating func report(_ error: TokenError, _ text: String) {
        let agoraError = AgoraError.invalid(service ?? .rtc)
        if text.isEmpty || HexText(text) != nil {
            refuse(
                .malformed,
                text.isEmpty
                    ? "There is no token: the text is empty." : "This is an App ID or App Certificate, not a token.",
                "Make a token: a project with a certificate lets nobody in without (\"dynamic use static key\").",
                agoraError)
            return
        }
        let isTrimmable = text.utf8.first.map { $0 <= 0x20 } ?? false || text.utf8.last.map { $0 <= 0x20 } ?? false
        let advice =
            isTrimmable
            ? "There is white space around it: pass the token without."
            : "Pass the token exactly as it was issued: whole, unquoted, and not percent-encoded."
        if case .unsupportedVersion = error {
            refuse(.unsupportedVersion, "\(error).", "Make tokens of version 007.", agoraError)
        } else {
            refuse(.malformed, "\(error).", advice, agoraError)
        }
    }

    /// The certificates of the token's project, or nothing when there are none to check with.
    mutating func certificates(_ appID: AppID, _ kind: Service.Kind) -> [AppCertificate]? {
        guard !projects.isEmpty else {
            remark(
                .signatureNotChecked, "The signature was not checked: no project was given.",
                "Give the App ID and the App Certificate to check it.")
            return nil
        }
        if let certificates = projects[appID] { return certificates }
        refuse(
            .unknownProject, "The token is of the project \(appID), which is not one of those given.",
            "Initialise the client with that App ID, or make the token with the App ID that the client uses.",
            .invalid(kind))
        return nil
    }

    mutating func refuseCertificate(_ appID: AppID, _ kind: Service.Kind) {
        refuse(
            .wrongCertificate,
            "The token was not signed with an App Certificate given for the project \(appID), or it was altered.",
            "Use the certificate that Agora's console shows for this project now; a replaced one no longer signs.",
            .invalid(kind))
    }
}
