#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Checks what a ScaledObject of KEDA must not get wrong, or busy workers are taken away (B43).

    lint_scaling.py FILE DEFINITIONS
"""

import json
import pathlib
import sys

import yaml

spec = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text())["spec"]
queues = {queue["name"] for queue in json.loads(pathlib.Path(sys.argv[2]).read_text())["queues"]}
trigger = next(entry["metadata"] for entry in spec["triggers"] if entry["type"] == "rabbitmq")
behaviour = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
rules = {
    "protocol is http, which counts messages that a worker holds": trigger["protocol"] == "http",
    "messages that a worker holds are not left out": trigger.get("excludeUnacknowledged", "false") == "false",
    "the queue is one of the topology": trigger["queueName"] in queues,
    "what activates is less than what one worker is for": 0 < int(trigger["activationValue"]) < int(trigger["value"]),
    "two workers at least": 2 <= spec["minReplicaCount"] < spec["maxReplicaCount"],
    "scaling down waits": behaviour["scaleDown"]["stabilizationWindowSeconds"] >= 60,
    "values are text, as KEDA wants them": all(isinstance(value, str) for value in trigger.values()),
}
broken = [rule for rule, holds in rules.items() if not holds]
for rule in broken:
    print(f"{sys.argv[1]}: not so: {rule}")
sys.exit(1 if broken else 0)
