// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Values that several tests use; the App ID and certificate are those of Agora's own test suites.
enum Samples {
    static let appID = "970CA35de60c44645bbae8a215061b33"
    static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"

    static let scope = TokenScope(service: .rtc, channelName: "test", user: .uid(1234))

    static func grant(
        scope: TokenScope = scope, lifetime: UInt32 = 3600, privileges: [PrivilegeTime] = []
    ) -> Grant {
        let all = Role.publisher.privileges(of: scope.service).map { privilege in
            privileges.first { $0.privilege == privilege } ?? PrivilegeTime(privilege, 0)
        }
        return Grant(appID: appID, scope: scope, lifetime: lifetime, privileges: PrivilegeTimes(all))
    }
}
