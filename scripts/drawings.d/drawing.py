"""A drawing of lanes, boxes and arrows as SVG, from plain data. The same data makes the same bytes.

A box is in a lane (a column) and a row. An arrow goes straight down, straight to the side, or down and then to the side. One
that would run over a box or across another arrow is refused, and so is a word that is wider than its box.
"""

from __future__ import annotations

import html
import itertools
from dataclasses import dataclass

# As wide as pages show it, so that a text keeps its size.
WIDTH = 830
MARGIN = 12
PADDING = 7
SIZE = 12.5
LINE = 17
HEADER = 42
ROW_GAP = 26
GAPS = {2: 150, 3: 92, 4: 26}
# Of the widest fonts that a reader may have, per character.
CODE_WIDTH, WORD_WIDTH = SIZE * 0.61, SIZE * 0.575

# Both colour schemes have a ground of their own, because a page may have another scheme than the reader's system.
STYLE = """\
text { font: 12.5px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.ground { fill: #ffffff } .lane { fill: #f3f5f8 } .box { fill: #ffffff; stroke: #8c959f }
.name { font-weight: 600 } .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #0a3069 }
.label { fill: #57606a } .arrow { fill: none; stroke: #57606a; stroke-width: 1.5 } .head { fill: #57606a }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .ground { fill: #0d1117 } .lane { fill: #161b22 } .box { fill: #0d1117; stroke: #6e7681 }
.code { fill: #a5d6ff } .label { fill: #a0a8b2 } .arrow { stroke: #a0a8b2 } .head { fill: #a0a8b2 }
}"""


class DrawingError(Exception):
    """What is wrong with the data of a drawing."""


@dataclass
class Box:
    lane: int
    row: int
    code: str
    text: str
    lines: list[tuple[str, str]]
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


def boxes_of(data: dict) -> dict[str, Box]:
    """The boxes by their names, with their texts in lines."""
    lanes = data["lane"]
    room = _box_width(len(lanes)) - 2 * PADDING
    found: dict[str, Box] = {}
    for entry in data["box"]:
        code, text = entry.get("code", ""), entry.get("text", "")
        lines = [("code", line) for line in _wrapped_code(code, room)] + [("", line) for line in _wrapped(text, room)]
        name = entry["id"]
        if name in found:
            raise DrawingError(f"two boxes are called {name}")
        if not 0 <= entry["lane"] < len(lanes):
            raise DrawingError(f"{name} is in lane {entry['lane']}, which does not exist")
        found[name] = Box(entry["lane"], entry["row"], code, text, lines)
    places = [(box.lane, box.row) for box in found.values()]
    for place in {place for place in places if places.count(place) > 1}:
        raise DrawingError(f"two boxes are in lane {place[0]} and row {place[1]}")
    return found


def svg(data: dict) -> str:
    boxes = boxes_of(data)
    height = _place(boxes, len(data["lane"]))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title">',
        f'<title id="title">{html.escape(data["title"])}</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>',
    ]
    for number, lane in enumerate(data["lane"]):
        parts += _lane(number, lane, len(data["lane"]), height)
    arrows = [_arrow(text, boxes) for text in data["arrows"]]
    _check_crossings(arrows, boxes)
    for _, points, label in arrows:
        parts += _line(points, label, GAPS[len(data["lane"])])
    for box in boxes.values():
        parts += _box(box)
    return "\n".join([*parts, "</svg>", ""])


def _box_width(lanes: int) -> float:
    if lanes not in GAPS:
        raise DrawingError(f"a drawing has 2 to 4 lanes, not {lanes}")
    return (WIDTH - 4 * MARGIN - (lanes - 1) * GAPS[lanes]) / lanes


def _x(lane: int, lanes: int) -> float:
    return 2 * MARGIN + lane * (_box_width(lanes) + GAPS[lanes])


def _place(boxes: dict[str, Box], lanes: int) -> int:
    """Gives the boxes their places, and returns the height of all."""
    y = float(MARGIN + HEADER)
    for row in range(max(box.row for box in boxes.values()) + 1):
        present = [box for box in boxes.values() if box.row == row]
        most = max((len(box.lines) for box in present), default=0)
        tall = most * LINE + 2 * PADDING if present else 0
        for box in present:
            box.width, box.height = _box_width(lanes), len(box.lines) * LINE + 2 * PADDING
            box.x, box.y = _x(box.lane, lanes), y + (tall - box.height) / 2
        y += tall + ROW_GAP
    return round(y - ROW_GAP + 2 * MARGIN)


def _wrapped(text: str, room: float, width: float = WORD_WIDTH) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if len(word) * width > room:
            raise DrawingError(f"'{word}' is wider than its box")
        if lines and len(f"{lines[-1]} {word}") * width <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _wrapped_code(code: str, room: float) -> list[str]:
    """A name in one line, or with its member in the next."""
    if len(code) * CODE_WIDTH <= room:
        return [code] if code else []
    owner, _, member = code.partition(".")
    return _wrapped(f"{owner} .{member}" if member else owner, room, CODE_WIDTH)


