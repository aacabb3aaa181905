"""What the network learns from: letterboxed pages of digits, painted anew at every use, and photos without a digit."""

from dataclasses import dataclass

import numpy as np

from ..detection.lessons import NOTHING_SHARE, PHOTO_PAPER_SHARE
from ..detection.pages import drawn_page, random_form
from ..detection.painting import painted, random_colours
from ..detection.photos import nothing, paper, training_photo
from ..digits import Digits
from ..pictures import resized
from .letterbox import Frame
from .places import Targets, places, targets


@dataclass(frozen=True)
class FramedPage:
    """Ink amounts, uint8, of the frame's size; boxes [N, 4] (left, top, right, bottom in pixels of the square)."""

    frame: Frame
    ink: np.ndarray
    boxes: np.ndarray
    digits: np.ndarray


class Lessons:
    """`pages` different pages of side x side pixels, made of `digits` alone."""

    def __init__(self, digits: Digits, pages: int, side: int, rng: np.random.Generator):
        self._side = side
        self._photo = training_photo()
        self._places = places(side)
        self._pages = framed_pages(digits, pages, rng, side)
        self._nothing = targets(self._places, np.zeros((0, 4)), np.zeros(0, np.int64))

    def batch(self, size: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """The network's inputs, and what it is to answer with: the fields of `Targets`. The first shows a digit."""
        pictures, wanted = zip(*(self._lesson(rng, number > 0) for number in range(size)))
        answers = zip(*(one.fields() for one in wanted))
        return as_shares(np.stack(pictures)), *(np.stack(values) for values in answers)

    def _lesson(self, rng: np.random.Generator, may_be_empty: bool) -> tuple[np.ndarray, Targets]:
        if may_be_empty and rng.random() < NOTHING_SHARE:
            return _framed_nothing(self._photo, self._side, rng), self._nothing
        page = self._pages[rng.integers(len(self._pages))]
        return framed_picture(page, self._photo, rng), targets(self._places, page.boxes, page.digits)


def as_shares(rgb: np.ndarray) -> np.ndarray:
    """RGB bytes as the network's float32 input, 0 ... 1."""
    return rgb.astype(np.float32) * np.float32(1 / 255)


def framed_pages(digits: Digits, count: int, rng: np.random.Generator, side: int) -> list[FramedPage]:
    """Pages letterboxed as an app letterboxes them; each has a digit at least."""
    pages = []
    while len(pages) < count:
        form = random_form(rng, side)
        page = drawn_page(digits, form, rng)
        if len(page.digits):
            frame = Frame.around(form.width, form.height, side)
            ink = (resized(page.ink, frame.height, frame.width) + 0.5).astype(np.uint8)
            boxes = frame.outward(page.boxes)[:, [1, 0, 3, 2]] * side
            pages.append(FramedPage(frame, ink, boxes, page.digits))
    return pages


def framed_picture(page: FramedPage, photo: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """RGB uint8 [side, side, 3]: the page in random colours, now and then on a paper that a photo shines through."""
    texture = None
    if rng.random() < PHOTO_PAPER_SHARE:
        texture = paper(photo, page.frame.side, rng)[: page.frame.height, : page.frame.width]
    return page.frame.filled(painted(page.ink, random_colours(rng), rng, texture))


def _framed_nothing(photo: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    """RGB uint8 [side, side, 3] without a digit, in a frame of any shape."""
    shape = np.exp(rng.uniform(-0.6, 0.6))
    frame = Frame.around(int(1000 * shape), 1000, side)
    return frame.filled(nothing(photo, side, rng)[: frame.height, : frame.width])
