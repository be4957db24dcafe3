#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Checks 007 tokens without any of this project's code: only the format, zlib and HMAC.

    AGORA_APP_CERTIFICATE=… verify_token.py TOKEN…
    AGORA_APP_CERTIFICATE=… verify_token.py < tokens

Prints one line of JSON for each token: what it says, and whether the certificate signed it.
Exits with 1 when a token cannot be read or a signature does not hold.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import zlib

LARGEST = 65536  # bytes of an inflated token; a real one has a few hundred

SERVICES = {
    1: ("rtc", ["channelName", "account"]),
    2: ("rtm", ["userId"]),
    3: ("streaming", ["channelName", "account"]),
    4: ("fpa", []),
    5: ("chat", ["userId"]),
    6: ("fcdn", ["channelName", "account"]),
    7: ("apaas", ["roomUuid", "userUuid", "role"]),
    8: ("rtm2", ["userId", "permissions"]),
    9: ("convoai", []),
    10: ("stt", []),
}


class Reader:
    """Little-endian numbers and length-prefixed strings, in the order in which a token has them."""

    def __init__(self, data):
        self.rest = data

    def take(self, count):
        if count > len(self.rest):
            raise ValueError("the token ends too early")
        head, self.rest = self.rest[:count], self.rest[count:]
        return head

    def number(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize(layout)))[0]

    def bytes(self):
        return self.take(self.number("H"))

    def text(self):
        return self.bytes().decode("utf-8")

    def permissions(self):
        """Names by the number of what may be done, by the number of the resource."""
        resources = {}
        for _ in range(self.number("H")):
            actions = resources.setdefault(self.number("H"), {})
            for _ in range(self.number("H")):
                action = self.number("H")
                actions[action] = [self.text() for _ in range(self.number("H"))]
        return resources


def inflate(data):
    stream = zlib.decompressobj()
    payload = stream.decompress(data, LARGEST)
    if not stream.eof or stream.unused_data:
        raise ValueError("the compressed part is cut off, too large, or followed by something")
    return payload


def hmac_sha256(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def read_service(reader):
    kind = reader.number("H")
    privileges = {}
    for _ in range(reader.number("H")):
        name = reader.number("H")
        privileges[str(name)] = reader.number("I")
    service = {"type": kind, "privileges": privileges}
    if kind in SERVICES:
        service["name"], fields = SERVICES[kind]
        for field in fields:
            if field == "role":
                service[field] = reader.number("h")
            elif field == "permissions":
                service[field] = reader.permissions()
            else:
                service[field] = reader.text()
    return service


def read(token):
    """What a token says, with its signature and the bytes that it signs."""
    if not token.startswith("007"):
        raise ValueError("not a 007 token")
    reader = Reader(inflate(base64.b64decode(token[3:], validate=True)))
    signature, signed = reader.bytes(), reader.rest
    said = {
        "appId": reader.text(),
        "issuedAt": reader.number("I"),
        "expire": reader.number("I"),
        "salt": reader.number("I"),
        "services": [],
    }
    for _ in range(reader.number("H")):
        said["services"].append(read_service(reader))
        if "name" not in said["services"][-1]:
            break  # a service that this script does not know has no length by which to skip it
    else:
        if reader.rest:
            raise ValueError("something follows the last service")
    return said, signature, signed


def expected_signature(said, signed, certificate):
    # The certificate is the message of the first HMAC, not its key.
    key = hmac_sha256(struct.pack("<I", said["issuedAt"]), certificate.encode())
    key = hmac_sha256(struct.pack("<I", said["salt"]), key)
    return hmac_sha256(key, signed)


def verify(token, certificate):
    """What the token says; `signed` tells whether the certificate signed it."""
    try:
        said, signature, signed = read(token)
    except (ValueError, zlib.error) as error:
        return {"signed": False, "error": str(error)}
    return {"signed": hmac.compare_digest(signature, expected_signature(said, signed, certificate)), **said}


def main():
    certificate = os.environ.get("AGORA_APP_CERTIFICATE", "")
    if not certificate:
        sys.exit("verify_token.py: AGORA_APP_CERTIFICATE is not set")
    results = [verify(token, certificate) for token in sys.argv[1:] or sys.stdin.read().split()]
    for result in results:
        print(json.dumps(result))
    sys.exit(0 if results and all(result["signed"] for result in results) else 1)


if __name__ == "__main__":
    main()
