#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Checks the documents of the contract with Debian's python3-jsonschema, and none of this project's code.

    lint_contract.py AGORA_TOKEN [ASYNCAPI_SCHEMA]

AGORA_TOKEN is the program that prints the documents. Checks that each JSON Schema is one of 2020-12, that the AsyncAPI
document fits AsyncAPI's own JSON Schema where that is given, that no reference dangles and no component is unused,
and that each example fits the schemas of its message. Prints what is wrong, one line each, and exits with 1.
"""

import json
import subprocess
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
import jsonschema  # noqa: E402 (its own warnings are not ours)

faults = []


class Resolver(jsonschema.RefResolver):
    """Finds the definitions of AsyncAPI's schema by their addresses."""

    def _find_in_subschemas(self, url):
        return None  # it trips over the schema's own descriptions of $id


def printed(program, *words):
    return json.loads(subprocess.run([program, "contract", "print", *words], check=True, capture_output=True).stdout)


def resolve(document, reference):
    if not reference.startswith("#/"):
        raise KeyError("it leaves the document")
    part = document
    for step in reference[2:].split("/"):
        step = step.replace("~1", "/").replace("~0", "~")
        part = part[int(step)] if isinstance(part, list) else part[step]
    return part


def references(part, path="#"):
    """Every $ref below a part, with the path of the object that has it; examples are data and have none."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "$ref" and isinstance(value, str):
                yield path, value
            elif name != "examples":
                yield from references(value, f"{path}/{name}")
    elif isinstance(part, list):
        for place, value in enumerate(part):
            yield from references(value, f"{path}/{place}")


def check_references(name, document):
    used = set()
    for path, reference in references(document):
        used.add(reference)
        try:
            resolve(document, reference)
        except (KeyError, IndexError, ValueError) as fault:
            faults.append(f"{name}: {path} refers to {reference}: {fault}")
    return used


def check_schemas(schemas):
    for name, schema in schemas.items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as fault:
            faults.append(f"schema {name}: {fault.message}")
        used = check_references(f"schema {name}", schema)
        for definition in schema.get("$defs", {}):
            if f"#/$defs/{definition}" not in used:
                faults.append(f"schema {name}: nothing uses $defs/{definition}")


def check_asyncapi(document, schema):
    used = check_references("asyncapi", document)
    for kind, components in document["components"].items():
        for name in components:
            path = f"#/components/{kind}/{name}"
            if not any(reference == path or reference.startswith(path + "/") for reference in used):
                faults.append(f"asyncapi: nothing uses {path}")
    if schema:
        resolver = Resolver("", schema, store={"": schema, **schema["definitions"]})
        for fault in jsonschema.Draft7Validator(schema, resolver=resolver).iter_errors(document):
            closest = jsonschema.exceptions.best_match([fault])
            faults.append(f"asyncapi: {'/'.join(map(str, closest.absolute_path))}: {closest.message[:300]}")


def check_examples(document):
    def faults_of(schema, value):
        if "schemaFormat" in schema:
            schema = schema["schema"]
        # A schema's references go by the root of the document.
        whole = {**schema, "components": document["components"]}
        return [fault.message for fault in jsonschema.Draft202012Validator(whole).iter_errors(value)]

    count = 0
    for name, message in document["components"]["messages"].items():
        examples = message.get("examples", [])
        if not examples:
            faults.append(f"asyncapi: message {name} has no example")
        for example in examples:
            count += 1
            for part in ("headers", "payload"):
                if part not in example:
                    continue
                schema = resolve(document, message[part]["$ref"])
                for fault in faults_of(schema, example[part]):
                    faults.append(f"asyncapi: example {example['name']} of {name}: {part}: {fault[:300]}")
    return count


def check_codes(document, schemas):
    codes = set(schemas["error"]["properties"]["error"]["properties"]["code"]["enum"])
    shown = {example["payload"]["error"]["code"] for example in document["components"]["messages"]["error"]["examples"]}
    for code in sorted(codes - shown):
        faults.append(f"asyncapi: error {code} has no example")


def main():
    program = sys.argv[1]
    schemas = printed(program, "schemas")
    document = printed(program, "asyncapi")
    official = None
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            official = json.load(file)
    check_schemas(schemas)
    check_asyncapi(document, official)
    # Examples cannot be judged by schemas with dangling references.
    count = 0 if faults else check_examples(document)
    check_codes(document, schemas)
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(schemas)} schemas, {len(document['operations'])} operations, {count} examples")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
