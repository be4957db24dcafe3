#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Checks manifests against the resource definitions (CRDs) of an operator, strictly: unknown fields are faults.

    lint_resources.py FOLDER FILE…

FOLDER holds the definitions, one file each. Resources of other kinds are left to others.
"""

import pathlib
import sys

import jsonschema
import yaml


def closed(schema):
    """The schema as the API server prunes by it: a field that it does not name is none."""
    if not isinstance(schema, dict):
        return schema
    schema = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema:
        schema["properties"] = {name: closed(value) for name, value in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
    return schema


schemas = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml")):
    definition = yaml.safe_load(path.read_text())["spec"]
    for version in definition["versions"]:
        schema = closed(version["schema"]["openAPIV3Schema"])
        schema["properties"]["metadata"] = {"type": "object", "required": ["name"]}
        schemas[f"{definition['group']}/{version['name']}", definition["names"]["kind"]] = schema

faults = checked = 0
for path in sys.argv[2:]:
    for resource in yaml.safe_load_all(pathlib.Path(path).read_text()):
        schema = schemas.get((resource["apiVersion"], resource["kind"]))
        if schema is None:
            continue
        checked += 1
        for error in jsonschema.Draft7Validator(schema).iter_errors(resource):
            place = ".".join(str(part) for part in error.absolute_path)
            print(f"{path}: {resource['kind']} {resource['metadata']['name']}: {place}: {error.message}")
            faults += 1
print(f"{checked} resources of {len(schemas)} kinds checked")
sys.exit(1 if faults or not checked else 0)
