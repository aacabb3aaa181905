"""Example pictures of held-out digits, to try the models on."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from .digits import LABELS, Digits
from .evaluation import scores
from .pictures import stretched, upscaled

SIDE = 192  # pixels

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
INK_BLUE, PAPER_CREAM = (28, 46, 120), (246, 240, 222)


@dataclass(frozen=True)
class Example:
    """A held-out picture: the n-th of its digit (n = 0, 1 ...), in these colours, in a file of this name."""

    file_name: str
    n: int
    pen: tuple[int, int, int] = BLACK
    paper: tuple[int, int, int] = WHITE

    @property
    def digit(self) -> int:
        """The true digit, which the file's name begins with."""
        return int(self.file_name[0])


# The first held-out pictures of every digit, but for the very first 3: a poor one, which version 2 reads as a 9.
EXAMPLES = (
    Example("0-a.png", 0),
    Example("1-a.png", 0),
    Example("1-b.png", 1, pen=WHITE, paper=BLACK),
    Example("2-a.png", 0),
    Example("3-a.png", 1),
    Example("3-b.png", 2, pen=WHITE, paper=BLACK),
    Example("4-a.png", 0),
    Example("5-a.png", 0),
    Example("5-b.jpg", 1, pen=INK_BLUE, paper=PAPER_CREAM),
    Example("6-a.png", 0),
    Example("7-a.png", 0),
    Example("7-b.png", 1, pen=WHITE, paper=BLACK),
    Example("8-a.png", 0),
    Example("9-a.png", 0),
    Example("9-b.jpg", 1),
)


def write_examples(held_out: Digits, folder: Path) -> None:
    """Writes the pictures and `labels.csv` (file, label)."""
    folder.mkdir(parents=True, exist_ok=True)
    for example in EXAMPLES:
        _write(_picture(held_out, example), folder / example.file_name)
    with open(folder / "labels.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["file", "label"])
        rows.writerows((example.file_name, LABELS[example.digit]) for example in EXAMPLES)


def labelled_examples(model: bytes, folder: Path) -> dict[str, dict]:
    """What a model says about each written picture: file name -> first label and its score."""
    names = [example.file_name for example in EXAMPLES]
    decoded = [np.asarray(Image.open(folder / name).convert("RGB")) for name in names]
    small = np.stack([(stretched(picture) + 0.5).astype(np.uint8) for picture in decoded])
    return {
        name: {"label": LABELS[found.argmax()], "score": round(float(found.max()), 3)}
        for name, found in zip(names, scores(model, small))
    }


def _picture(held_out: Digits, example: Example) -> Image.Image:
    ink = upscaled(held_out.ink[held_out.labels == example.digit][example.n], SIDE)[..., None]
    rgb = np.array(example.paper) + ink * (np.array(example.pen) - np.array(example.paper))
    return Image.fromarray((rgb + 0.5).astype(np.uint8))


def _write(picture: Image.Image, path: Path) -> None:
    if path.suffix == ".jpg":
        picture.save(path, quality=90)
    else:
        picture.save(path, optimize=True)
