// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

let appID = try AppID("970CA35de60c44645bbae8a215061b33")
let certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
let token = try AccessToken.rtc(appID: appID, channel: "test", user: 1234, lifetime: 3600).signed(with: certificate)
print(token)

let report = TokenReport(token, projects: [appID: [certificate]], channel: "test", user: 123456)
print(report.isAccepted)
for refusal in report.refusals { print(refusal) }
