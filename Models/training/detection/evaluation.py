"""Accuracy on generated pages, of digits that training never saw."""

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..digits import LABELS, Digits
from .anchors import SIDE
from .detections import Detections, overlaps
from .pages import drawn_page, random_form
from .painting import painted, random_colours
from .photos import HELD_OUT_PHOTO, crop, held_out_photo

PAGES = 400
BLANK_PAGES = 100
PHOTO_CROPS = 100
SEED = 7

MATCH = 0.5  # a found box is the true one if they overlap by this or more
THRESHOLD = 0.5  # the score that an app would ask for


class Finder(Protocol):
    """A loaded model of any kind, which brings a picture to its input's size in its own way."""

    def detections(self, picture: np.ndarray) -> Detections:
        """What it finds on a picture, RGB uint8 [height, width, 3]; boxes in 0 ... 1 of the picture."""


@dataclass(frozen=True)
class TruePage:
    """A page, RGB uint8 [height, width, 3], with the true boxes [N, 4] in 0 ... 1 of it and digits [N]."""

    picture: np.ndarray
    boxes: np.ndarray
    digits: np.ndarray


def held_out_pages(held_out: Digits) -> tuple[list[TruePage], list[TruePage]]:
    """Pages with digits, painted at their full size, and blank ones."""
    rng = np.random.default_rng(SEED)
    written = [_true_page(held_out, rng, blank=False) for _ in range(PAGES)]
    return written, [_true_page(held_out, rng, blank=True) for _ in range(BLANK_PAGES)]


def _true_page(digits: Digits, rng: np.random.Generator, blank: bool) -> TruePage:
    form = random_form(rng, SIDE, count=0 if blank else None)
    page = drawn_page(digits, form, rng)
    return TruePage(painted(page.ink, random_colours(rng), rng), page.boxes, page.digits)


def held_out_crops() -> list[np.ndarray]:
    """The held-out photo and parts of it, RGB uint8 [height, width, 3]; the whole comes first."""
    rng = np.random.default_rng(SEED)
    photo = held_out_photo()
    return [photo] + [crop(photo, rng) for _ in range(PHOTO_CROPS - 1)]


def measured(
    detector: Finder, written: list[TruePage], blank: list[TruePage], threshold: float = THRESHOLD
) -> dict:
    """Everything that the README tells; the blank pages come after, to the interpreter that has seen full ones."""
    found = [detector.detections(page.picture) for page in written]
    on_blank = [detector.detections(page.picture).above(threshold) for page in blank]
    precisions = {LABELS[digit]: round(_average_precision(digit, written, found), 4) for digit in range(len(LABELS))}
    return {
        "pages": len(written),
        "digits": sum(len(page.digits) for page in written),
        "mean_average_precision": round(float(np.mean(list(precisions.values()))), 4),
        "average_precision": precisions,
        "at_threshold": _at_threshold(written, [one.above(threshold) for one in found], threshold),
        "photo": _on_photo(detector, threshold),
        "blank_pages": {"pages": len(blank), "boxes": sum(len(one.digits) for one in on_blank)},
    }


def _on_photo(detector: Finder, threshold: float) -> dict:
    """False digits on a photo of something else: every box is one."""
    boxes = [len(detector.detections(picture).above(threshold).digits) for picture in held_out_crops()]
    return {
        "name": HELD_OUT_PHOTO,
        "crops": len(boxes),
        "boxes": sum(boxes),
        "boxes_on_whole": boxes[0],
        "crops_without_box": boxes.count(0),
    }


def _average_precision(digit: int, pages: list[TruePage], found: list[Detections]) -> float:
    """The area under the curve of precision over recall, each precision the best at that recall or more."""
    candidates = []
    for page, one in zip(pages, found):
        of_digit = Detections(*(values[one.digits == digit] for values in one.fields()))
        right = matched(of_digit, page.boxes[page.digits == digit]) >= 0
        candidates += zip(of_digit.scores, right)
    candidates.sort(key=lambda candidate: -candidate[0])
    hits = np.cumsum([right for _, right in candidates])
    precision = np.maximum.accumulate((hits / np.arange(1, len(hits) + 1))[::-1])[::-1]
    recall = hits / sum((page.digits == digit).sum() for page in pages)
    return float(np.sum(np.diff(recall, prepend=0) * precision))


def matched(found: Detections, boxes: np.ndarray) -> np.ndarray:
    """For every found box, best first, the true box that it is (no other found box is the same), or -1: int64 [N]."""
    partners = np.full(len(found.boxes), -1)
    free = np.ones(len(boxes), bool)
    for index in np.argsort(-found.scores, kind="stable"):
        overlap = np.where(free, overlaps(found.boxes[index], boxes), 0)
        if len(overlap) and overlap.max() >= MATCH:
            partners[index] = overlap.argmax()
            free[partners[index]] = False
    return partners


def _at_threshold(pages: list[TruePage], found: list[Detections], threshold: float) -> dict:
    boxes = right = whole_pages = 0
    mistakes = Counter()
    for page, one in zip(pages, found):
        partners = matched(one, page.boxes)
        correct = sum(partner >= 0 and page.digits[partner] == digit for partner, digit in zip(partners, one.digits))
        boxes += len(partners)
        right += correct
        whole_pages += correct == len(page.digits) == len(partners)
        mistakes.update(_mistakes(page, one, partners))
    return {
        "threshold": threshold,
        "precision": round(right / max(boxes, 1), 4),
        "recall": round(right / sum(len(page.digits) for page in pages), 4),
        "pages_without_mistake": int(whole_pages),
        "mistakes": dict(sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))[:6]),
    }


def _mistakes(page: TruePage, found: Detections, partners: np.ndarray) -> list[str]:
    missed = set(range(len(page.digits))) - set(partners.tolist())
    mistakes = [f"{LABELS[page.digits[index]]} missed" for index in missed]
    for partner, digit in zip(partners, found.digits):
        if partner < 0:
            mistakes.append(f"{LABELS[digit]} where there is none")
        elif page.digits[partner] != digit:
            mistakes.append(f"{LABELS[page.digits[partner]]} read as {LABELS[digit]}")
    return mistakes
