"""Shows that the comparison finds each kind of change, and only that."""

import copy
import json

from replaying import bodies, comparing, names

HEADERS = [
    ["Date", "<date>"], ["Content-Type", "application/json; charset=utf-8"], ["Content-Length", "<length>"], ["ETag", '"a"']]


def entry(request, body, status=200):
    return {"request": request, "sent": [["Accept", "*/*"]], "sentBody": None, "status": status, "reason": "OK",
        "headers": copy.deepcopy(HEADERS), "body": body}


RECORDING = [
    entry("first", json.dumps({"id": "<id 1>", "name": "a", "count": 7, "list": [1, {"deep": True}]})),
    entry("second", json.dumps({"error": {"code": 404, "message": "There is nothing."}}), 404),
    entry("third", '<!DOCTYPE html>\n<a href="/x/<id 1>">a</a>\n<p>text</p>'), entry("fourth", {"bytes": 3, "sha256": "abc"}),
    entry("fifth", json.dumps({"id": "<id 1>", "other": "<id 2>"}))]


def member(index, change):
    """A change of the JSON of one answer."""
    def apply(recording):
        value = json.loads(recording[index]["body"])
        change(value)
        recording[index]["body"] = json.dumps(value)
    return apply


def replaced(index, before, after):
    def apply(recording):
        assert before in recording[index]["body"]
        recording[index]["body"] = recording[index]["body"].replace(before, after)
    return apply


# What is changed, and in which request that must be reported.
CHANGES = {
    "a status": (lambda all: all[1].update(status=403), "second"),
    "a reason": (lambda all: all[1].update(reason="Gone"), "second"),
    "a connection that ends without an answer": (lambda all: all[1].update(status=None), "second"),
    "an interim answer": (lambda all: all[1].update(interim=[100]), "second"),
    "the value of a header field": (lambda all: all[0]["headers"].__setitem__(3, ["ETag", '"b"']), "first"),
    "the name of a header field": (lambda all: all[0]["headers"].__setitem__(3, ["Etag", '"a"']), "first"),
    "a header field that is gone": (lambda all: all[0]["headers"].pop(), "first"),
    "a header field that is new": (lambda all: all[0]["headers"].append(["X-A", "b"]), "first"),
    "a header field twice": (lambda all: all[0]["headers"].append(["ETag", '"a"']), "first"),
    "the order of header fields": (lambda all: all[0]["headers"].reverse(), "first"),
    "the value of a member": (member(0, lambda value: value.update(name="b")), "first"),
    "a number as text": (member(0, lambda value: value.update(count="7")), "first"),
    "a member that is gone": (member(0, lambda value: value.pop("name")), "first"),
    "a member that is new": (member(0, lambda value: value.update(new=None)), "first"),
    "a deep member": (member(0, lambda value: value["list"][1].update(deep=False)), "first"),
    "a longer list": (member(0, lambda value: value["list"].append(1)), "first"),
    "the order of members": (member(0, lambda value: value.update(id=value.pop("id"))), "first"),
    "the form of JSON": (replaced(0, ", ", ",\n"), "first"),
    "a letter of a page": (replaced(2, "text", "test"), "third"), "a line of a page": (replaced(2, "\n<p>text</p>", ""), "third"),
    "other bytes": (lambda all: all[3].update(body={"bytes": 3, "sha256": "abd"}), "fourth"),
    "no body": (lambda all: all[3].update(body=None), "fourth"),
    "text in place of bytes": (lambda all: all[3].update(body="abc"), "fourth"),
    "an id that should appear again": (replaced(4, "<id 1>", "<id 3>"), "fifth"),
    "an id that should be another one": (replaced(4, "<id 2>", "<id 1>"), "fifth"),
    "an id of another kind": (replaced(4, "<id 2>", "<token 2>"), "fifth"),
    "another request": (lambda all: all[0].update(sentBody="x"), "first"),
    "a request that is missing": (lambda all: all.pop(), "fifth"),
    "a request that is new": (lambda all: all.append(entry("sixth", None)), "sixth"),
    "the order of requests": (lambda all: all.reverse(), "the order")}


def differences(left, right):
    return comparing.Comparison(*({one["request"]: one for one in recording} for recording in (left, right))).differences


def failures(recording_file=None):
    """What does not hold, a line each."""
    problems = []

    def must(holds, text):
        if not holds:
            problems.append(text)

    must(not differences(RECORDING, copy.deepcopy(RECORDING)), "a recording differs from itself")
    for what, (change, request) in CHANGES.items():
        changed = copy.deepcopy(RECORDING)
        change(changed)
        found = differences(RECORDING, changed)
        must(list(found) == [request], f"{what}: reported in {list(found)}, not in {request}")
    renumbered = json.loads(json.dumps(RECORDING).replace("<id 1>", "<id 7>").replace("<id 2>", "<id 1>"))
    must(not differences(RECORDING, renumbered), "other numbers of the same names are a difference")
    must(list(differences([*RECORDING, entry("sixth", "<id 3>"), entry("seventh", "<id 3>")],
        [*RECORDING, entry("sixth", "<id 2>"), entry("seventh", "<id 2>")])) == ["sixth"],
         "one wrong name is reported more than once")
    for problem in (*naming(), *(in_file(recording_file) if recording_file else ())):
        problems.append(problem)
    return problems


def naming():
    """What gets a name, and what stays."""
    known = names.Names()
    known.start = 1_800_000_000  # 2027-01-15T08:00:00Z
    rendered = bodies.Bodies(known)
    for before, after in (
            ('{"a":"2027-01-15T08:01:02.123456Z","b":"2040-01-01T00:00:01Z"}', '{"a":"<time, now>","b":"2040-01-01T00:00:01Z"}'),
            ('{"expireTime":"2027-01-15T09:00:03Z"}', '{"expireTime":"<time, now+3600 s>"}'),
            ('{"text":"such as 2027-01-15T08:00:00Z"}', '{"text":"such as 2027-01-15T08:00:00Z"}'),
            ('{"id":"0123456789abcdef","again":"0123456789abcdef","other":"fedcba9876543210"}',
                '{"id":"<id 1>","again":"<id 1>","other":"<id 2>"}'),
            ('{"projectNumber":123456789012,"size":1234}', '{"projectNumber":"<project-number 1>","size":1234}'),
            ('{"runMicroseconds":1234,"runs":5}', '{"runMicroseconds":"<measured>","runs":5}'),
            ('{"hash":"' + "0123456789abcdef" * 4 + '"}', '{"hash":"' + "0123456789abcdef" * 4 + '"}')):
        shown = rendered.render(before.encode(), "application/json")
        if shown != after:
            yield f"{before} is shown as {shown}"


def in_file(path):
    """Changes single answers of a recording, from its beginning to its end."""
    recording = list(comparing.load(path).values())
    if differences(recording, copy.deepcopy(recording)):
        yield f"{path} differs from itself"
    step = max(1, len(recording) // 25)
    for index in range(0, len(recording), step):
        one = recording[index]
        for part, value in (("status", 299), ("headers", one["headers"] + [["X-New", "a"]]), ("body", f"{one['body']} ")):
            changed = [*recording[:index], {**one, part: value}, *recording[index + 1:]]
            if list(differences(recording, changed)) != [one["request"]]:
                yield f"another {part} of '{one['request']}' was not reported"
