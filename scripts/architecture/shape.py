"""The rules about the shape of the sources: how long functions are, and how full folders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from architecture import swift_source
from architecture.package import Package
from architecture.violation import Violation

MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_FOLDER = 1500


def _sources(package: Package) -> list[str]:
    return [path for path in package.swift_files() if path.startswith("Sources/")]


def function(package: Package) -> Iterator[Violation]:
    for path in _sources(package):
        for body in swift_source.bodies(swift_source.code(package.text(path) or "")):
            if body.lines > MOST_LINES_OF_A_FUNCTION:
                text = f"`{body.name}` has {body.lines} lines; the limit is {MOST_LINES_OF_A_FUNCTION}: split it"
                yield Violation(path, body.first_line, "function", text, (f"{path}:{body.name}",))


def folder(package: Package) -> Iterator[Violation]:
    lines: dict[str, int] = defaultdict(int)
    for path in _sources(package):
        lines[path.rpartition("/")[0]] += (package.text(path) or "").count("\n")
    for path, count in lines.items():
        if count > MOST_LINES_OF_A_FOLDER:
            text = f"{count:,} lines of Swift right in it; the limit is {MOST_LINES_OF_A_FOLDER:,}: make folders of its subjects"
            yield Violation(path, 1, "folder", text, (path,))
