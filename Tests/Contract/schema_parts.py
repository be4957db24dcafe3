# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Takes the schema of a request apart: what it says for each service, as plain schemas of objects.

A generator of documents cannot work its way through a dozen conditions on one field. So the conditions on `service`
are decided here, by a validator, and those on other fields are left out: most of what comes of the plain schemas is
right, and whether it is says the whole schema afterwards.
"""

import jsonschema


def resolve(root, schema):
    """A schema without references in it."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            target = root
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            return {**resolve(root, target), **{k: resolve(root, v) for k, v in schema.items() if k != "$ref"}}
        return {name: resolve(root, value) for name, value in schema.items()}
    if isinstance(schema, list):
        return [resolve(root, value) for value in schema]
    return schema


class Plain:
    """What remains of a schema when one field's value is known."""

    def __init__(self, schema, known):
        self.known = known
        self.properties = {}
        self.required = set()
        self.choices = [()]
        self.take(schema)
        for name, value in known.items():
            self.properties[name] = {"const": value}

    def take(self, schema):
        for name, part in schema.get("properties", {}).items():
            if part is False:
                self.properties[name] = False
            elif self.properties.get(name) is not False:
                self.properties[name] = {**self.properties.get(name, {}), **part}
        self.required |= set(schema.get("required", ()))
        if "oneOf" in schema:
            self.choices = [tuple(choice["required"]) for choice in schema["oneOf"]]
        for part in schema.get("allOf", ()):
            self.take(part)
        if "if" in schema and self.is_about_known(schema["if"]):
            holds = jsonschema.Draft202012Validator(schema["if"]).is_valid(self.known)
            self.take(schema.get("then" if holds else "else", {}))

    def is_about_known(self, condition):
        names = set(condition.get("properties", {})) | set(condition.get("required", ()))
        return names <= {"service"}

    def schemas(self):
        """A schema for each choice between fields that exclude each other."""
        alternatives = {name for choice in self.choices for name in choice}
        for choice in self.choices:
            properties = {
                name: part
                for name, part in self.properties.items()
                if part is not False and (name not in alternatives or name in choice)
            }
            yield {
                "type": "object",
                "properties": properties,
                "required": sorted(self.required | set(choice) | set(self.known)),
                "additionalProperties": False,
            }


def plain_schemas(schemas):
    """The kinds of message, each with the plain schemas of its items."""
    request = resolve(schemas["request"], schemas["request"]["$defs"]["request"])
    services = request["properties"]["service"]["enum"]
    requests = [plain for service in services for plain in Plain(request, {"service": service}).schemas()]
    requests += Plain(request, {}).schemas()
    renewal = resolve(schemas["renew"], schemas["renew"]["$defs"]["renewal"])
    cancellation = resolve(schemas["cancel"], schemas["cancel"]["$defs"]["cancellation"])
    explain = resolve(schemas["explain"], {k: v for k, v in schemas["explain"].items() if k != "allOf"})
    users = ("uid", "account", "userId")
    explanations = [
        {**explain, "properties": {k: v for k, v in explain["properties"].items() if k not in users or k == user}}
        for user in users
    ]
    return {
        "request": requests,
        "renew": list(Plain(renewal, {}).schemas()),
        "cancel": list(Plain(cancellation, {}).schemas()),
        "explain": explanations,
    }
