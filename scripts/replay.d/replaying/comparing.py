"""Compares two recordings."""

import collections
import json

from replaying.names import NAME

# Texts longer than this are shown from a little before the first difference on.
SHOWN = 160


class Unreadable(Exception):
    """The file is not a recording."""


def load(path):
    """The lines of a recording by their requests, in order."""
    entries = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                entries[entry["request"]] = entry
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path} is not a recording: {error}") from error
    if not entries:
        raise Unreadable(f"{path} is not a recording: it is empty")
    return entries


class Pairing:
    """Which name of one recording means the same as which name of the other.

    The numbers of names may differ: one more token in the middle changes the numbers of all later ones. But a name must always
    meet the same other name.
    """

    def __init__(self):
        self.there = {}
        self.back = {}

    def fits(self, left, right):
        """Whether the texts are the same but for the numbers of names."""
        if left == right and not NAME.search(left):
            return True
        lefts, rights = NAME.findall(left), NAME.findall(right)
        if NAME.sub(r"<\1>", left) != NAME.sub(r"<\1>", right):
            return False
        fit = True
        for (kind, number), (_, other) in zip(lefts, rights):
            known = self.there.get((kind, number)), self.back.get((kind, other))
            fit = fit and known in ((None, None), (other, number))
            # After a difference the new pair counts, so that it is reported once.
            self.there[kind, number], self.back[kind, other] = other, number
        return fit


class Comparison:
    """The differences of two recordings: for each request a list of lines."""

    def __init__(self, left, right):
        self.pairing = Pairing()
        self.differences = {}
        self.kinds = collections.Counter()
        for request, entry in left.items():
            lines = self._entry(entry, right[request]) if request in right else self._one("missing", "is only in the first")
            if lines:
                self.differences[request] = lines
        for request in right:
            if request not in left:
                self.differences[request] = self._one("missing", "is only in the second")
        common = [request for request in left if request in right]
        if common != [request for request in right if request in left]:
            self.differences["the order"] = self._one("order", "the requests are in another order")

    def _one(self, kind, text):
        self.kinds[kind] += 1
        return [text]

    def _entry(self, left, right):
        lines = []
        # In this order, because names appear in it.
        for part in ("sent", "sentBody", "status", "reason", "interim"):
            lines += self._values(part, left.get(part), right.get(part), part)
        lines += self._headers(left["headers"], right["headers"])
        lines += self._bodies(left["body"], right["body"])
        return lines

    def _values(self, place, left, right, kind):
        texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in (left, right)]
        if type(left) is type(right) and self.pairing.fits(*texts):
            return []
        return self._one(kind, f"{place}: {excerpts(*texts)}")

    def _headers(self, left, right):
        lines = []
        if [name for name, _ in left] == [name for name, _ in right]:
            for (name, value), (_, other) in zip(left, right):
                lines += self._values(f"header {name}", value, other, "header")
            return lines
        rest = list(right)
        for name, value in left:
            found = next((field for field in rest if field[0] == name and self.pairing.fits(value, field[1])), None)
            if found:
                rest.remove(found)
                continue
            found = next((field for field in rest if field[0] == name), None)
            if found:
                rest.remove(found)
                lines += self._one("header", f"header {name}: {excerpts(value, found[1])}")
            else:
                lines += self._one("header", f"header {name}: {value!r} is gone")
        for name, value in rest:
            lines += self._one("header", f"header {name}: {value!r} is new")
        return lines or self._one("header order", "the header fields came in another order")

    def _bodies(self, left, right):
        if isinstance(left, str) and isinstance(right, str):
            try:
                values = json.loads(left), json.loads(right)
            except ValueError:
                return self._lines(left, right)
            if isinstance(values[0], (dict, list)):
                found = self._members("body", *values)
                return found or self._values("body", left, right, "form of JSON")
        return self._values("body", left, right, "body")

    def _lines(self, left, right):
        """The first lines of text that differ."""
        lefts, rights = left.split("\n"), right.split("\n")
        found = []
        if len(lefts) != len(rights):
            found.append(f"{len(lefts)} lines -> {len(rights)} lines")
        for number, pair in enumerate(zip(lefts, rights), 1):
            if not self.pairing.fits(*pair):
                found.append(f"body, line {number}: {excerpts(*pair)}")
                if len(lefts) != len(rights) or len(found) > 5:
                    break
        if found:
            self.kinds["body"] += 1
        return found

    def _members(self, place, left, right):
        """The members of JSON that differ."""
        if isinstance(left, dict) and isinstance(right, dict):
            lines = []
            for name in list(left) + [name for name in right if name not in left]:
                path = f"{place}.{name}"
                if name not in right:
                    lines += self._one("member", f"{path}: {short(json.dumps(left[name], ensure_ascii=False))} is gone")
                elif name not in left:
                    lines += self._one("member", f"{path}: {short(json.dumps(right[name], ensure_ascii=False))} is new")
                else:
                    lines += self._members(path, left[name], right[name])
            if not lines and list(left) != list(right) and not any(map(NAME.search, left)):
                lines += self._one("member order", f"{place}: the members came in another order")
            return lines
        if isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return self._one("member", f"{place}: {len(left)} items -> {len(right)} items")
            return [line for index, pair in enumerate(zip(left, right)) for line in self._members(f"{place}[{index}]", *pair)]
        return self._values(place, left, right, "member")


def short(text):
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def excerpts(left, right):
    """Both texts, from a little before the first difference on."""
    start = next((place for place, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
    start = max(0, start - SHOWN // 3) if max(len(left), len(right)) > SHOWN else 0
    mark = "…" if start else ""
    return f"{mark}{short(left[start:])!r} -> {mark}{short(right[start:])!r}"
