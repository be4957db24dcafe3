#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Compares RabbitMQ's definitions with the resources of its topology operator: both have to make the same.

    compare_topology.py DEFINITIONS FILE…
"""

import json
import pathlib
import sys

import yaml


def frozen(**fields):
    return json.dumps(fields, sort_keys=True)


def of_definitions(definitions):
    for exchange in definitions["exchanges"]:
        yield "exchange", frozen(**{k: exchange[k] for k in ("name", "vhost", "type", "durable", "arguments")})
    for queue in definitions["queues"]:
        yield "queue", frozen(**{k: queue[k] for k in ("name", "vhost", "durable", "arguments")})
    for binding in definitions["bindings"]:
        yield "binding", frozen(**{k: binding[k] for k in ("source", "destination", "vhost", "routing_key")})
    for policy in definitions["policies"]:
        yield "policy", frozen(
            **{k: policy[k] for k in ("name", "vhost", "pattern", "apply-to", "priority", "definition")})


def of_resource(kind, spec):
    host = spec.get("vhost", "/")
    if kind == "Exchange":
        yield "exchange", frozen(
            name=spec["name"], vhost=host, type=spec["type"], durable=spec["durable"],
            arguments=spec.get("arguments", {}))
    elif kind == "Queue":
        yield "queue", frozen(
            name=spec["name"], vhost=host, durable=spec["durable"],
            arguments={"x-queue-type": spec["type"], **spec.get("arguments", {})})
    elif kind == "Binding":
        yield "binding", frozen(
            source=spec["source"], destination=spec["destination"], vhost=host, routing_key=spec["routingKey"])
    elif kind == "Policy":
        yield "policy", frozen(
            name=spec["name"], vhost=host, pattern=spec["pattern"], priority=spec["priority"],
            definition=spec["definition"], **{"apply-to": spec["applyTo"]})


expected = set(of_definitions(json.loads(pathlib.Path(sys.argv[1]).read_text())))
found = {
    entry
    for path in sys.argv[2:]
    for resource in yaml.safe_load_all(pathlib.Path(path).read_text())
    for entry in of_resource(resource["kind"], resource.get("spec", {}))
}
for kind, text in sorted(expected - found):
    print(f"only in the definitions: {kind} {text}")
for kind, text in sorted(found - expected):
    print(f"only in the resources: {kind} {text}")
print(f"{len(expected & found)} of {len(expected)} entries of the topology are the same")
sys.exit(0 if expected and expected == found else 1)
