// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Keys")
struct KeyTests {
    private let caller = Caller(userID: "backend", appID: nil)

    /// Computed by Python: `hashlib.sha256(b"\x01" + struct.pack(">I", 9) + b"u-backend" + struct.pack(">I", 8) +
    /// b"device-1").hexdigest()[:32]` and the like.
    @Test("Keys are SHA-256 over a kind and parts with their lengths")
    func values() {
        #expect(Key.lease(caller: caller, leaseID: "device-1").hex == "15cadb4f0b92f7389f9602efedaad9ba")
        #expect(
            Key.lease(caller: caller, appID: Samples.appID, scope: Samples.scope).hex
                == "76a5d75f51a4c7914deb90388c88be8a")
        #expect(
            Key.token(appID: Samples.appID, issuedAt: 1_790_000_000, salt: 7, scope: Samples.scope).hex
                == "04b37d3d64c6be1bd349654fd28945b5")
        #expect(Key.body(Array("{}".utf8)).hex == "27da7b74729415313adb5195998365af")
    }

    @Test("A key survives its texts and bytes")
    func forms() throws {
        let key = Key.body([1, 2, 3])
        #expect(Key(hex: key.hex) == key)
        #expect(Key(key.bytes) == key)
        #expect(key.bytes.count == 16)
        #expect(Key(hex: key.hex.uppercased()) == nil)
        #expect(Key(hex: key.hex.dropLast()) == nil)
        #expect(Key(hex: "+" + key.hex.dropFirst()) == nil)
        #expect(Key([1, 2, 3]) == nil)
    }

    @Test("Another caller, project, channel or user has another lease; the kind of user does not matter")
    func leases() {
        let uid = Key.lease(caller: caller, appID: Samples.appID, scope: Samples.scope)
        let other = Caller(userID: "other", appID: nil)
        let account = TokenScope(service: .rtc, channelName: "test", user: .account("1234"))
        #expect(Key.lease(caller: other, appID: Samples.appID, scope: Samples.scope) != uid)
        #expect(Key.lease(caller: caller, appID: Samples.appID.lowercased(), scope: Samples.scope) != uid)
        #expect(Key.lease(caller: caller, appID: Samples.appID, scope: account) == uid)
        #expect(Key.lease(caller: other, leaseID: "a") != Key.lease(caller: caller, leaseID: "a"))
        // The caller's name and the id must not run into each other.
        let a = Key.lease(caller: Caller(userID: "x", appID: nil), leaseID: "ab")
        #expect(a != Key.lease(caller: Caller(userID: "xa", appID: nil), leaseID: "b"))
    }

    @Test("A lease id leads to its key: its caller's for an own one, whoever asks for a generated one")
    func leaseIDs() {
        let key = Key.lease(caller: caller, appID: Samples.appID, scope: Samples.scope)
        let id = LeaseID.text(key: key, own: nil)
        #expect(LeaseID.key(id, caller: caller) == key)
        #expect(LeaseID.key(id, caller: .anonymous) == key)
        #expect(LeaseID.key("l-0", caller: caller) == nil)
        #expect(LeaseID.text(key: key, own: "device-1") == "device-1")
        #expect(LeaseID.key("device-1", caller: caller) == Key.lease(caller: caller, leaseID: "device-1"))
        #expect(LeaseID.key("device-1", caller: caller) != LeaseID.key("device-1", caller: .anonymous))
    }

    @Test("B23: a message is known again by caller, kind and message id")
    func b23() {
        var properties = RequestProperties(kind: .request)
        properties.userID = "backend"
        properties.messageID = Array("m1".utf8)
        let body = Array(#"{"channelName":"c","uid":1}"#.utf8)
        let first = RequestKey(properties, body: body)
        #expect(!first.isUnnamed)
        var repeated = properties
        repeated.isRedelivered = true
        repeated.correlationID = [9]
        repeated.replyTo = "reply.b"
        #expect(RequestKey(repeated, body: []) == first)
        #expect(first.item(1) != first)
        var renew = properties
        renew.kind = .renew
        #expect(RequestKey(renew, body: body) != first)
        var other = properties
        other.userID = "b"
        #expect(RequestKey(other, body: body) != first)
    }

    @Test("A message without an id is known by all of it")
    func unnamed() {
        var properties = RequestProperties(kind: .request)
        properties.replyTo = "reply.a"
        properties.correlationID = [1]
        let first = RequestKey(properties, body: [1])
        #expect(first.isUnnamed)
        #expect(RequestKey(properties, body: [2]) != first)
        properties.correlationID = [2]
        #expect(RequestKey(properties, body: [1]) != first)
        properties.correlationID = [1]
        properties.replyTo = "reply.b"
        #expect(RequestKey(properties, body: [1]) != first)
        properties.replyTo = "reply.a"
        properties.messageID = []
        #expect(RequestKey(properties, body: [1]) == first)
    }

    @Test("A repeat that gets the same generation gets the same reply id")
    func replyIDs() {
        let key = RequestKey(key: .body([1]), isUnnamed: false)
        #expect(key.replyID(generation: 5) == key.replyID(generation: 5))
        #expect(key.replyID(generation: 5) != key.replyID(generation: 6))
        #expect(key.replyID(generation: 1 << 40) != key.replyID(generation: 1 << 41))
        #expect(key.replyID(generation: nil) != key.replyID(generation: 5))
        #expect(key.replyID(generation: 5).utf8.count <= 255)
    }
}
