"""Photos of other things, which hold no digits: the two that ship inside scikit-learn."""

import numpy as np
from sklearn.datasets import load_sample_image

from ..pictures import stretched

TRAINING_PHOTO, HELD_OUT_PHOTO = "china.jpg", "flower.jpg"

SMALLEST_CROP = 48  # the shorter side of a crop, in photo pixels
FAINTEST, STRONGEST = 0.05, 0.25  # how much of a photo's contrast shows through as paper


def training_photo() -> np.ndarray:
    """RGB uint8 [height, width, 3]."""
    return load_sample_image(TRAINING_PHOTO)


def held_out_photo() -> np.ndarray:
    """RGB uint8 [height, width, 3]: nothing is trained on it."""
    return load_sample_image(HELD_OUT_PHOTO)


def crop(photo: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A part of a photo, of any size, shape and place."""
    shorter = np.exp(rng.uniform(np.log(SMALLEST_CROP), np.log(min(photo.shape[:2]))))
    shape = np.exp(rng.uniform(-0.4, 0.4))
    height, width = (int(shorter * max(1, aspect)) for aspect in (shape, 1 / shape))
    height, width = min(height, photo.shape[0]), min(width, photo.shape[1])
    top, left = rng.integers(photo.shape[0] - height + 1), rng.integers(photo.shape[1] - width + 1)
    return photo[top : top + height, left : left + width]


def varied_crop(photo: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    """A crop at the input's size, float32 [side, side, 3] in 0 ... 255: turned, mirrored and coloured at random.

    One photo is little to learn from; so it shows as many shapes and colours as it can.
    """
    picture = stretched(crop(photo, rng), side)
    picture = np.rot90(picture, rng.integers(4))[:, :: rng.choice((-1, 1)), rng.permutation(3)]
    if rng.random() < 0.3:
        picture = 255 - picture
    contrast = np.float32(np.exp(rng.uniform(-0.5, 0.7)))
    middle = picture.mean(axis=(0, 1))
    tint = rng.normal(0, 25, 3).astype(np.float32)
    return np.clip((picture - middle) * contrast + middle + tint, 0, 255)


def nothing(photo: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    """RGB uint8 [side, side, 3] without a digit: a crop, or two of which one shines through or covers a part."""
    picture = varied_crop(photo, side, rng)
    choice = rng.random()
    if choice < 0.2:
        share = np.float32(rng.uniform(0.3, 0.7))
        picture = share * picture + (1 - share) * varied_crop(photo, side, rng)
    elif choice < 0.4:
        top, left = rng.integers(side // 2, size=2)
        height, width = rng.integers(side // 8, side // 2, size=2)
        part = np.s_[top : top + height, left : left + width]
        picture[part] = varied_crop(photo, side, rng)[part]
    return (picture + 0.5).astype(np.uint8)


def paper(photo: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    """How much lighter or darker each pixel of a paper is than the paper as a whole, float32 [side, side, 3]."""
    picture = varied_crop(photo, side, rng)
    return (picture - picture.mean(axis=(0, 1))) * np.float32(rng.uniform(FAINTEST, STRONGEST))
