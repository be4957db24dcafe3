// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Reads what ``PayloadWriter`` packs, from bytes that nobody vouches for.
struct PayloadReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes were not read yet.
    var remaining: Int {
        bytes.endIndex - position
    }

    /// The bytes that were not read yet.
    var rest: ArraySlice<UInt8> {
        bytes[position...]
    }

    mutating func take(_ count: Int, field: String) throws(TokenError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .truncated(field: field) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func uint16(field: String) throws(TokenError) -> UInt16 {
        let taken = try take(2, field: field)
        return UInt16(taken[taken.startIndex]) | UInt16(taken[taken.startIndex + 1]) &<< 8
    }

    mutating func uint32(field: String) throws(TokenError) -> UInt32 {
        let low = try uint16(field: field)
        let high = try uint16(field: field)
        return UInt32(low) | UInt32(high) &<< 16
    }

    mutating func counted(field: String) throws(TokenError) -> ArraySlice<UInt8> {
        let count = try uint16(field: field)
        return try take(Int(count), field: field)
    }

    /// The signature, which is the same length in every token.
    mutating func signature() throws(TokenError) -> [UInt8] {
        let taken = try counted(field: "signature")
        guard taken.count == SHA256.digestCount else {
            throw .malformed(field: "signature", reason: "it has \(taken.count) bytes instead of 32")
        }
        return Array(taken)
    }

    mutating func string(field: String) throws(TokenError) -> String {
        let taken = try counted(field: field)
        guard let text = String(validating: taken, as: UTF8.self) else {
            throw .malformed(field: field, reason: "its bytes are not UTF-8")
        }
        return text
    }

    mutating func privileges() throws(TokenError) -> Privileges {
        var privileges = Privileges()
        for _ in 0..<(try uint16(field: "privilege map")) {
            let id = try uint16(field: "privilege map")
            privileges[id] = try uint32(field: "privilege map")
        }
        return privileges
    }

    mutating func permissions() throws(TokenError) -> RTMPermissions {
        var permissions = RTMPermissions()
        for _ in 0..<(try uint16(field: "permissions")) {
            let resource = try uint16(field: "permissions")
            permissions.add(resource: resource)
            for _ in 0..<(try uint16(field: "permissions")) {
                let action = try uint16(field: "permissions")
                var names: [String] = []
                for _ in 0..<(try uint16(field: "permissions")) {
                    names.append(try string(field: "permission name"))
                }
                permissions.set(resource: resource, action: action, names: names)
            }
        }
        return permissions
    }

    /// The next service, or its number when that is unknown.
    ///
    /// After that nothing more can be read, because a service does not say how long it is.
    mutating func service() throws(TokenError) -> Result<Service, UnknownService> {
        let type = try uint16(field: "service type")
        guard (1...10).contains(type) else { return .failure(UnknownService(type: type)) }
        let privileges = try privileges()
        switch type {
        case 1, 3, 6:
            let channel = try string(field: "channel name")
            let account = try string(field: "account")
            return .success(
                type == 1
                    ? .rtc(channel: channel, account: account, privileges: privileges)
                    : type == 3
                        ? .streaming(channel: channel, account: account, privileges: privileges)
                        : .fcdn(channel: channel, account: account, privileges: privileges))
        case 2:
            return .success(.rtm(userID: try string(field: "user ID"), privileges: privileges))
        case 4:
            return .success(.fpa(privileges: privileges))
        case 5:
            return .success(.chat(userID: try string(field: "user ID"), privileges: privileges))
        case 7:
            let room = try string(field: "room UUID")
            let user = try string(field: "user UUID")
            let role = Int16(bitPattern: try uint16(field: "role"))
            return .success(.apaas(room: room, user: user, role: role, privileges: privileges))
        case 8:
            let userID = try string(field: "user ID")
            return .success(.rtm2(userID: userID, permissions: try permissions(), privileges: privileges))
        case 9:
            return .success(.convoAI(privileges: privileges))
        default:
            return .success(.stt(privileges: privileges))
        }
    }

    /// A service that this library does not know.
    struct UnknownService: Error {
        let type: UInt16
    }
}
