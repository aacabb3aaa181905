"""The places on the network's three maps, and which of them is to find which digit."""

from dataclasses import dataclass

import numpy as np

from ..digits import LABELS

STRIDES = (8, 16, 32)  # pixels between neighbouring places of each map
USUAL = 2.75  # the digits that a map is best for are this many strides high or wide, whichever is more
REACH = 4  # strides from a place to a side of its box, at most

# A place must find a digit whose middle is this near (in digit sizes) and whose size is this like the usual one.
NEAR, ALIKE = 0.3, 1.45
# Up to these it may find the digit or not; if it does, its box is to be right, so that it goes with the better ones.
NEARISH, ALIKISH = 0.5, 1.9


@dataclass(frozen=True)
class Targets:
    """For every place: which digit it shows, float32 [P, 10] of zeros and ones; whether it counts, float32 [P]; whether
    its box counts, float32 [P]; and its digit's box, float32 [P, 4]: left, top, right, bottom in pixels."""

    digits: np.ndarray
    counts: np.ndarray
    placed: np.ndarray
    boxes: np.ndarray

    def fields(self) -> tuple[np.ndarray, ...]:
        """Digits, counts, placed, boxes."""
        return self.digits, self.counts, self.placed, self.boxes


def places(side: int) -> np.ndarray:
    """float32 [P, 3]: centre x, centre y, stride, in pixels; map by map, row by row."""
    maps = []
    for stride in STRIDES:
        centres = np.arange(0, side, stride) + stride / 2
        y, x = np.meshgrid(centres, centres, indexing="ij")
        maps.append(np.stack([x, y, np.full_like(x, stride)], axis=-1).reshape(-1, 3))
    return np.concatenate(maps).astype(np.float32)


def targets(places: np.ndarray, boxes: np.ndarray, digits: np.ndarray) -> Targets:
    """What the network should say about a page. `boxes` are [N, 4]: left, top, right, bottom in pixels."""
    if len(digits) == 0:
        return Targets(
            np.zeros((len(places), len(LABELS)), np.float32),
            np.ones(len(places), np.float32),
            np.zeros(len(places), np.float32),
            np.zeros((len(places), 4), np.float32),
        )
    centres, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    distance = np.abs((places[:, None, :2] - centres) / sizes).max(axis=-1)  # [P, N]
    ratio = np.abs(np.log(USUAL * places[:, None, 2] / sizes.max(axis=-1)))

    must = (distance < NEAR) & (ratio < np.log(ALIKE))
    may = (distance < NEARISH) & (ratio < np.log(ALIKISH))
    best = (distance + ratio).argmin(axis=0)  # every digit is some place's, however odd its size
    must[best, np.arange(len(boxes))] = True

    shows, placed = must.any(axis=1), (must | may).any(axis=1)
    nearest = np.where(must | (may & ~shows[:, None]), distance, np.inf).argmin(axis=1)
    nearest[best] = np.arange(len(boxes))
    of_digit = np.eye(len(LABELS), dtype=np.float32)[digits[nearest]] * shows[:, None]
    return Targets(
        of_digit, (shows | ~placed).astype(np.float32), placed.astype(np.float32), boxes[nearest].astype(np.float32)
    )
