"""Everything that was measured, as it is kept beside the page: one part for each benchmark."""

import json

from performance import crash_guard_rows, interpreter_rows, server_rows, vision_rows
from performance.rows import Row

FORMAT = 1
# In the order of the page.
MAKERS = {
    "Interpreter": interpreter_rows.rows, "CrashGuard": crash_guard_rows.rows, "Vision": vision_rows.rows,
    "Server": server_rows.rows}


class DocumentError(Exception):
    """A file is not what this program writes; the text says so for people."""


def part(results, date, commit, seconds):
    """A benchmark's part: what it printed as JSON, when and at which commit it ran, and how long that took."""
    rows = list(MAKERS[results["benchmark"]](results))
    names = [row.name for row in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DocumentError(f"{results['benchmark']} has two rows of the name '{twice[0]}'")
    return {
        "date": date, "commit": commit, "seconds": round(seconds), "machine": results["machine"],
        "settings": results["settings"], "left_out": results.get("left_out", []), "rows": [row.as_json() for row in rows]}


def with_part(document, name, new):
    """The document with that benchmark's part in the place of what it had."""
    benchmarks = {**document["benchmarks"], name: new}
    order = [*MAKERS, *benchmarks]
    return {"format": FORMAT, "benchmarks": {key: benchmarks[key] for key in dict.fromkeys(order) if key in benchmarks}}


def empty():
    return {"format": FORMAT, "benchmarks": {}}


def rows(part):
    return [Row.of_json(value) for value in part["rows"]]


def parse(text, name):
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise DocumentError(f"{name} has the format {document['format']}, and this program reads {FORMAT}")
        for benchmark in document["benchmarks"].values():
            rows(benchmark)
        return document
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DocumentError(f"{name} is not what scripts/bench --report writes ({error!r})") from error


def text(document):
    """A line for each row, so that a difference between two versions shows which rows changed."""
    parts = []
    for name, value in document["benchmarks"].items():
        head = [f"  {json.dumps(key)}: {json.dumps(value[key])}" for key in value if key != "rows"]
        lines = ",\n".join(f"   {json.dumps(row)}" for row in value["rows"])
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join([*head, f'  "rows": [\n{lines}\n  ]']) + "\n }")
    return f'{{"format": {document["format"]}, "benchmarks": {{\n' + ",\n".join(parts) + "\n}}\n"
