#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Looks for the secrets of a run in everything that it wrote.

    find_secrets.py SECRETS FOLDER…

SECRETS is a JSON file with the values by name, each a list. They are looked for in any case, as they are, in
hexadecimal, in base64 wherever it begins, percent-encoded, with the escapes of JSON, and by halves. Prints where which
one is, never the value, and exits with 1 if there is any, or if there was nothing to look for or in.
"""

import base64
import json
import os
import sys
import urllib.parse

# A half that is shorter may be there by chance.
SHORTEST = 12


def forms(value):
    """The texts that give a value away, in small letters."""
    raw = value.encode()
    parts = {raw}
    half = len(raw) // 2
    if half >= SHORTEST:
        parts |= {raw[:half], raw[-half:]}
    found = set()
    for part in parts:
        text = part.decode()
        found |= {part, part.hex().encode(), urllib.parse.quote(text, safe="").encode(), json.dumps(text)[1:-1].encode()}
    try:
        found |= set(encoded(bytes.fromhex(value)))
    except ValueError:
        pass
    found |= set(encoded(raw))
    return {form.lower() for form in found if len(form) >= min(SHORTEST, len(raw))}


def encoded(data):
    """What is certain of the base64 of data, at each of the three places where it may begin."""
    for lead in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            text = encode(b"\0" * lead + data).rstrip(b"=")
            # The first and the last letters depend on the neighbours.
            yield text[(lead * 8 + 5) // 6 : len(data + b"\0" * lead) * 8 // 6]


def files(folders):
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in sorted(names):
                yield os.path.join(path, name)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        secrets = json.load(file)
    wanted = [(name, form) for name, values in secrets.items() for value in values for form in forms(value)]
    sizes, found = [], 0
    for path in files(sys.argv[2:]):
        with open(path, "rb") as file:
            data = file.read()
        sizes.append(len(data))
        # Slashes come escaped in some JSON, and percent-encoded in URLs.
        texts = [data.lower(), data.lower().replace(b"\\/", b"/"), urllib.parse.unquote_to_bytes(data).lower()]
        for name in sorted({name for name, form in wanted for text in texts if form in text}):
            print(f"{path}: has a secret: {name}")
            found += 1
    if not all(secrets.values()) or not secrets or not sum(sizes):
        print("there was nothing to look for, or nothing to look in")
        return 1
    values = sum(map(len, secrets.values()))
    print(f"{values} secrets in {len(wanted)} forms, {len(sizes)} files of {sum(sizes)} bytes: {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
