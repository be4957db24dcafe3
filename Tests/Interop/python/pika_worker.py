#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""A worker as a team would write it in Python, with pika and the standard library, to measure ours beside.

    AGORA_APP_ID=… AGORA_APP_CERTIFICATE=… AMQP_URL=… pika_worker.py

It takes requests for RTC tokens, signs them, and acknowledges each when the broker has confirmed the reply. It keeps
no leases, and knows one project. With SelectConnection, since BlockingConnection would wait for every confirm.
"""

import base64
import hmac
import itertools
import json
import os
import secrets
import signal
import struct
import sys
import time
import zlib

import pika

APP_ID = os.environ["AGORA_APP_ID"]
CERTIFICATE = os.environ["AGORA_APP_CERTIFICATE"].encode()
PUBLISHER = {1: "joinChannel", 2: "publishAudioStream", 3: "publishVideoStream", 4: "publishDataStream"}
SUBSCRIBER = {1: "joinChannel"}


class Refusal(Exception):
    def __init__(self, code, message, field=None):
        self.error = {"code": code, "message": message, "retryable": False}
        if field:
            self.error["field"] = field


def digest(key, message):
    return hmac.digest(key, message, "sha256")


def text(value):
    data = value.encode()
    return struct.pack("<H", len(data)) + data


def sign(channel, uid, privileges, issued_at, lifetime):
    """An RTC token of version 007; user 0 is any user."""
    salt = secrets.randbits(32)
    message = (
        text(APP_ID) + struct.pack("<IIIHHH", issued_at, lifetime, salt, 1, 1, len(privileges))
        + b"".join(struct.pack("<HI", privilege, 0) for privilege in privileges)  # as long as the token
        + text(channel) + text(str(uid) if uid else ""))
    key = digest(struct.pack("<I", salt), digest(struct.pack("<I", issued_at), CERTIFICATE))
    signature = digest(key, message)
    return "007" + base64.b64encode(zlib.compress(struct.pack("<H", 32) + signature + message)).decode()


def issue(body, now):
    try:
        asked = json.loads(body)
    except ValueError as fault:
        raise Refusal("malformed_json", str(fault)) from fault
    channel, uid = asked.get("channelName"), asked.get("uid")
    role, lifetime = asked.get("role", 1), asked.get("expire", 3600)
    if not isinstance(channel, str) or not 1 <= len(channel.encode()) <= 64:
        raise Refusal("invalid_channel_name", "1 to 64 bytes", "channelName")
    if not isinstance(uid, int) or not 0 <= uid <= 4294967295:
        raise Refusal("invalid_uid", "a number up to 4294967295", "uid")
    if role not in (1, 2):
        raise Refusal("invalid_role", "1 or 2", "role")
    if not isinstance(lifetime, int) or not 1 <= lifetime <= 86400:
        raise Refusal("invalid_expire", "1 to 86400", "expire")
    privileges = PUBLISHER if role == 1 else SUBSCRIBER
    end = now + lifetime
    return {
        "token": sign(channel, uid, privileges, now, lifetime), "appId": APP_ID, "service": "rtc",
        "channelName": channel, "uid": uid, "issuedAt": now, "expiresAt": end, "expiresIn": lifetime,
        "renewAfter": now + lifetime * 2 // 3, "notifyBefore": [],
        "privileges": {name: end for name in privileges.values()}, "scheduled": False, "warnings": []}


class Worker:
    def __init__(self, url):
        self.published = 0
        self.unconfirmed = {}  # the delivery tag of a request, by the number of its reply
        self.status = 0
        self.connection = pika.SelectConnection(
            pika.URLParameters(url), on_open_callback=lambda connection: connection.channel(on_open_callback=self.open),
            on_open_error_callback=self.closed, on_close_callback=self.closed)

    def open(self, channel):
        self.channel = channel
        channel.add_on_close_callback(self.closed)
        channel.confirm_delivery(self.on_confirm)
        channel.basic_qos(prefetch_count=250)
        channel.basic_consume("agora.tokens.request", self.on_request, consumer_tag="pika-worker")

    def on_request(self, channel, method, properties, body):
        now = int(time.time())
        kind, headers = "token.issued", {"status": "ok", "contractVersion": 1}
        try:
            reply = issue(body, now)
        except Refusal as refusal:
            kind, headers = "token.error", {**headers, "status": "error", "errorCode": refusal.error["code"]}
            reply = {"error": refusal.error}
        channel.basic_publish(
            "", properties.reply_to, json.dumps(reply, separators=(",", ":")),
            pika.BasicProperties(
                content_type="application/json", delivery_mode=2, type=kind, headers=headers,
                correlation_id=properties.correlation_id, message_id=f"r-{secrets.token_hex(4)}", timestamp=now,
                app_id="agora-token"),
            mandatory=True)
        self.published += 1
        self.unconfirmed[self.published] = method.delivery_tag

    def on_confirm(self, frame):
        # Replies go out in the order of their requests, so a confirm of several is good for as many requests.
        number, several = frame.method.delivery_tag, frame.method.multiple
        tag = self.unconfirmed[number]
        if isinstance(frame.method, pika.spec.Basic.Ack):
            self.channel.basic_ack(tag, multiple=several)
        else:
            self.channel.basic_nack(tag, multiple=several)
        for done in list(itertools.takewhile(lambda n: n <= number, self.unconfirmed)) if several else [number]:
            del self.unconfirmed[done]

    def closed(self, _, reason):
        if not isinstance(reason, (pika.exceptions.ConnectionClosedByClient, pika.exceptions.ChannelClosedByClient)):
            print(reason, file=sys.stderr)
            self.status = 1
        self.connection.ioloop.stop()

    def run(self):
        signal.signal(
            signal.SIGTERM, lambda *_: self.connection.ioloop.add_callback_threadsafe(self.connection.close))
        self.connection.ioloop.start()
        return self.status


if __name__ == "__main__":
    sys.exit(Worker(os.environ["AMQP_URL"]).run())
