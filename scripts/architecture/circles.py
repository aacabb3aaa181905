"""Which file of a target uses which, and where folders form a circle.

This is an analysis of names, not of meaning. A file uses another one when it names a type, type alias or function that, of all
files of the target, only the other one declares outside of any braces. An extension of another file's type uses that file.
So this analysis does not see uses of:

  - members that an extension in another file declares;
  - values whose type is inferred (`.shared`, `$0.name`), and constants outside of any braces;
  - names that several files of the target declare, unless all but one are private;
  - names that the using file declares itself, at any depth or as a parameter.

`Release.State` is a use of `Release` alone. A generic parameter that bears the name of a type counts as a use of the type.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from architecture import swift_source

ROOT = "."

_WORD = re.compile(r"(?<![\w.])`?([A-Za-z_]\w*)")
_NESTED = re.compile(r"(?<![\w.`])(?:class|struct|enum|actor|protocol|typealias|associatedtype|func|let|var|case|for)\s+`?(\w+)")
_PARAMETER = re.compile(r"(?<![\w.])`?([a-z]\w*)`?\s*:(?!:)")

Graph = Mapping[str, set[str]]


@dataclass(frozen=True, order=True)
class Use:
    """The first place where a file names what another one declares."""

    user: str
    line: int
    name: str
    declarer: str


def uses(codes: Mapping[str, str]) -> list[Use]:
    """Who uses whom among the files of one target, from their code without comments; one use for each pair of files."""
    declarers: dict[str, set[str]] = defaultdict(set)
    for path, code in codes.items():
        for declaration in swift_source.top_level_declarations(code):
            if not declaration.is_private:
                declarers[declaration.name].add(path)
    only = {name: paths.pop() for name, paths in declarers.items() if len(paths) == 1}
    return [use for path, code in codes.items() for use in _uses(path, code, only)]


def _uses(path: str, code: str, only: Mapping[str, str]) -> Iterator[Use]:
    own = set(_NESTED.findall(code)) | set(_PARAMETER.findall(code))
    seen = {path}
    for match in _WORD.finditer(code):
        declarer = only.get(match[1])
        if declarer is not None and declarer not in seen and match[1] not in own:
            seen.add(declarer)
            yield Use(path, swift_source.line_of(code, match.start(1)), match[1], declarer)


def folder(path: str, target: str) -> str:
    """The file's folder within the target's; `ROOT` for a file right in it."""
    return path[len(target) + 1 :].rpartition("/")[0] or ROOT


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components with more than one member, each sorted."""
    # Tarjan's algorithm.
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in numbers:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], numbers[other])
        if lowest[node] == numbers[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in numbers:
            visit(node)
    return sorted(component for component in found if len(component) > 1)


def graph_of(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = defaultdict(set)
    for start, end in pairs:
        graph[start].add(end)
    return graph


def explanation(circle: list[str], weights: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """Arrows that make the circle, of which none could be left out.

    Those with the greatest weights are left out first: what remains is easier to cut. The arrows come in the order of a walk.
    """
    members = set(circle)
    arrows = sorted((pair for pair in weights if set(pair) <= members), key=lambda pair: (-weights[pair], pair))
    for arrow in list(arrows):
        fewer = [other for other in arrows if other != arrow]
        if circles(graph_of(fewer)) == [circle]:
            arrows = fewer
    graph = graph_of(arrows)
    walk: list[tuple[str, str]] = []
    waiting, visited = [circle[0]], set()
    while waiting:
        node = waiting.pop()
        if node not in visited:
            visited.add(node)
            walk += [(node, other) for other in sorted(graph[node])]
            waiting += sorted(graph[node], reverse=True)
    return walk
