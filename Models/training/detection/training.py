"""Training of the detector's network."""

from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf

from ..digits import Digits
from .anchors import BACKGROUND, IGNORED
from .lessons import Lessons
from .network import detector_network

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

    def shortened(self, steps: int | None) -> "Recipe":
        """With this many steps at most in each stage, to try a script."""
        if steps is None:
            return self
        stages = (Stage(stage.side, stage.pages, min(stage.steps, steps)) for stage in self.stages)
        return Recipe(tuple(stages), self.seed)


def trained_detector(digits: Digits, recipe: Recipe) -> keras.Model:
    """A network trained on pages of `digits` alone; nothing is tried on other digits meanwhile."""
    keras.utils.set_random_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    network = detector_network()
    optimizer = keras.optimizers.Adam(learning_rate(recipe.steps))
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

    lessons = Lessons(digits, stage.pages, stage.side, rng)
    recent = []
    for number in range(1, stage.steps + 1):
        recent.append(float(step(*lessons.batch(BATCH, rng))))
        if number % 100 == 0:
            print(f"  step {number} of {stage.steps}, loss {np.mean(recent):.4f}", flush=True)
            recent.clear()


def learning_rate(steps: int) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises for some steps, and then falls to 0 like a cosine."""
    rising = min(RISING_STEPS, steps // 2)
    return keras.optimizers.schedules.CosineDecay(0.0, steps - rising, warmup_target=RATE, warmup_steps=rising)


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
