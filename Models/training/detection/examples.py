"""Example pages of held-out digits, to try the model on."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from ..digits import LABELS, Digits
from .evaluation import THRESHOLD, Finder
from .pages import Form, drawn_page
from .painting import Colours, painted

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
CHALK, BOARD = (235, 238, 230), (38, 66, 54)
INK_BLUE, PAPER_CREAM = (28, 46, 120), (246, 240, 222)
PENCIL, PAPER_GRAY = (84, 84, 88), (226, 226, 224)
RED, PAPER_YELLOW = (170, 30, 36), (252, 238, 160)
GREEN, PAPER_BLUE = (16, 84, 52), (205, 224, 240)


@dataclass(frozen=True)
class Example:
    """A page of this form in these colours, with digits drawn by this seed, in a file of this name."""

    file_name: str
    form: Form
    colours: Colours
    seed: int


# The seeds were picked for well-filled pages; those of small and ruled also for pages where no digit is misread.
EXAMPLES = (
    Example("three.png", Form(320, 240, 80, 3, in_rows=True), Colours(BLACK, WHITE), seed=107),
    Example("note.jpg", Form(480, 360, 84, 10, in_rows=True), Colours(INK_BLUE, PAPER_CREAM, 0.15, 6), seed=202),
    Example("board.jpg", Form(800, 600, 120, 9, in_rows=False), Colours(CHALK, BOARD, 0.2, 8), seed=303),
    Example("squared.jpg", Form(600, 600, 72, 12, True, True, True), Colours(PENCIL, PAPER_GRAY, 0.1, 5), seed=409),
    Example("tall.jpg", Form(420, 700, 96, 6, in_rows=False), Colours(RED, PAPER_YELLOW, 0.1, 4), seed=501),
    Example("large.jpg", Form(960, 640, 160, 7, in_rows=True), Colours(GREEN, PAPER_BLUE, 0.25, 6), seed=605),
    Example("small.png", Form(360, 360, 26, 12, in_rows=True), Colours(BLACK, WHITE), seed=702),
    Example("ruled.jpg", Form(900, 500, 90, 10, True, True), Colours(INK_BLUE, WHITE, 0.2, 6), seed=802),
)


def write_examples(held_out: Digits, folder: Path) -> None:
    """Writes the pages and `boxes.csv` (file, digit, left, top, right, bottom; in pixels)."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for example in EXAMPLES:
        rng = np.random.default_rng(example.seed)
        page = drawn_page(held_out, example.form, rng)
        _write(painted(page.ink, example.colours, rng), folder / example.file_name)
        boxes = _in_pixels(page.boxes, example)
        rows += [(example.file_name, LABELS[digit], *box) for digit, box in zip(page.digits, boxes)]
    with open(folder / "boxes.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["file", "digit", "left", "top", "right", "bottom"])
        writer.writerows(rows)


def _in_pixels(boxes: np.ndarray, example: Example) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom."""
    width, height = example.form.width, example.form.height
    return [
        (round(left * width), round(top * height), round(right * width), round(bottom * height))
        for top, left, bottom, right in boxes.tolist()
    ]


def _write(picture: np.ndarray, path: Path) -> None:
    options = {"quality": 90} if path.suffix == ".jpg" else {"optimize": True}
    Image.fromarray(picture).save(path, **options)


def examined_examples(detector: Finder, folder: Path, threshold: float = THRESHOLD) -> dict[str, list[dict]]:
    """What the model finds on each written page: file name -> digit, score, and the box in pixels; best first."""
    answers = {}
    for example in EXAMPLES:
        decoded = np.asarray(Image.open(folder / example.file_name).convert("RGB"))
        found = detector.detections(decoded).above(threshold)
        answers[example.file_name] = [
            {"label": LABELS[digit], "score": round(float(score), 3), "box": list(box)}
            for digit, score, box in zip(found.digits, found.scores, _in_pixels(found.boxes, example))
        ]
    return answers
