"""Training of the network."""

from concurrent.futures import ThreadPoolExecutor

import keras
import numpy as np
import tensorflow as tf

from ..detection.training import BATCH, Recipe, Stage, learning_rate
from ..digits import Digits
from .lessons import Lessons
from .network import yolo_network
from .places import REACH, places

FOCUS = 1.0  # how much less a score counts that says "not this digit" already
BOX_WEIGHT = 2.0


def trained_yolo(digits: Digits, recipe: Recipe) -> keras.Model:
    """A network trained on pages of `digits` alone; nothing is tried on other digits meanwhile."""
    keras.utils.set_random_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    network = yolo_network()
    optimizer = keras.optimizers.Adam(learning_rate(recipe.steps))
    for stage in recipe.stages:
        print(f"  {stage}")
        _train(network, optimizer, digits, stage, rng)
    return network


def _train(network: keras.Model, optimizer, digits: Digits, stage: Stage, rng: np.random.Generator) -> None:
    grid = tf.constant(places(stage.side))

    @tf.function
    def step(pictures, *wanted):
        with tf.GradientTape() as tape:
            distances, scores = network(pictures, training=True)
            loss = _loss(boxes_around(grid, distances), scores, *wanted)
        optimizer.apply_gradients(zip(tape.gradient(loss, network.trainable_variables), network.trainable_variables))
        return loss

    lessons = Lessons(digits, stage.pages, stage.side, rng)
    recent = []
    # One other thread paints the next pictures; there is only one, so that the seed decides what comes.
    with ThreadPoolExecutor(1) as painter:
        upcoming = painter.submit(lessons.batch, BATCH, rng)
        for number in range(1, stage.steps + 1):
            batch, upcoming = upcoming.result(), painter.submit(lessons.batch, BATCH, rng)
            recent.append(float(step(*batch)))
            if number % 100 == 0:
                print(f"  step {number} of {stage.steps}, loss {np.mean(recent):.4f}", flush=True)
                recent.clear()


def boxes_around(grid, distances):
    """Left, top, right, bottom, from raw distances and places [P, 3]; in pixels if the places are."""
    reach = REACH * grid[:, 2:] * tf.sigmoid(distances)
    return tf.concat([grid[:, :2] - reach[..., :2], grid[:, :2] + reach[..., 2:]], axis=-1)


def _loss(found, scores, wanted_digits, counts, placed, boxes):
    """Cross-entropy of every score at every place that counts, and how badly the boxes overlap the true ones.

    There are a hundred times as many places without a digit as with one, and most are easy: a score counts the less,
    the more right it is already that this is not its digit.
    """
    weight = counts[..., None] * tf.where(wanted_digits > 0, 1.0, tf.sigmoid(scores) ** FOCUS)
    reading = weight * tf.nn.sigmoid_cross_entropy_with_logits(wanted_digits, scores)
    placing = tf.reduce_sum(placed * _misplaced(found, boxes)) / tf.reduce_sum(placed)
    return tf.reduce_sum(reading) / tf.reduce_sum(wanted_digits) + BOX_WEIGHT * placing


def _misplaced(found, boxes):
    """1 - intersection over union, and the squared distance of the centres over that of the outermost corners."""
    inner = tf.maximum(tf.minimum(found[..., 2:], boxes[..., 2:]) - tf.maximum(found[..., :2], boxes[..., :2]), 0)
    outer = tf.maximum(found[..., 2:], boxes[..., 2:]) - tf.minimum(found[..., :2], boxes[..., :2])
    shared = tf.reduce_prod(inner, axis=-1)
    overlap = shared / (_area(found) + _area(boxes) - shared + 1e-6)
    between = (found[..., :2] + found[..., 2:] - boxes[..., :2] - boxes[..., 2:]) / 2
    apart = tf.reduce_sum(between**2, axis=-1) / (tf.reduce_sum(outer**2, axis=-1) + 1e-6)
    return 1 - overlap + apart


def _area(boxes):
    return tf.reduce_prod(boxes[..., 2:] - boxes[..., :2], axis=-1)
