"""Paints ink as a photo or scan shows it: coloured pens and papers, uneven light, noise."""

from dataclasses import dataclass

import numpy as np

LIGHT_PAPER_SHARE = 0.75  # the others are light on dark


@dataclass(frozen=True)
class Colours:
    """Pen and paper, RGB in 0 ... 255; how much the light falls off across the page; the noise at most."""

    pen: tuple[float, float, float]
    paper: tuple[float, float, float]
    shade: float = 0.0
    noise: float = 0.0


def random_colours(rng: np.random.Generator) -> Colours:
    """Pens and papers that differ clearly in brightness."""
    dark = np.clip(rng.uniform(0, 100) + rng.normal(0, 22, 3), 0, 130)
    light = np.clip(rng.uniform(165, 255) + rng.normal(0, 18, 3), 0, 255)
    pen, paper = (dark, light) if rng.random() < LIGHT_PAPER_SHARE else (light, dark)
    return Colours(tuple(pen), tuple(paper), shade=rng.uniform(0, 0.35), noise=rng.uniform(0, 16))


def painted(
    ink: np.ndarray, colours: Colours, rng: np.random.Generator, texture: np.ndarray | None = None
) -> np.ndarray:
    """RGB uint8 [height, width, 3] of ink amounts, uint8 [height, width].

    `texture`, float32 [height, width, 3], makes the paper lighter or darker where no ink covers it.
    """
    pen, paper = np.float32(colours.pen), np.float32(colours.paper)
    of_ink = np.linspace(paper, pen, 256)
    rgb = of_ink[ink]
    if texture is not None:
        rgb += texture * (1 - ink[..., None] / np.float32(255))
    rgb *= _light(ink.shape, colours.shade, rng)[..., None]
    noise = rng.random(rgb.shape, np.float32)
    noise -= 0.5
    noise *= 2 * colours.noise
    rgb += noise
    return np.clip(rgb, 0, 255, out=rgb).astype(np.uint8)


def _light(shape: tuple[int, int], shade: float, rng: np.random.Generator) -> np.ndarray:
    """Full light at one edge or corner, 1 - shade at the opposite one."""
    direction = rng.uniform(0, 2 * np.pi)
    down = np.linspace(-0.5, 0.5, shape[0], dtype=np.float32)[:, None] * np.float32(np.sin(direction))
    across = np.linspace(-0.5, 0.5, shape[1], dtype=np.float32) * np.float32(np.cos(direction))
    slope = down + across
    return 1 - np.float32(shade) * (slope - slope.min())
