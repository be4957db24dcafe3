# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Sends many documents to a worker over pika, and collects the replies."""

import time

import pika

QUEUES = {"request": "request", "explain": "request", "renew": "renew", "cancel": "cancel"}


class Worker:
    """A connection with a reply queue."""

    def __init__(self, url):
        self.connection = pika.BlockingConnection(pika.URLParameters(url))
        self.channel = self.connection.channel()
        self.replies = self.channel.queue_declare("", exclusive=True).method.queue
        self.channel.basic_consume(self.replies, self.arrived, auto_ack=True)
        self.answers = {}
        self.later = []

    def arrived(self, channel, method, properties, body):
        # What the worker renews by itself comes under the number of the request, too.
        if properties.correlation_id in self.answers:
            self.later.append((properties, body))
        else:
            self.answers[properties.correlation_id] = (properties, body)

    def ask_all(self, documents, window=500, patience=60):
        """The replies to pairs of kind and body, in their order; None where there is none in time."""
        self.answers = {}
        for number, (kind, body) in enumerate(documents):
            while number - len(self.answers) >= window:
                if not self.wait(patience):
                    break
            self.channel.basic_publish(
                "agora.tokens", QUEUES[kind], body,
                pika.BasicProperties(
                    reply_to=self.replies, correlation_id=str(number), content_type="application/json",
                    type="token." + kind))
        while len(self.answers) < len(documents) and self.wait(patience):
            pass
        return [self.answers.get(str(number)) for number in range(len(documents))]

    def wait(self, patience):
        """Waits for another answer; False when none comes."""
        before = len(self.answers)
        end = time.monotonic() + patience
        while len(self.answers) == before:
            if time.monotonic() > end:
                return False
            self.connection.process_data_events(time_limit=1)
        return True

    def waiting_in(self, queue):
        """How many messages wait in a queue."""
        return self.channel.queue_declare(queue, passive=True).method.message_count
