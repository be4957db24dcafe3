#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Asks for tokens, and renews one in time, with pika (Debian: python3-pika).

    AMQP_URL=amqp://guest:guest@localhost pika_client.py
"""

import json
import os
import time
import uuid

import pika


class TokenError(Exception):
    """What the worker says is wrong with a request."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error.get('field', '-')}: {error['message']}")


class TokenClient:
    def __init__(self, url):
        parameters = pika.URLParameters(url)
        # Who asks: the broker checks the name, and the notices of this user's leases come under u-NAME.
        self.user = parameters.credentials.username
        self.connection = pika.BlockingConnection(parameters)
        self.channel = self.connection.channel()
        self.channel.confirm_delivery()  # from now on basic_publish raises when the broker takes no responsibility
        self.replies = self.channel.queue_declare("", exclusive=True).method.queue
        notices = self.channel.queue_declare("", exclusive=True).method.queue
        self.channel.queue_bind(notices, "agora.notices", f"will_expire.*.u-{self.user}")
        self.answers = {}  # by correlation id
        self.warnings = {}  # by lease
        self.channel.basic_consume(self.replies, self.on_reply, auto_ack=True)
        self.channel.basic_consume(notices, self.on_notice, auto_ack=True)

    def on_reply(self, channel, method, properties, body):
        self.answers[properties.correlation_id] = json.loads(body)

    def on_notice(self, channel, method, properties, body):
        notice = json.loads(body)["data"]
        self.warnings[notice["leaseId"]] = notice

    def wait(self, place, key, seconds):
        """Returns place[key] as soon as it is there."""
        end = time.monotonic() + seconds
        while key not in place:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing came within {seconds} s")
            self.connection.process_data_events(time_limit=left)
        return place.pop(key)

    def ask(self, queue, message):
        call = str(uuid.uuid4())
        self.channel.basic_publish(
            "agora.tokens", queue, json.dumps(message),
            pika.BasicProperties(
                content_type="application/json", delivery_mode=2, user_id=self.user, reply_to=self.replies,
                correlation_id=call, message_id=call),
            mandatory=True)
        reply = self.wait(self.answers, call, seconds=20)
        if "error" in reply:
            raise TokenError(reply["error"])
        return reply


def show(reply):
    print("token", reply["channelName"], reply["uid"], reply["expiresAt"], reply["token"], flush=True)


def main():
    client = TokenClient(os.environ["AMQP_URL"])

    # One token, of 16 seconds so that there is something to see.
    first = client.ask("request", {"channelName": "room-1", "uid": 1234, "role": 1, "expire": 16})
    show(first)

    # Three channels in one go; each result is a reply or an error of its own.
    channels = [{"channelName": name, "uid": 1234} for name in ("lobby", "stage", "backstage")]
    for result in client.ask("request", {"requests": channels})["results"]:
        show(result)

    try:
        client.ask("request", {"channelName": "room/1", "uid": 1234})
    except TokenError as error:
        print("error", error, flush=True)
    else:
        raise RuntimeError("the slash in the channel's name should have been refused")

    warning = client.wait(client.warnings, first["leaseId"], seconds=30)
    print("will_expire", warning["channelName"], "in", warning["expiresIn"], "s", flush=True)
    show(client.ask("renew", {"token": first["token"]}))
    client.connection.close()


main()
