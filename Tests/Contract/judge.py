# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""What a worker has to do with a document, by the schemas; and whether its reply is one of the contract."""

import json

import jsonschema

from documents import LISTS

# Errors of a message that the schema takes: they depend on what the worker has and knows.
CIRCUMSTANCES = {
    "unknown_project", "lease_not_found", "lease_superseded", "lease_cancelled", "token_malformed",
    "token_signature_invalid", "token_expired",
}
# Errors that have nothing to do with the document.
OTHERS = {
    "unsupported_version", "unsupported_type", "deadline_exceeded", "idempotency_conflict", "policy_denied",
    "rate_limited", "internal", "invalid_deadline",
}
REPLY_SCHEMAS = {
    "token.issued": "token", "token.renewed": "token", "token.cancelled": "cancelled", "token.explained": "explained",
    "token.batch": "batch", "token.error": "error",
}
REPLY_TYPES = {
    "request": "token.issued", "renew": "token.renewed", "cancel": "token.cancelled", "explain": "token.explained",
}
DEFAULT_LIFETIME = 3600


class Judge:
    """Judges documents and replies by the printed schemas alone."""

    def __init__(self, schemas):
        self.validators = {name: jsonschema.Draft202012Validator(schema) for name, schema in schemas.items()}
        self.items = {
            kind: jsonschema.Draft202012Validator({"$defs": schemas[kind]["$defs"], "$ref": f"#/$defs/{name}"})
            for kind, name in (("request", "request"), ("renew", "renewal"), ("cancel", "cancellation"))
        }
        codes = set(schemas["error"]["properties"]["error"]["properties"]["code"]["enum"])
        self.faults = codes - CIRCUMSTANCES - OTHERS

    def verdict(self, kind, document):
        """Whether the schema takes a document."""
        return self.validators[kind].is_valid(document)

    def beyond(self, kind, item, now):
        """The codes of faults that no schema can tell: a time that has passed, a privilege that outlasts its token."""
        codes = set()
        if kind != "request":
            return codes
        limit = item.get("expire", DEFAULT_LIFETIME)
        times = item.get("privilegeExpire", 0)
        if any(seconds > limit for seconds in (times.values() if isinstance(times, dict) else [times])):
            codes.add("invalid_privilege_expire")
        renewal = item.get("autoRenew")
        if renewal and (renewal["until"] <= now or not self.takes_replies(renewal.get("replyTo", "reply.x"))):
            codes.add("invalid_auto_renew")
        return codes

    @staticmethod
    def takes_replies(address):
        printable = all(ord(letter) >= 0x20 and ord(letter) not in (0x7F, 0xFFFD) for letter in address)
        prefix = next((prefix for prefix in ("reply.", "amq.gen-") if address.startswith(prefix)), None)
        return printable and prefix is not None and address != prefix and len(address.encode()) <= 255

    def complaint(self, kind, document, is_valid, properties, reply, now):
        """What is wrong with a reply; None if nothing is."""
        fault = self.malformed(properties, reply)
        if fault:
            return fault
        if "results" in reply:
            items = document[LISTS[kind]]
            if len(reply["results"]) != len(items):
                return "there is not one result for each item"
            takes = [self.items[kind].is_valid(item) for item in items]
            if all(takes) != is_valid:
                return "a list was answered that the schema refuses as a whole"
            answers = zip(items, takes, reply["results"])
            return next(filter(None, (self.item(kind, *answer, now) for answer in answers)), None)
        if is_valid and LISTS.get(kind) in document:
            return "a list that the schema takes has no results"
        return self.item(kind, document, is_valid, reply, now)

    def item(self, kind, item, is_valid, reply, now):
        """As complaint(), for one item and its answer."""
        code = reply.get("error", {}).get("code")
        if not is_valid:
            return None if code in self.faults else "the schema refuses what the worker takes"
        beyond = self.beyond(kind, item, now)
        if code in CIRCUMSTANCES and kind != "explain":
            return None
        if beyond:
            return None if code in beyond else f"not refused with {' or '.join(beyond)}"
        return None if code is None else "the schema takes what the worker refuses"

    def malformed(self, properties, reply):
        """Whether a reply has the properties and the body of its type."""
        name = REPLY_SCHEMAS.get(properties.type)
        headers = properties.headers or {}
        if name is None or properties.app_id != "agora-token" or headers.get("contractVersion") != 1:
            return "the reply's properties are not those of the contract"
        code = reply.get("error", {}).get("code")
        if headers.get("status") != ("ok" if code is None else "error") or headers.get("errorCode") != code:
            return "the reply's headers do not fit its body"
        for fault in self.validators[name].iter_errors(reply):
            return f"the reply does not fit schema {name}: {fault.message[:200]}"
        for result in reply.get("results", ()):
            name = "error" if "error" in result else "cancelled" if "tokenExpiresAt" in result else "token"
            for fault in self.validators[name].iter_errors(result):
                return f"a result does not fit schema {name}: {fault.message[:200]}"
        return None


def parse(body):
    """A reply's body, strictly: no number that JSON does not have, no name twice."""

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(names) != len(set(names)):
            raise ValueError("a name twice")
        return dict(pairs)

    def constant(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(body.decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
