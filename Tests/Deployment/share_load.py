#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Loads several workers, shows each one's share, kills the last one, and counts what became of its requests.

    share_load.py AMQP_URL PROCESS:LOG PROCESS:LOG…

Needs pika (Debian: python3-pika).
"""

import json
import os
import signal
import sys
import time

import pika

SHARED = 1200  # requests while all are there
HELD = 300  # requests while one stands still: its part is less than what a worker may hold


class Fault(Exception):
    pass


class Backend:
    """Asks for tokens with publisher confirms, and remembers what was confirmed and what was answered."""

    def __init__(self, url):
        self.connection = pika.BlockingConnection(pika.URLParameters(url))
        self.channel = self.connection.channel()
        self.channel.confirm_delivery()
        self.replies = self.channel.queue_declare("", exclusive=True).method.queue
        self.channel.basic_consume(self.replies, self.hear, auto_ack=True)
        self.confirmed, self.answered, self.repeated, self.refused = set(), set(), 0, []

    def hear(self, _channel, _method, properties, body):
        if properties.headers.get("status") != "ok":
            self.refused.append(body.decode())
        self.repeated += properties.correlation_id in self.answered
        self.answered.add(properties.correlation_id)

    def ask(self, count):
        for _ in range(count):
            number = str(len(self.confirmed))
            body = json.dumps({"channelName": "scale", "account": f"user-{number}"})
            self.channel.basic_publish(
                "agora.tokens", "request", body,
                pika.BasicProperties(reply_to=self.replies, correlation_id=number, message_id=number, delivery_mode=2),
                mandatory=True)
            self.confirmed.add(number)

    def consumers(self):
        return self.channel.queue_declare("agora.tokens.request", passive=True).method.consumer_count

    @property
    def outstanding(self):
        return len(self.confirmed - self.answered)

    def until(self, condition, limit, what):
        """Listens until the condition holds; returns how many seconds that took."""
        begin = time.monotonic()
        while not condition():
            if time.monotonic() - begin > limit:
                raise Fault(f"not within {limit} s: {what} ({self.outstanding} requests are unanswered)")
            self.connection.process_data_events(0.05)
        return time.monotonic() - begin

    def until_quiet(self, quiet, limit):
        """Listens until no answer has come for a while."""
        last, since, begin = len(self.answered), time.monotonic(), time.monotonic()
        while time.monotonic() - since < quiet and time.monotonic() - begin < limit:
            self.connection.process_data_events(0.05)
            if len(self.answered) != last:
                last, since = len(self.answered), time.monotonic()


def issued(path):
    with open(path, encoding="utf-8", errors="replace") as log:
        return sum('"token.issued"' in line for line in log)


def main():
    backend = Backend(sys.argv[1])
    members = [(int(process), path) for process, path in (entry.split(":", 1) for entry in sys.argv[2:])]

    backend.until(lambda: backend.consumers() == len(members), 30, "all workers take requests")
    backend.ask(SHARED)
    backend.until(lambda: backend.outstanding == 0, 30, "every request is answered")
    backend.until(lambda: sum(issued(path) for _, path in members) >= SHARED, 10, "the workers' logs say so")
    print(f"{len(members)} workers answered {SHARED} requests:")
    shares = [issued(path) for _, path in members]
    for number, share in enumerate(shares, 1):
        print(f"  worker {number}  {share:5}  {100 * share / SHARED:5.1f} %")

    victim = members[-1][0]
    os.kill(victim, signal.SIGSTOP)
    backend.ask(HELD)
    backend.until_quiet(1.0, 10)
    held = backend.outstanding
    print(f"Worker {len(members)} stands still with {held} of the next {HELD} requests in hand, and is killed.")
    os.kill(victim, signal.SIGKILL)
    seconds = backend.until(lambda: backend.outstanding == 0, 30, "the others answer what the killed one held")
    print(f"The others answered those {held} within {seconds:.2f} s.")
    print(
        f"{len(backend.confirmed)} requests confirmed, {len(backend.answered)} answered, {backend.outstanding} lost,"
        f" {backend.repeated} answered twice")

    if backend.refused:
        raise Fault(f"{len(backend.refused)} requests were refused, such as: {backend.refused[0]}")
    if held == 0:
        raise Fault("the killed worker held nothing, so this shows nothing")
    if min(shares) < SHARED / len(members) / 4:
        raise Fault("a worker had less than a quarter of an equal share")


try:
    main()
except Fault as fault:
    sys.exit(f"share_load.py: {fault}")
