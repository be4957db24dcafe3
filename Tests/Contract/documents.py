# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors
"""Documents of the contract: made by hypothesis from the schemas, then changed, gently or not, and put into batches."""

import copy
import json
import random
import warnings

import hypothesis
from hypothesis_jsonschema import from_schema

from schema_parts import plain_schemas

LISTS = {"request": "requests", "renew": "renewals", "cancel": "cancellations"}

# Of 100 documents so many are of each kind.
SHARES = {"request": 70, "renew": 12, "cancel": 6, "explain": 12}

STRANGE = [
    None, True, False, 0, 1, -1, 2, 1.0, 1.5, -0.0, 1e30, 2**32 - 1, 2**32, 2**53, 2**63, 2**64, -(2**63) - 1, 86400, 86401,
    "", " ", "0", "1", "1.0", "true", "null", "rtc", "publisher", "*", "a\n", "a\x00b", "ä", "名", "\u2028", "\ufffd", "a/b",
    "a\\b", "l-", "l-1", "x" * 64, "x" * 65, "x" * 255, "x" * 256, "x" * 300, [], {}, [1], [[]], [None], {"a": 1},
    {"before": []}, {"before": None}, {"before": [30]}, {"until": 4294967295}, {"joinChannel": 60}, {"login": 0},
]
OPTIONAL = {
    "expire", "role", "notify", "leaseId", "autoRenew", "privilegeExpire", "dryRun", "appId", "version", "generation",
}
UNKNOWN = ["uuid", "Uid", "UID", "channel", "channelname", "autorenew", "requests", "items", "", "ttl", "expires_in"]


def canonical(document):
    return json.dumps(document, sort_keys=True, ensure_ascii=False)


def generated(schema, count, seed):
    """So many examples of a schema, the same ones for the same seed."""
    found = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count, database=None, deadline=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(from_schema(schema))
    def collect(document):
        found.append(document)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collect()
    return found


class Documents:
    """An endless supply.

    `base` is how many documents hypothesis makes, `values` how many values of each field. `hints` are values by field
    that a worker knows, such as the ids of its leases.
    """

    def __init__(self, schemas, seed, base, values, hints):
        self.random = random.Random(seed)
        self.seed = seed
        self.hints = hints
        self.count = values
        self.values = {}
        # For each kind: a document, and the values that each of its fields may have.
        self.base = {}
        for kind, plain in plain_schemas(schemas).items():
            share = max(3, base * SHARES[kind] // 100 // len(plain))
            pairs = []
            for schema in plain:
                fields = {name: self.values_of(name, part) for name, part in schema["properties"].items()}
                pairs += [(item, fields) for item in generated(schema, share, seed)]
            self.base[kind] = pairs

    def values_of(self, name, schema):
        """Values of a field, the same list wherever the schema is the same."""
        text = name + canonical(schema)
        if text not in self.values:
            found = generated(schema, self.count, self.seed)
            known = self.hints.get(name, [])
            # One value in two is one that the worker knows.
            self.values[text] = found + [self.random.choice(known) for _ in found if known]
        return self.values[text]

    def __iter__(self):
        kinds = list(SHARES)
        while True:
            kind = self.random.choices(kinds, [SHARES[kind] for kind in kinds])[0]
            if kind in LISTS and self.chance(6):
                yield kind, self.batch(kind)
            else:
                yield kind, self.item(kind)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def batch(self, kind):
        count = self.random.choice([0, 1, 2, 3, 3, 4, 5]) if not self.chance(2) else self.random.choice([100, 101])
        items = [self.item(kind) for _ in range(count)]
        if self.chance(5):
            items += [copy.deepcopy(self.random.choice(STRANGE))]
        document = {LISTS[kind]: items if self.chance(95) else copy.deepcopy(self.random.choice(STRANGE))}
        if self.chance(5):
            document[self.random.choice(UNKNOWN)] = 1
        return document

    def item(self, kind):
        """Sometimes as it was generated, mostly with other values that are right, often with something wrong."""
        base, fields = self.random.choice(self.base[kind])
        item = copy.deepcopy(base)
        if self.chance(90):
            for name in self.random.sample(sorted(fields), min(len(fields), self.random.randint(1, 5))):
                self.vary(item, name, fields[name])
        if self.chance(40):
            for _ in range(self.random.choice([1, 1, 2])):
                self.damage(kind, item)
        return item

    def vary(self, item, name, values):
        """Gives a field another value that is right by itself, or leaves it out where it may be."""
        if name in item and self.chance(10) and name in OPTIONAL:
            del item[name]
        elif name in item or self.chance(60):
            item[name] = copy.deepcopy(self.random.choice(values))

    def damage(self, kind, item):
        names = list(item)
        step = self.random.randrange(8)
        if step == 0 and names:
            del item[self.random.choice(names)]
        elif step == 1:
            item[self.random.choice(UNKNOWN)] = copy.deepcopy(self.random.choice(STRANGE))
        elif step == 2:
            # A field of the kind, which the rest of the document may not go with.
            _, fields = self.random.choice(self.base[kind])
            name = self.random.choice(sorted(fields))
            item[name] = copy.deepcopy(self.random.choice(fields[name]))
        elif step == 3 and names:
            name = self.random.choice(names)
            item[name] = self.beside(item[name])
        elif step in (4, 5) and names:
            self.damage_within(item, self.random.choice(names))
        elif names:
            item[self.random.choice(names)] = copy.deepcopy(self.random.choice(STRANGE))

    def damage_within(self, holder, place):
        """Goes down to a value somewhere below, and changes that."""
        value = holder[place]
        if isinstance(value, dict) and value and self.chance(80):
            if self.chance(20):
                value[self.random.choice(UNKNOWN)] = 1
            else:
                self.damage_within(value, self.random.choice(list(value)))
        elif isinstance(value, list) and value and self.chance(80):
            if self.chance(20):
                value *= 9
            else:
                self.damage_within(value, self.random.randrange(len(value)))
        else:
            holder[place] = self.beside(value) if self.chance(50) else copy.deepcopy(self.random.choice(STRANGE))

    def beside(self, value):
        """A value close by: one more or less, another type, a character more."""
        if isinstance(value, bool) or value is None:
            return self.random.choice([0, 1, "", "true"])
        if isinstance(value, (int, float)):
            number = int(value)
            return self.random.choice([number - 1, number + 1, -number, float(number), number + 0.5, str(number), [number]])
        if isinstance(value, str):
            return self.random.choice(
                [value + self.random.choice("/ä\n\x7f ~*"), value[:-1], value * 30, value.upper(), [value], " " + value])
        return self.random.choice([[value], {"value": value}, str(value)])
