"""The network and its training."""

import math
from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf

from .digits import LABELS, Digits
from .pictures import SIDE, coloured_bytes, varied_ink

# (byte - MEAN) / STD is what the network sees: -1 ... 1.
MEAN = 127.5
STD = 127.5

BATCH = 64


@dataclass(frozen=True)
class Recipe:
    """What tells one version from another: filters of the four layers, pictures per digit, training steps, seed."""

    filters: tuple[int, int, int, int]
    copies: int
    steps: int
    seed: int


def make_deterministic(threads: int) -> None:
    """The same seed then gives the same network on the same machine. Call it before any other TensorFlow work."""
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.experimental.enable_op_determinism()


def normalised(rgb: np.ndarray) -> np.ndarray:
    """RGB bytes as the network's float32 input."""
    return (rgb.astype(np.float32) - np.float32(MEAN)) * np.float32(1 / STD)


def trained_network(digits: Digits, recipe: Recipe) -> keras.Model:
    """A network trained on `digits` alone; nothing is tried on other digits meanwhile."""
    keras.utils.set_random_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    network = _network(recipe.filters)
    network.compile(_optimizer(recipe.steps), loss="sparse_categorical_crossentropy")
    ink = varied_ink(digits.ink, recipe.copies, rng)
    labels = np.repeat(digits.labels, recipe.copies)
    loss = math.nan
    for step, batch in enumerate(_batches(len(labels), recipe.steps, rng), start=1):
        loss = float(network.train_on_batch(normalised(coloured_bytes(ink[batch], rng)), labels[batch]))
        if step % 500 == 0:
            print(f"  step {step} of {recipe.steps}, loss {loss:.4f}", flush=True)
            network.reset_metrics()
    return network


def _network(filters: tuple[int, int, int, int]) -> keras.Model:
    layers = [keras.Input((SIDE, SIDE, 3))]
    for depth, count in enumerate(filters):
        layers.append(keras.layers.Conv2D(count, 3, strides=2 if depth == 0 else 1, padding="same", use_bias=False))
        layers.append(keras.layers.BatchNormalization())
        layers.append(keras.layers.ReLU())
        if 0 < depth < len(filters) - 1:
            layers.append(keras.layers.MaxPooling2D())
    layers.append(keras.layers.GlobalAveragePooling2D())
    layers.append(keras.layers.Dense(len(LABELS), activation="softmax"))
    return keras.Sequential(layers)


def _optimizer(steps: int) -> keras.optimizers.Optimizer:
    return keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(2e-3, steps))


def _batches(count: int, steps: int, rng: np.random.Generator):
    """`steps` batches of indices; every picture is used once before any is used again."""
    order = np.empty(0, np.int64)
    for _ in range(steps):
        if len(order) < BATCH:
            order = rng.permutation(count)
        batch, order = order[:BATCH], order[BATCH:]
        yield batch