def _arrow(text: str, boxes: dict[str, Box]) -> tuple[tuple[str, str], list[tuple[float, float]], str]:
    """Its ends, its corners and its label."""
    ends, _, label = text.partition(":")
    names = [name.strip() for name in ends.split("->")]
    for name in names:
        if name not in boxes:
            raise DrawingError(f"the arrow '{text}' names {name}, which is not a box")
    start, end = boxes[names[0]], boxes[names[1]]
    (x, y), (to_x, to_y) = start.middle, end.middle
    if start.lane == end.lane and start.row < end.row:
        points = [(x, start.y + start.height), (x, end.y)]
    elif start.row <= end.row and start.lane != end.lane:
        is_right = end.lane > start.lane
        edge = end.x if is_right else end.x + end.width
        if start.row == end.row:
            points = [(start.x + start.width if is_right else start.x, to_y), (edge, to_y)]
        else:
            points = [(x, start.y + start.height), (x, to_y), (edge, to_y)]
    else:
        raise DrawingError(f"the arrow '{text}' goes up or to its own box")
    return (names[0], names[1]), points, label.strip()


def _check_crossings(arrows: list, boxes: dict[str, Box]) -> None:
    segments = [(ends, a, b) for ends, points, _ in arrows for a, b in itertools.pairwise(points)]
    for ends, a, b in segments:
        for name, box in boxes.items():
            if name not in ends and _meet(a, b, (box.x, box.y), (box.x + box.width, box.y + box.height)):
                raise DrawingError(f"the arrow {' -> '.join(ends)} runs over the box {name}")
    for (ends, a, b), (others, c, d) in itertools.combinations(segments, 2):
        if ends != others and _meet(a, b, c, d):
            raise DrawingError(f"the arrows {' -> '.join(ends)} and {' -> '.join(others)} cross")


def _meet(a, b, c, d) -> bool:
    """Whether two rectangles, which may be as thin as a line, have a point in common."""
    return all(
        min(a[axis], b[axis]) <= max(c[axis], d[axis]) and min(c[axis], d[axis]) <= max(a[axis], b[axis]) for axis in (0, 1)
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, kind: str, text: str, anchor: str = "start") -> str:
    name = f' class="{kind}"' if kind else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{_number(x)}" y="{_number(y)}"{name}{side}>{html.escape(text, quote=False)}</text>'


def _lane(number: int, lane: dict, lanes: int, height: int) -> list[str]:
    x, width = _x(number, lanes) - MARGIN / 2, _box_width(lanes) + MARGIN
    parts = [
        f'<rect class="lane" x="{_number(x)}" y="{MARGIN}" width="{_number(width)}" height="{height - 2 * MARGIN}" rx="6"/>',
        _text(x + width / 2, MARGIN + 18, "name", lane["name"], "middle"),
    ]
    if place := lane.get("in"):
        _wrapped(place.replace(" ", "_"), width)
        parts.append(_text(x + width / 2, MARGIN + 34, "label", place, "middle"))
    return parts


def _line(points: list[tuple[float, float]], label: str, gap: float) -> list[str]:
    (before_x, before_y), (x, y) = points[-2:]
    if x == before_x:
        tip, head = (x, y - 6), [(x, y), (x - 4.5, y - 8), (x + 4.5, y - 8)]
    else:
        back = 8 if x > before_x else -8
        tip, head = (x - back * 0.75, y), [(x, y), (x - back, y - 4.5), (x - back, y + 4.5)]
    path = " ".join(f"{_number(x)},{_number(y)}" for x, y in [*points[:-1], tip])
    corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in head)
    parts = [f'<polyline class="arrow" points="{path}"/>', f'<polygon class="head" points="{corners}"/>']
    if label and x == before_x:
        parts.append(_text(x + 10, (before_y + y) / 2 + 4, "label", label))
    elif label:
        # Between the lanes, where the arrow ends.
        middle = x - gap / 2 if x > before_x else x + gap / 2
        for number, line in enumerate(reversed(_wrapped(label, gap - 6))):
            parts.append(_text(middle, y - 6 - number * 15, "label", line, "middle"))
    return parts


def _box(box: Box) -> list[str]:
    parts = [
        f'<rect class="box" x="{_number(box.x)}" y="{_number(box.y)}" width="{_number(box.width)}" '
        f'height="{_number(box.height)}" rx="4"/>'
    ]
    for number, (kind, line) in enumerate(box.lines):
        parts.append(_text(box.x + PADDING, box.y + PADDING + 13 + number * LINE, kind, line))
    return parts
