"""The rules about the shape of the sources: how long functions are, how full folders are, and which folders use each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from architecture import circles, swift_source
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


def circle(package: Package) -> Iterator[Violation]:
    """One violation for each circle of folders.

    Files right in a target's folder stay out of it: they compose what is in the folders. See circles.py for what this analysis
    cannot see.
    """
    files: dict[str, dict[str, str]] = defaultdict(dict)
    for path in _sources(package):
        target = package.target_of(path)
        if target is not None:
            files[target.name][path] = swift_source.code(package.text(path) or "")
    for name, codes in files.items():
        yield from _circles(name, package.targets[name].path, codes)


def _circles(name: str, root: str, codes: dict[str, str]) -> Iterator[Violation]:
    arrows: dict[tuple[str, str], list[circles.Use]] = defaultdict(list)
    for use in circles.uses(codes):
        pair = circles.folder(use.user, root), circles.folder(use.declarer, root)
        if circles.ROOT not in pair and pair[0] != pair[1]:
            arrows[pair].append(use)
    weights = {pair: len(found) for pair, found in arrows.items()}
    for members in circles.circles(circles.graph_of(arrows)):
        shown = circles.explanation(members, weights)
        text = f"{len(members)} folders of {name} use each other, so none can be read alone: {', '.join(members)}"
        for pair in shown:
            text += "\n    " + _arrow(pair, sorted(arrows[pair]), root)
        example = min(arrows[shown[0]])
        yield Violation(example.user, example.line, "circle", text, tuple(f"{root}/{member}" for member in members))


def _arrow(pair: tuple[str, str], found: list[circles.Use], root: str) -> str:
    example = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{pair[0]} -> {pair[1]}: {example.user[len(root) + 1 :]}:{example.line} uses {example.name}{more}"
