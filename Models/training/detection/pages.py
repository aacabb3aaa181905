"""Pages with several handwritten digits, and where on the page each of them is."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..digits import Digits
from ..pictures import CRISP_SHARE, turned

# Digits' heights in page pixels.
SMALLEST, LARGEST = 24, 160
# The same in pixels of the network's input: smaller ones cannot be read.
SMALLEST_SEEN, LARGEST_SEEN = 20, 110

INK_EDGE = 0.35  # a digit's box holds every pixel with more ink than this
SLACK = 24  # pixels around a box for the soft edge of the ink
TURN = 12  # degrees
TRIES_PER_DIGIT = 8

ROWS_SHARE = 0.6  # pages written in rows; the others are scattered
RULED_SHARE = 0.3  # pages on ruled or squared paper
FAINTEST_RULE, STRONGEST_RULE = 0.06, 0.3


@dataclass(frozen=True)
class Form:
    """What a page looks like: sizes in pixels, how many digits at most, in rows or scattered, on which paper."""

    width: int
    height: int
    digit_height: float
    count: int
    in_rows: bool
    ruled: bool = False
    squared: bool = False


@dataclass(frozen=True)
class Page:
    """Ink amounts, uint8 [height, width], 0 (paper) ... 255, and what is written there.

    `boxes` are float32 [N, 4]: top, left, bottom, right in 0 ... 1 of the page; `digits` are int64 [N].
    """

    ink: np.ndarray
    boxes: np.ndarray
    digits: np.ndarray


def random_form(rng: np.random.Generator, input_side: int, count: int | None = None) -> Form:
    """A page of any shape whose digits are not too small to read once it is stretched to the input's side.

    `count` is how many digits it has at most; 3 to 12 at random if absent.
    """
    longer = input_side * np.exp(rng.uniform(0, np.log(3)))
    shape = np.exp(rng.uniform(-0.6, 0.6))
    width, height = int(longer * min(1, shape)), int(longer * min(1, 1 / shape))
    seen_height = np.exp(rng.uniform(np.log(SMALLEST_SEEN), np.log(LARGEST_SEEN)))
    digit_height = np.clip(seen_height * np.sqrt(width * height) / input_side, SMALLEST, LARGEST)
    ruled = rng.random() < RULED_SHARE
    return Form(
        width,
        height,
        digit_height=min(digit_height, 0.5 * min(width, height)),
        count=int(rng.integers(3, 13)) if count is None else count,
        in_rows=rng.random() < ROWS_SHARE,
        ruled=ruled,
        squared=ruled and rng.random() < 0.5,
    )


def drawn_page(digits: Digits, form: Form, rng: np.random.Generator) -> Page:
    """Writes digits, drawn at random from `digits`, until the page has `form.count` of them or no more fit."""
    canvas = np.zeros((form.height + 2 * SLACK, form.width + 2 * SLACK), np.float32)
    ink = canvas[SLACK:-SLACK, SLACK:-SLACK]
    if form.ruled:
        _rule(ink, form, rng)
    boxes, written = [], []
    digit, stamp = _next_digit(digits, form, rng)
    for left, top in _places(form, rng):
        if len(written) == form.count:
            break
        box = np.array([top, left, top + stamp.shape[0] - 2 * SLACK, left + stamp.shape[1] - 2 * SLACK])
        if _fits(box, boxes, form):
            area = canvas[top : top + stamp.shape[0], left : left + stamp.shape[1]]
            np.maximum(area, stamp, out=area)
            boxes.append(box)
            written.append(digit)
            digit, stamp = _next_digit(digits, form, rng)
    sides = np.array([form.height, form.width] * 2, np.float32)
    return Page(
        (ink * 255 + 0.5).astype(np.uint8),
        np.array(boxes, np.float32).reshape(-1, 4) / sides,
        np.array(written, np.int64),
    )


def _next_digit(digits: Digits, form: Form, rng: np.random.Generator) -> tuple[int, np.ndarray]:
    index = int(rng.integers(len(digits)))
    return digits.labels[index], _stamp(digits.ink[index], form.digit_height * rng.uniform(0.8, 1.2), rng)


def _stamp(ink: np.ndarray, height: float, rng: np.random.Generator) -> np.ndarray:
    """One digit, slightly turned and stretched, cut out along its box and SLACK more on every side."""
    side = int(height * 1.6) + 4
    aspect = np.exp(rng.uniform(-0.15, 0.15))
    picture = turned(ink, side, rng.uniform(-TURN, TURN), height / side, aspect, (side / 2, side / 2))
    if rng.random() < CRISP_SHARE:
        picture = np.clip((picture - rng.uniform(0.45, 0.65)) * rng.uniform(1, 5) + 0.5, 0, 1)
    rows, columns = np.nonzero(picture > INK_EDGE)
    picture = np.pad(picture, SLACK)
    return picture[rows.min() : rows.max() + 1 + 2 * SLACK, columns.min() : columns.max() + 1 + 2 * SLACK]


def _places(form: Form, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Left and top edges to try."""
    return _row_places(form, rng) if form.in_rows else _scattered_places(form, rng)


def _scattered_places(form: Form, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    for _ in range(form.count * TRIES_PER_DIGIT):
        yield int(rng.uniform(0, form.width)), int(rng.uniform(0, form.height))


def _row_places(form: Form, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Row by row, with now and then the wider gap that parts two numbers."""
    size = form.digit_height
    tightness = rng.uniform(0.75, 1.2)
    top = rng.uniform(0.05, 1) * size if rng.random() < 0.5 else rng.uniform(0, 0.8) * form.height
    while top < form.height:
        left = rng.uniform(0.05, 1) * size
        while left < form.width:
            yield int(left), max(0, int(top + rng.normal(0, 0.05) * size))
            left += size * tightness * (rng.uniform(1.5, 2.5) if rng.random() < 0.15 else rng.uniform(0.9, 1.15))
        top += size * rng.uniform(1.3, 1.9)


def _fits(box: np.ndarray, others: list[np.ndarray], form: Form) -> bool:
    top, left, bottom, right = box
    if bottom > form.height or right > form.width:
        return False
    gap = max(2, 0.05 * form.digit_height)
    return all(
        top >= other[2] + gap or bottom <= other[0] - gap or left >= other[3] + gap or right <= other[1] - gap
        for other in others
    )


def _rule(ink: np.ndarray, form: Form, rng: np.random.Generator) -> None:
    """Faint lines as thin as a pen's, across or both ways."""
    strength = rng.uniform(FAINTEST_RULE, STRONGEST_RULE)
    step = max(12, int(form.digit_height * rng.uniform(0.4, 1.6)))
    start = int(rng.integers(step))
    thickness = max(1, round(max(form.width, form.height) / 500))
    for offset in range(thickness):
        ink[start + offset :: step] = strength
        if form.squared:
            ink[:, start + offset :: step] = strength
