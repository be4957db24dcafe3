#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""A TCP proxy to a broker that can keep back what one kind of connection sends.

    hold_connection.py BROKER_PORT WORD

Prints the port on which it listens. After a line on standard input it passes nothing on that a client sends over
the connections whose first bytes, where an AMQP client says its connection's name, have WORD in them; what the
broker sends still arrives, and the other connections are untouched. So a test gets replies whose requests are never
acknowledged, or requests whose replies never arrive. Ends with its standard input.
"""

import asyncio
import os
import sys

broker_port, word = int(sys.argv[1]), sys.argv[2].encode()
holding = False


async def pump(reader, writer, may_hold):
    seen = b""
    marked = False
    while data := await reader.read(65536):
        if may_hold and len(seen) < 4096:
            seen += data
            marked = word in seen
        if holding and marked:
            continue
        writer.write(data)
        await writer.drain()
    writer.close()


async def serve(client_reader, client_writer):
    broker_reader, broker_writer = await asyncio.open_connection("127.0.0.1", broker_port)
    await asyncio.gather(
        pump(client_reader, broker_writer, True), pump(broker_reader, client_writer, False), return_exceptions=True)
    broker_writer.close()
    client_writer.close()


async def main():
    global holding
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    holding = True
    print("holding", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    os._exit(0)


asyncio.run(main())
