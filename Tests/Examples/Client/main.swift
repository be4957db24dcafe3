// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenClient
import TokenMessages

let broker = ClientConfiguration(endpoints: [try AMQPURL(parsing: "amqp://guest:guest@localhost")])
let client = TokenClient(broker)
client.start()
let reply = try await client.request(TokenRequest(channelName: "test", user: .uid(1234)))
print(reply.token)

let notices = NoticeSubscription(broker)
notices.start()
for await notice in notices.notices where notice.kind == .willExpire {
    let renewed = try await client.renew(RenewRequest(.leaseID(notice.leaseID)))
    print(renewed.token)
}
