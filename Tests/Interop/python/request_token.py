#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Asks for a token over RabbitMQ with nothing but pika (Debian: python3-pika).

    AMQP_URL=amqp://… request_token.py [JSON]

Without an argument it asks for {"channelName":"test","uid":1234,"role":1}. Prints the reply.
"""

import json
import os
import sys
import uuid

import pika

request = sys.argv[1] if len(sys.argv) > 1 else '{"channelName":"test","uid":1234,"role":1}'

connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
channel = connection.channel()
replies = channel.queue_declare("", exclusive=True).method.queue
correlation = str(uuid.uuid4())
channel.basic_publish(
    "agora.tokens", "request", request,
    pika.BasicProperties(reply_to=replies, correlation_id=correlation, delivery_mode=2))

for _, properties, body in channel.consume(replies, auto_ack=True, inactivity_timeout=10):
    if body is None:
        sys.exit("request_token.py: no reply within 10 s")
    if properties.correlation_id == correlation:
        break
connection.close()

reply = json.loads(body)
print(json.dumps(reply, indent=2))
sys.exit(1 if "error" in reply else 0)
