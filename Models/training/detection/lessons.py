"""What the network learns from: pages of digits, painted anew at every use, and photos without a digit."""

import numpy as np

from ..digits import Digits
from ..network import normalised
from ..pictures import stretched
from .anchors import BACKGROUND, SIDE, Targets, anchor_boxes, targets
from .pages import Page, drawn_page, random_form
from .painting import painted, random_colours
from .photos import nothing, paper, training_photo

NOTHING_SHARE = 0.12  # pictures that are photos without a digit
PHOTO_PAPER_SHARE = 0.12  # pages whose paper is not plain


class Lessons:
    """`pages` different pages of side x side pixels, made of `digits` alone."""

    def __init__(self, digits: Digits, pages: int, side: int, rng: np.random.Generator):
        self._side = side
        self._photo = training_photo()
        self._pages = training_pages(digits, pages, rng, side)
        anchors = anchor_boxes(side)
        self._targets = [targets(anchors, page.boxes, page.digits) for page in self._pages]
        self._nothing = Targets(np.full(len(anchors), BACKGROUND, np.int32), np.zeros((len(anchors), 4), np.float32))

    def batch(self, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The network's inputs, and the classes and offsets it is to answer with; the first shows a digit at least."""
        pictures, wanted = zip(*(self._lesson(rng, number > 0) for number in range(size)))
        classes, offsets = (np.stack(values) for values in zip(*((one.classes, one.offsets) for one in wanted)))
        return normalised(np.stack(pictures)), classes, offsets

    def _lesson(self, rng: np.random.Generator, may_be_empty: bool) -> tuple[np.ndarray, Targets]:
        if may_be_empty and rng.random() < NOTHING_SHARE:
            return nothing(self._photo, self._side, rng), self._nothing
        index = rng.integers(len(self._pages))
        return training_picture(self._pages[index], self._photo, rng), self._targets[index]


def training_pages(digits: Digits, count: int, rng: np.random.Generator, side: int = SIDE) -> list[Page]:
    """Pages of side x side pixels, stretched as the app stretches them; each has a digit at least."""
    pages = []
    while len(pages) < count:
        page = drawn_page(digits, random_form(rng, side), rng)
        if len(page.digits):
            ink = (stretched(page.ink, side) + 0.5).astype(np.uint8)
            pages.append(Page(ink, page.boxes, page.digits))
    return pages


def training_picture(page: Page, photo: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """RGB uint8 [side, side, 3]: the page in random colours, now and then on a paper that a photo shines through."""
    texture = paper(photo, page.ink.shape[0], rng) if rng.random() < PHOTO_PAPER_SHARE else None
    return painted(page.ink, random_colours(rng), rng, texture)
