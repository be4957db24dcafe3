#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Makes a worker say as much as it can, with secrets where they do not belong.

    provoke.py AMQP_URL CERTIFICATE TOKENS SAID

Lives some leases, then sends the certificate and tokens as fields, names, ids and properties of messages. Replies with
tokens go to the file TOKENS, one line each; all other replies, and every notice, to the file SAID.
"""

import json
import sys
import time

import pika


class Provoker:
    def __init__(self, url, tokens, said):
        self.connection = pika.BlockingConnection(pika.URLParameters(url))
        self.channel = self.connection.channel()
        self.tokens, self.said = tokens, said
        self.replies = self.channel.queue_declare("", exclusive=True).method.queue
        notices = self.channel.queue_declare("", exclusive=True).method.queue
        self.channel.queue_bind(notices, "agora.notices", "#")
        self.channel.basic_consume(self.replies, self.replied, auto_ack=True)
        self.channel.basic_consume(notices, self.noticed, auto_ack=True)
        self.count, self.kinds, self.last = 0, set(), None

    def replied(self, channel, method, properties, body):
        self.count += 1
        self.last = json.loads(body)
        has_token = properties.type in ("token.issued", "token.renewed", "token.batch")
        print(body.decode(), file=self.tokens if has_token else self.said)

    def noticed(self, channel, method, properties, body):
        self.kinds.add(method.routing_key.split(".")[0])
        print(body.decode(), file=self.said)

    def send(self, key, body, **properties):
        text = body if isinstance(body, str) else json.dumps(body)
        self.channel.basic_publish("agora.tokens", key, text.encode(), pika.BasicProperties(**properties))

    def ask(self, key, body, **properties):
        """Sends a message, and waits for its reply."""
        before = self.count
        self.send(key, body, **{"reply_to": self.replies, **properties})
        self.until(lambda: self.count > before)
        return self.last

    def until(self, holds, seconds=30):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                sys.exit("provoke.py: what was waited for did not come")
            self.connection.process_data_events(time_limit=0.2)


def live(provoker):
    """Leases that are warned of, renewed, cancelled, renewed by the worker, and ended."""
    for service in (
        {"channelName": "c", "uid": 1}, {"service": "rtm", "userId": "u"}, {"service": "chat-app"},
        {"channelName": "c", "uid": 2, "version": "006"}, {"service": "rtc+rtm", "channelName": "c", "uid": 3},
    ):
        provoker.ask("request", {**service, "expire": 600})
    token = provoker.ask("request", {"channelName": "c", "uid": 4, "expire": 4, "notify": {"before": [2]}})["token"]
    token = provoker.ask("renew", {"token": token})["token"]
    until = int(time.time()) + 5
    provoker.ask("request", {"channelName": "c", "uid": 5, "expire": 4, "autoRenew": {"until": until, "max": 1}})
    provoker.ask("request", {"channelName": "c", "uid": 6, "leaseId": "over"})
    provoker.ask("cancel", {"leaseId": "over"})
    provoker.ask("request", {"requests": [{"channelName": "c", "uid": 7}, {"channelName": "c"}]})
    provoker.ask("request", {"token": token, "channelName": "c", "uid": 4}, type="token.explain")
    # A renewal that nobody hears of.
    lease = provoker.ask("request", {"channelName": "c", "uid": 8})["leaseId"]
    provoker.send("renew", {"leaseId": lease}, reply_to="reply.nobody")
    return token


def misplace(provoker, secret):
    """A secret in every place of a message where it is refused, and as ids."""
    good = {"channelName": "c", "uid": 9}
    fields = [
        "service", "appId", "role", "expire", "privilegeExpire", "version", "notify", "autoRenew", "dryRun",
        "roomUuid", "permissions", "requests", "generation", "uid",
    ]
    for field in fields:
        for value in (secret, {secret: secret}, [secret]):
            provoker.ask("request", {**good, field: value})
    for key, body in (
        ("request", {**good, secret: 1}), ("request", {"channelName": secret + "/", "uid": 1}), ("request", secret),
        ("request", {"channelName": "c", "account": secret + "/"}), ("request", '{"' + secret), ("request", [secret]),
        ("request", {**good, "privilegeExpire": {secret: 1}}), ("request", {**good, "notify": {secret: []}}),
        ("request", {"service": "rtm2", "userId": "u", "permissions": {"users": {"read": [secret + "/"]}}}),
        ("renew", {"token": secret, secret: 1}), ("renew", {"leaseId": secret + "/"}), ("renew", {"token": secret + "x"}),
        ("cancel", {"leaseId": secret + "/"}), ("cancel", {"token": secret[:-9]}), ("renew", {"token": secret}),
    ):
        provoker.ask(key, body)
    provoker.ask("request", good, type=secret)
    provoker.ask("request", {}, type="token.explain", headers={"contractVersion": secret, "deadline": secret})
    for key in ("request", "renew", "cancel"):
        provoker.send(key, {"token": secret})
        provoker.send(key, {"token": secret}, reply_to="elsewhere." + secret[:200])
        provoker.send(key, '{"token":"' + secret.replace("/", "\\/"))


def main():
    url, certificate, tokens, said = sys.argv[1:]
    with open(tokens, "w", encoding="utf-8") as tokens, open(said, "w", encoding="utf-8") as said:
        provoker = Provoker(url, tokens, said)
        token = live(provoker)
        misplace(provoker, certificate)
        misplace(provoker, token)
        # Ids are echoed and logged, but a token is none.
        provoker.ask("request", {"channelName": "c", "uid": 10}, correlation_id=token, message_id="call/" + token[:200])
        provoker.ask("renew", {}, correlation_id=token)
        provoker.until(lambda: provoker.kinds >= {"will_expire", "expired", "renewed", "renewal_failed", "cancelled"})


if __name__ == "__main__":
    main()
