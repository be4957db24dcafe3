# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Holds a live worker against the JSON Schemas that it prints.

    compare.py AGORA_TOKEN AMQP_URL [--documents N] [--base N] [--values N] [--seed N]

Makes distinct documents from the schemas, by hypothesis and by changing what that made. Each is sent to the worker,
which has to take exactly those that the schema takes; every one has a reply, and each reply fits its schema. Prints
what differs, and exits with 1. What no schema can say is in judge.py.
"""

import argparse
import collections
import itertools
import json
import multiprocessing
import subprocess
import sys
import time

from documents import Documents, canonical
from judge import REPLY_TYPES, Judge, parse
from worker_calls import Worker

LEAST_VALID = 0.3
SHOWN = 10


def distinct(documents, count):
    """So many documents of which no two are the same."""
    seen = set()
    for kind, document in documents:
        text = canonical(document)
        if (kind, text) in seen:
            continue
        seen.add((kind, text))
        yield kind, document
        if len(seen) == count:
            return


def verdicts(judge, documents):
    with multiprocessing.Pool(initializer=hold, initargs=(judge,)) as pool:
        return pool.starmap(decide, documents, chunksize=200)


def hold(judge):
    global held
    held = judge


def decide(kind, document):
    return held.verdict(kind, document)


def issued(worker, count=40):
    """Tokens and ids of leases that there are."""
    bodies = [
        json.dumps({"channelName": "known", "uid": number + 1, **({"leaseId": f"own-{number}"} if number % 2 else {})})
        for number in range(count)
    ]
    replies = [json.loads(reply[1]) for reply in worker.ask_all([("request", body) for body in bodies])]
    return {"token": [reply["token"] for reply in replies], "leaseId": [reply["leaseId"] for reply in replies]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("url")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--base", type=int, default=300)
    parser.add_argument("--values", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20_261_130)
    options = parser.parse_args()
    begin = time.monotonic()

    def tell(text):
        print(f"{time.monotonic() - begin:5.1f} s  {text}", flush=True)

    tell(f"seed {options.seed}")
    printed = subprocess.run([options.program, "contract", "print", "schemas"], check=True, capture_output=True)
    schemas = json.loads(printed.stdout)
    judge = Judge(schemas)
    worker = Worker(options.url)
    known = issued(worker)
    hints = {**known, "appId": ["970CA35de60c44645bbae8a215061b33"], "replyTo": ["reply.contract"]}
    supply = Documents(schemas, options.seed, options.base, options.values, hints)
    made = sum(map(len, supply.base.values())), sum(map(len, supply.values.values()))
    tell(f"by hypothesis {made[0]} documents and {made[1]} values")
    documents = list(distinct(supply, options.documents))
    tell(f"{len(documents)} distinct documents")
    takes = verdicts(judge, documents)
    valid = sum(takes)
    tell(f"{valid} of them, {100 * valid / len(documents):.1f} %, are valid")
    now = int(time.time())
    bodies = [(kind, json.dumps(document, ensure_ascii=False).encode()) for kind, document in documents]
    replies = worker.ask_all(bodies)
    tell(f"{sum(reply is not None for reply in replies)} replies")

    complaints = []
    outcomes = collections.Counter()
    for (kind, document), is_valid, answer in zip(documents, takes, replies):
        if answer is None:
            complaints.append(("no reply", kind, document, None))
            continue
        properties, body = answer
        reply = parse(body)
        outcomes[reply.get("error", {}).get("code", properties.type)] += 1
        complaint = judge.complaint(kind, document, is_valid, properties, reply, now)
        if complaint is None and not isinstance(document, list):
            if properties.type not in (REPLY_TYPES[kind], "token.error", "token.batch"):
                complaint = f"the reply is a {properties.type}"
        if complaint:
            complaints.append((complaint, kind, document, reply))
    for properties, body in worker.later:
        complaint = judge.malformed(properties, parse(body))
        if complaint:
            complaints.append((complaint, "later", None, body.decode()))
    dead = worker.waiting_in("agora.tokens.dead")
    tell("judged: " + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    for complaint, kind, document, reply in itertools.islice(complaints, SHOWN):
        print(f"✘ {complaint}\n  {kind}: {canonical(document)[:1000]}\n  reply: {canonical(reply)[:500]}")
    if complaints:
        print(f"{len(complaints)} documents differ: {collections.Counter(c[0] for c in complaints)}")
    if valid < LEAST_VALID * len(documents):
        complaints.append(("too few are valid",))
        print(f"only {valid} of {len(documents)} documents are valid; that tells too little")
    if dead:
        complaints.append(("dead letters",))
        print(f"{dead} dead letters")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
