// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import agora_token

@Suite struct RequestBodyTests {
    private func object(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }

    @Test func optionsBecomeTheFieldsOfTheContract() throws {
        let arguments = try ArgumentParser(description: RequestCommand.description).parse([
            "--channel", "te\"st", "--uid", "4294967295", "--role", "subscriber", "--expire", "60", "--before", "10",
            "--before", "5", "--lease-id", "x",
        ])
        #expect(
            try object(RequestBody.request(arguments)) == [
                "channelName": "te\"st", "uid": 4_294_967_295, "role": "subscriber", "expire": 60,
                "notify": ["before": [10, 5]], "leaseId": "x",
            ])
    }

    @Test func aRoleIsANumberOrAName() throws {
        let parser = ArgumentParser(description: RequestCommand.description)
        #expect(try object(RequestBody.request(parser.parse(["--role", "1"]))) == ["role": 1])
        #expect(try object(RequestBody.request(parser.parse(["--role", "host"]))) == ["role": "host"])
    }

    @Test func everyServiceCanBeAskedFor() throws {
        let arguments = try ArgumentParser(description: RequestCommand.description).parse([
            "--service", "apaas-room-user", "--room", "r", "--user-uuid", "u", "--apaas-role", "2", "--dry-run",
            "--token-version", "007",
        ])
        #expect(
            try object(RequestBody.request(arguments)) == [
                "service": "apaas-room-user", "roomUuid": "r", "userUuid": "u", "apaasRole": 2, "dryRun": true,
                "version": "007",
            ])
    }

    @Test func withoutALeaseNotifyIsFalse() throws {
        let arguments = try ArgumentParser(description: RequestCommand.description).parse(["--no-lease"])
        #expect(try object(RequestBody.request(arguments)) == ["notify": false])
    }

    @Test func aLeaseIsNamedInOneWay() throws {
        let parser = ArgumentParser(description: RenewCommand.description)
        #expect(
            try object(RequestBody.renewal(parser.parse(["--token", "007x", "--generation", "7"]))) == [
                "token": "007x", "generation": 7,
            ])
        #expect(throws: CommandFailure.self) { try RequestBody.renewal(parser.parse([])) }
        #expect(throws: CommandFailure.self) {
            try RequestBody.renewal(parser.parse(["--token", "007x", "--lease-id", "a"]))
        }
    }
}
