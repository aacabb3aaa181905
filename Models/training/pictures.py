"""Pictures of digits: scaled up as a person sees them, then brought to the input size as the app does it."""

import numpy as np
from PIL import Image

SIDE = 32  # the network's input is SIDE x SIDE pixels
PICTURE_SIDE = 224  # the size of the scaled-up pictures that accuracy is measured on

TRAINING_SIDES = (96, 160, 224)
PLAIN_SHARE = 0.25  # training pictures that are only scaled up
CRISP_SHARE = 0.5  # training pictures whose soft edges are made hard, like a pen stroke's
MARGIN = 1  # cells of paper put around a digit's 8 x 8 ones: the ink goes to their very edge


def upscaled(ink: np.ndarray, side: int = PICTURE_SIDE) -> np.ndarray:
    """One digit's 8 x 8 ink amounts as a smooth picture [side, side] with a small margin, still 0 ... 1."""
    picture = Image.fromarray(np.pad(ink, MARGIN)).resize((side, side), Image.Resampling.BICUBIC)
    return np.clip(np.asarray(picture), 0, 1)


def stretched(picture: np.ndarray, side: int = SIDE) -> np.ndarray:
    """A picture resized to side x side, whatever its shape."""
    return resized(picture, side, side)


def resized(picture: np.ndarray, height: int, width: int) -> np.ndarray:
    """Plain bilinear resize: half-pixel centres, four neighbours, no antialiasing, as the app resizes.

    `picture` is [height, width] or [height, width, channels]; float32 comes back.
    """
    rows, row_weights = _neighbours(picture.shape[0], height)
    columns, column_weights = _neighbours(picture.shape[1], width)
    trailing = (1,) * (picture.ndim - 2)
    row_weights = row_weights.reshape(height, 1, *trailing)
    column_weights = column_weights.reshape(1, width, *trailing)
    picture = picture.astype(np.float32)
    band = picture[rows[0]] * (1 - row_weights) + picture[rows[1]] * row_weights
    return band[:, columns[0]] * (1 - column_weights) + band[:, columns[1]] * column_weights


def _neighbours(length: int, side: int) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    centres = np.clip((np.arange(side) + 0.5) * length / side - 0.5, 0, length - 1)
    first = np.floor(centres).astype(np.int64)
    second = np.minimum(first + 1, length - 1)
    return (first, second), (centres - first).astype(np.float32)


def plain_bytes(ink: np.ndarray, inverted: bool) -> np.ndarray:
    """Scaled-up pictures at the network's size, uint8 [N, SIDE, SIDE, 3]: black on white, or white on black."""
    small = np.stack([stretched(_gray(upscaled(one), inverted)) for one in ink])
    return np.repeat(_rounded(small)[..., None], 3, axis=-1)


def _gray(picture: np.ndarray, inverted: bool) -> np.ndarray:
    return _rounded(255 * (picture if inverted else 1 - picture))


def varied_ink(ink: np.ndarray, copies: int, rng: np.random.Generator) -> np.ndarray:
    """`copies` different pictures of each digit as ink amounts at the network's size, uint8 [N * copies, SIDE, SIDE].

    They are turned, scaled, stretched, shifted and sharpened at random; picture i shows digit i // copies.
    """
    pictures = [stretched(_varied_picture(one, rng)) for one in ink for _ in range(copies)]
    return _rounded(255 * np.stack(pictures))


def _varied_picture(ink: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    side = int(rng.choice(TRAINING_SIDES))
    picture = upscaled(ink, side) if rng.random() < PLAIN_SHARE else _moved(ink, side, rng)
    if rng.random() < CRISP_SHARE:
        picture = np.clip((picture - rng.uniform(0.35, 0.6)) * rng.uniform(1, 5) + 0.5, 0, 1)
    return picture


def _moved(ink: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    angle = rng.uniform(-15, 15)
    scale = rng.uniform(0.6, 1.05)
    aspect = np.exp(rng.uniform(-0.2, 0.2))
    shift_x, shift_y = rng.uniform(-0.1, 0.1, 2) * side
    return turned(ink, side, angle, scale, aspect, (side / 2 + shift_x, side / 2 + shift_y))


def turned(
    ink: np.ndarray, side: int, angle: float, scale: float, aspect: float, centre: tuple[float, float]
) -> np.ndarray:
    """One digit turned by `angle` degrees about `centre` (x, y) on a picture [side, side], 0 ... 1.

    Its 8 cells become side * scale pixels, times `aspect` in width and divided by it in height.
    """
    angle = np.deg2rad(angle)
    cells = ink.shape[0] + 2 * MARGIN
    # Pillow wants the way back: from a pixel of the result to a cell of the source.
    step_x = ink.shape[0] / (side * scale * aspect)
    step_y = ink.shape[0] / (side * scale / aspect)
    a, b = step_x * np.cos(angle), step_x * np.sin(angle)
    d, e = -step_y * np.sin(angle), step_y * np.cos(angle)
    centre_x, centre_y = centre
    way_back = (a, b, cells / 2 - a * centre_x - b * centre_y, d, e, cells / 2 - d * centre_x - e * centre_y)
    source = Image.fromarray(np.pad(ink, MARGIN))
    moved = source.transform((side, side), Image.Transform.AFFINE, way_back, Image.Resampling.BICUBIC)
    return np.clip(np.asarray(moved), 0, 1)


def coloured_bytes(ink: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Paints ink amounts, uint8 [N, SIDE, SIDE], as RGB uint8 [N, SIDE, SIDE, 3].

    Half are dark on light and half light on dark; brightness, contrast, tint and noise vary.
    """
    count = len(ink)
    dark = rng.uniform(0, 100, (count, 1)) + rng.normal(0, 20, (count, 3))
    light = rng.uniform(155, 255, (count, 1)) + rng.normal(0, 20, (count, 3))
    inverted = rng.random((count, 1)) < 0.5
    paper = np.where(inverted, dark, light)[:, None, None, :]
    pen = np.where(inverted, light, dark)[:, None, None, :]
    share = (ink / np.float32(255))[..., None]
    noise = rng.normal(0, 1, (*ink.shape, 3)) * rng.uniform(0, 12, (count, 1, 1, 1))
    return _rounded(paper + share * (pen - paper) + noise)


def _rounded(values: np.ndarray) -> np.ndarray:
    return (np.clip(values, 0, 255) + 0.5).astype(np.uint8)
