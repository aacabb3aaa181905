"""Training of the detector's network."""

from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf

from ..digits import Digits
from ..network import normalised
from ..pictures import stretched
from .anchors import BACKGROUND, IGNORED, SIDE, Targets, anchor_boxes, targets
from .network import detector_network
from .pages import Page, drawn_page, random_form
from .painting import painted, random_colours

BATCH = 16
RATE = 4e-3
RISING_STEPS = 100
FOCUS = 2.0  # how much less an anchor counts that tells background from digits already
BOX_WEIGHT = 0.5


@dataclass(frozen=True)
class Stage:
    """`steps` of training on `pages` different pages of side x side pixels; every use of a page is painted anew."""

    side: int
    pages: int
    steps: int


@dataclass(frozen=True)
class Recipe:
    """The network looks at places, whatever the page's size: small pages teach it most of the reading, and faster."""

    stages: tuple[Stage, ...]
    seed: int

    @property
    def steps(self) -> int:
        return sum(stage.steps for stage in self.stages)


def trained_detector(digits: Digits, recipe: Recipe) -> keras.Model:
    """A network trained on pages of `digits` alone; nothing is tried on other digits meanwhile."""
    keras.utils.set_random_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    network = detector_network()
    optimizer = keras.optimizers.Adam(_rate(recipe.steps))
    for stage in recipe.stages:
        print(f"  {stage}")
        _train(network, optimizer, digits, stage, rng)
    return network


def _train(network: keras.Model, optimizer, digits: Digits, stage: Stage, rng: np.random.Generator) -> None:
    @tf.function
    def step(pictures, classes, offsets):
        with tf.GradientTape() as tape:
            loss = _loss(*network(pictures, training=True), classes, offsets)
        optimizer.apply_gradients(zip(tape.gradient(loss, network.trainable_variables), network.trainable_variables))
        return loss

    pages = training_pages(digits, stage.pages, rng, stage.side)
    anchors = anchor_boxes(stage.side)
    wanted = [targets(anchors, page.boxes, page.digits) for page in pages]
    recent = []
    for number in range(1, stage.steps + 1):
        chosen = rng.integers(len(pages), size=BATCH)
        pictures = np.stack([painted(pages[index].ink, random_colours(rng), rng) for index in chosen])
        recent.append(float(step(normalised(pictures), *_stacked([wanted[index] for index in chosen]))))
        if number % 100 == 0:
            print(f"  step {number} of {stage.steps}, loss {np.mean(recent):.4f}", flush=True)
            recent.clear()


def _rate(steps: int) -> keras.optimizers.schedules.LearningRateSchedule:
    rising = min(RISING_STEPS, steps // 2)
    return keras.optimizers.schedules.CosineDecay(0.0, steps - rising, warmup_target=RATE, warmup_steps=rising)


def training_pages(digits: Digits, count: int, rng: np.random.Generator, side: int = SIDE) -> list[Page]:
    """Pages of side x side pixels, stretched as the app stretches them; each has a digit at least."""
    pages = []
    while len(pages) < count:
        page = drawn_page(digits, random_form(rng, side), rng)
        if len(page.digits):
            ink = (stretched(page.ink, side) + 0.5).astype(np.uint8)
            pages.append(Page(ink, page.boxes, page.digits))
    return pages


def _stacked(wanted: list[Targets]) -> tuple[np.ndarray, np.ndarray]:
    return np.stack([one.classes for one in wanted]), np.stack([one.offsets for one in wanted])


def _loss(offsets, probabilities, classes, wanted):
    """Cross-entropy over all anchors but the ignored ones, smooth absolute error over those with a digit.

    Background counts by the focal rule: there is a hundred times as much of it, and most of it is easy.
    """
    shows_digit = tf.cast(classes > BACKGROUND, tf.float32)
    counts = tf.cast(classes != IGNORED, tf.float32)
    right = tf.gather(probabilities, tf.maximum(classes, BACKGROUND), batch_dims=2)
    weight = counts * tf.where(classes == BACKGROUND, (1 - right) ** FOCUS, 1)
    reading = -weight * tf.math.log(right + 1e-7)
    error = tf.abs(offsets - wanted)
    placing = tf.reduce_sum(tf.where(error < 1, error**2 / 2, error - 0.5), axis=-1) * shows_digit
    return tf.reduce_sum(reading + BOX_WEIGHT * placing) / tf.reduce_sum(shows_digit)
