"""The boxes that the network corrects, and which of them is to find which digit."""

from dataclasses import dataclass

import numpy as np

SIDE = 320  # the network's input is SIDE x SIDE pixels

# (pixels between neighbouring anchors, sides of the square anchors at each place), as the network's outputs come.
LEVELS = ((8, (16, 26)), (16, (42, 66, 104)))

# What the post-processing operator divides offsets by: centres by 10, logarithms of sizes by 5.
CENTRE_SCALE, SIZE_SCALE = 10.0, 5.0

BACKGROUND = 0  # class 0; digit d is class d + 1
IGNORED = -1

# An anchor must find a digit whose middle is this near (in digit sizes) and whose size is this like (as a ratio).
NEAR, ALIKE = 0.22, 1.4
# Up to these it may find the digit or not.
NEARISH, ALIKISH = 0.35, 1.8


@dataclass(frozen=True)
class Targets:
    """For every anchor: its class, int32 [A], and the offsets to its digit's box, float32 [A, 4]."""

    classes: np.ndarray
    offsets: np.ndarray


def anchor_boxes(side: int = SIDE) -> np.ndarray:
    """float32 [A, 4]: centre y, centre x, height, width in 0 ... 1 of a side, level by level, row by row."""
    levels = []
    for stride, sizes in LEVELS:
        centres = (np.arange(0, side, stride) + stride / 2) / side
        y, x, size = np.meshgrid(centres, centres, np.array(sizes) / side, indexing="ij")
        levels.append(np.stack([y, x, size, size], axis=-1).reshape(-1, 4))
    return np.concatenate(levels).astype(np.float32)


def targets(anchors: np.ndarray, boxes: np.ndarray, digits: np.ndarray) -> Targets:
    """What the network should say about a page. `boxes` are [N, 4]: top, left, bottom, right in 0 ... 1; N > 0."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    sizes = boxes[:, 2:] - boxes[:, :2]
    distance = np.abs((anchors[:, None, :2] - centres) / sizes).max(axis=-1)  # [A, N]
    ratio = np.abs(np.log(anchors[:, None, 2] / sizes.max(axis=-1)))

    must = (distance < NEAR) & (ratio < np.log(ALIKE))
    may = (distance < NEARISH) & (ratio < np.log(ALIKISH))
    best = (ratio + distance).argmin(axis=0)  # every digit is some anchor's, however odd its place and shape
    must[best, np.arange(len(boxes))] = True

    nearest = np.where(must, distance, np.inf).argmin(axis=1)
    nearest[best] = np.arange(len(boxes))
    classes = np.where(must.any(axis=1), digits[nearest] + 1, np.where(may.any(axis=1), IGNORED, BACKGROUND))
    offsets = np.concatenate(
        [
            CENTRE_SCALE * (centres[nearest] - anchors[:, :2]) / anchors[:, 2:],
            SIZE_SCALE * np.log(sizes[nearest] / anchors[:, 2:]),
        ],
        axis=1,
    )
    return Targets(classes.astype(np.int32), offsets.astype(np.float32))
