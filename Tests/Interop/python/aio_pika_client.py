#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Asks for tokens, and renews one in time, with aio-pika (Debian: python3-aio-pika).

    AMQP_URL=amqp://guest:guest@localhost aio_pika_client.py
"""

import asyncio
import json
import os
import uuid

import aio_pika


class TokenError(Exception):
    """What the worker says is wrong with a request."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error.get('field', '-')}: {error['message']}")


class TokenClient:
    async def connect(self, connection):
        # Who asks: the broker checks the name, and the notices of this user's leases come under u-NAME.
        self.user = connection.url.user
        self.channel = await connection.channel()  # with publisher confirms, which is its default
        self.tokens = await self.channel.get_exchange("agora.tokens", ensure=False)
        # A robust connection makes queues again under the same name, so it does not leave the name to the broker.
        name = f"reply.{self.user}.{uuid.uuid4()}"
        self.replies = await self.channel.declare_queue(name, exclusive=True)
        self.notices = await self.channel.declare_queue(f"{name}.notices", exclusive=True)
        await self.notices.bind("agora.notices", f"will_expire.*.u-{self.user}")
        self.calls = {}
        await self.replies.consume(self.on_reply, no_ack=True)

    async def on_reply(self, message):
        call = self.calls.pop(message.correlation_id, None)
        if call and not call.done():
            call.set_result(json.loads(message.body))

    async def ask(self, queue, request):
        call = str(uuid.uuid4())
        self.calls[call] = asyncio.get_running_loop().create_future()
        message = aio_pika.Message(
            json.dumps(request).encode(), content_type="application/json", user_id=self.user, reply_to=self.replies.name,
            correlation_id=call, message_id=call, delivery_mode=aio_pika.DeliveryMode.PERSISTENT)
        async with asyncio.timeout(20):
            answer = self.calls[call]
            await self.tokens.publish(message, routing_key=queue)
            reply = await answer
        if "error" in reply:
            raise TokenError(reply["error"])
        return reply

    async def warning(self, lease):
        """The notice that says that a lease is about to end."""
        async with asyncio.timeout(30), self.notices.iterator() as messages:
            async for message in messages:
                async with message.process():
                    notice = json.loads(message.body)["data"]
                    if notice["leaseId"] == lease:
                        return notice


def show(reply):
    print("token", reply["channelName"], reply["uid"], reply["expiresAt"], reply["token"], flush=True)


async def main():
    async with await aio_pika.connect_robust(os.environ["AMQP_URL"]) as connection:
        client = TokenClient()
        await client.connect(connection)

        # One token, of 16 seconds so that there is something to see.
        first = await client.ask("request", {"channelName": "room-1", "uid": 1234, "role": 1, "expire": 16})
        show(first)

        # Three channels in one go; each result is a reply or an error of its own.
        channels = [{"channelName": name, "uid": 1234} for name in ("lobby", "stage", "backstage")]
        for result in (await client.ask("request", {"requests": channels}))["results"]:
            show(result)

        try:
            await client.ask("request", {"channelName": "room/1", "uid": 1234})
        except TokenError as error:
            print("error", error, flush=True)
        else:
            raise RuntimeError("the slash in the channel's name should have been refused")

        warning = await client.warning(first["leaseId"])
        print("will_expire", warning["channelName"], "in", warning["expiresIn"], "s", flush=True)
        show(await client.ask("renew", {"token": first["token"]}))


asyncio.run(main())
