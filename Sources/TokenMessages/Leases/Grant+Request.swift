// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Grant {
    /// Completes a request with what the configuration says.
    ///
    /// - Parameters:
    ///   - request: a decoded request.
    ///   - appID: the App ID of the project that the request names, or of the default project.
    ///   - defaultLifetime: seconds, for a request without `expire`.
    /// - Throws: `invalid_privilege_expire` if a privilege would outlast the token.
    package init(_ request: TokenRequest, appID: String, defaultLifetime: UInt32) throws(MessageError) {
        let lifetime = request.expire ?? defaultLifetime
        let privileges = request.role.privileges(of: request.scope.service)
        var entries: [PrivilegeTime] = []
        entries.reserveCapacity(privileges.count)
        for privilege in privileges {
            let (seconds, field) = request.privilegeExpire.seconds(of: privilege, service: request.scope.service)
            guard seconds <= lifetime else {
                let limit = request.expire == nil ? "the default lifetime of \(lifetime)" : "expire, \(lifetime)"
                throw MessageError(
                    .invalidPrivilegeExpire, "\(field) is \(seconds) seconds; it must not be more than \(limit)",
                    field: field)
            }
            entries.append(PrivilegeTime(privilege, seconds))
        }
        self.init(
            appID: appID, scope: request.scope, lifetime: lifetime, privileges: PrivilegeTimes(entries),
            version: request.version, apaasRole: request.apaasRole, permissions: request.permissions)
    }
}
