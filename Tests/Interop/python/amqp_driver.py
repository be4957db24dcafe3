#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Lets a test in another language use pika, an AMQP client that shares no code with ours.

    amqp_driver.py AMQP_URL

Reads one command a line on standard input, prints one event a line, both JSON; ends with its input.

    {"op":"declare","ref":1,"queue":"","exclusive":true}      {"event":"done","ref":1,"queue":…,"messages":…,"consumers":…}
    {"op":"bind","ref":2,"queue":…,"exchange":…,"key":…}      {"event":"done","ref":2}
    {"op":"consume","ref":3,"queue":…}                        {"event":"done","ref":3}, then messages:
                                                              {"event":"message","queue":…,"key":…,"at":…,"body":hex,"properties":{…}}
    {"op":"publish","ref":4,"exchange":…,"key":…,"body":hex,"properties":{…}}
                                                              {"event":"confirmed"|"nacked"|"returned","ref":4}

"declare" with "passive" only looks. Messages are acknowledged as they arrive, by the broker itself, or, for "consume"
with "safely":true, by this program once it has printed them; "at" is the time of arrival in seconds since 1970. When the connection or the channel
is closed by the broker, the last event is {"event":"closed","reason":…}.
"""

import json
import sys
import threading
import time

import pika

PROPERTIES = [
    "content_type", "content_encoding", "headers", "delivery_mode", "priority", "correlation_id", "reply_to",
    "expiration", "message_id", "timestamp", "type", "user_id", "app_id",
]


def emit(event, **fields):
    print(json.dumps({"event": event, **fields}, default=str), flush=True)


class Driver:
    def __init__(self, url):
        self.unconfirmed = {}  # delivery tag → ref
        self.published = 0
        self.connection = pika.SelectConnection(
            pika.URLParameters(url), on_open_callback=self.opened, on_open_error_callback=self.closed,
            on_close_callback=self.closed)

    def run(self):
        self.connection.ioloop.start()

    def opened(self, connection):
        connection.channel(on_open_callback=self.channel_opened)

    def channel_opened(self, channel):
        self.channel = channel
        channel.add_on_close_callback(self.closed)
        channel.add_on_return_callback(self.returned)
        channel.confirm_delivery(self.confirmed, callback=lambda _: self.ready())

    def ready(self):
        emit("ready")
        threading.Thread(target=self.read_commands, daemon=True).start()

    def read_commands(self):
        schedule = self.connection.ioloop.add_callback_threadsafe
        for line in sys.stdin:
            schedule(lambda command=json.loads(line): self.obey(command))
        schedule(self.connection.close)

    def obey(self, command):
        operation, ref = command["op"], command["ref"]
        if operation == "declare":
            self.channel.queue_declare(
                command["queue"], passive=command.get("passive", False), durable=command.get("durable", False),
                exclusive=command.get("exclusive", False), arguments=command.get("arguments"),
                callback=lambda frame: emit(
                    "done", ref=ref, queue=frame.method.queue, messages=frame.method.message_count,
                    consumers=frame.method.consumer_count))
        elif operation == "bind":
            self.channel.queue_bind(
                command["queue"], command["exchange"], command["key"], callback=lambda _: emit("done", ref=ref))
        elif operation == "consume":
            queue, safely = command["queue"], command.get("safely", False)
            self.channel.basic_consume(
                queue, lambda _, method, properties, body: self.arrived(queue, method, properties, body, safely),
                auto_ack=not safely, callback=lambda _: emit("done", ref=ref))
        elif operation == "publish":
            properties = command["properties"]
            self.published += 1
            self.unconfirmed[self.published] = ref
            properties.setdefault("headers", {})["x-driver-ref"] = ref
            self.channel.basic_publish(
                command["exchange"], command["key"], bytes.fromhex(command["body"]),
                pika.BasicProperties(**properties), mandatory=True)
        else:
            sys.exit(f"amqp_driver.py: unknown command {operation}")

    def arrived(self, queue, method, properties, body, safely):
        values = {name: getattr(properties, name) for name in PROPERTIES}
        emit(
            "message", queue=queue, key=method.routing_key, at=time.time(), body=body.hex(),
            properties={name: value for name, value in values.items() if value is not None})
        if safely:
            self.channel.basic_ack(method.delivery_tag)

    def returned(self, channel, method, properties, body):
        emit("returned", ref=properties.headers["x-driver-ref"])

    def confirmed(self, frame):
        method = frame.method
        tags = [method.delivery_tag]
        if method.multiple:
            tags = [tag for tag in self.unconfirmed if tag <= method.delivery_tag]
        event = "confirmed" if isinstance(method, pika.spec.Basic.Ack) else "nacked"
        for tag in tags:
            emit(event, ref=self.unconfirmed.pop(tag))

    def closed(self, _, reason):
        emit("closed", reason=str(reason))
        self.connection.ioloop.stop()


if __name__ == "__main__":
    Driver(sys.argv[1]).run()
