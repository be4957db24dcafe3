// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// Asks for tokens, and renews one in time, with TokenClient.
//
//     AMQP_URL=amqp://guest:guest@localhost swift run InteropClient

import AMQP
import Foundation
import TokenClient
import TokenMessages

func show(_ reply: TokenReply) {
    print("token", reply.scope.channelName ?? "-", reply.scope.user.packed, reply.expiresAt, reply.token)
}

let url = ProcessInfo.processInfo.environment["AMQP_URL"] ?? "amqp://guest:guest@localhost"
let client = TokenClient(ClientConfiguration(endpoints: [try AMQPURL(parsing: url)], timeout: .seconds(20)))
client.start()
let subscription = client.subscribe()

// One token, of 16 seconds so that there is something to see.
var request = TokenRequest(channelName: "room-1", user: .uid(1234))
request.expire = 16
let first = try await client.request(request)
show(first)

// Three channels in one go; each result is a token or an error of its own.
let three = ["lobby", "stage", "backstage"].map { TokenRequest(channelName: $0, user: .uid(1234)) }
for result in try await client.request(three) { show(try result.get()) }

do throws(ClientError) {
    show(try await client.request(TokenRequest(channelName: "room/1", user: .uid(1234))))
    throw .unreadable("the slash in the channel's name should have been refused")
} catch {
    guard case .refused(let refusal) = error else { throw error }
    print("error", refusal.code.rawValue, "\(refusal.field ?? "-"):", refusal.message)
}

let limit = Task {
    try await Task.sleep(for: .seconds(30))
    subscription.close()  // which ends the sequence
}
let warning = await subscription.notices.first { $0.kind == .willExpire && $0.leaseID == first.leaseID }
guard let warning else { throw ClientError.timedOut }
limit.cancel()
print("will_expire", warning.scope.channelName ?? "-", "in", warning.expiresIn, "s")
show(try await client.renew(RenewRequest(.token(first.token))))
client.close()
subscription.close()
