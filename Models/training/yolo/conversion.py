"""From the trained network to TensorFlow Lite files in the layout of YOLO's exports."""

import json

import keras
import numpy as np
import tensorflow as tf

from ..conversion import converted, with_extremes, with_plain_names
from ..digits import LABELS
from ..metadata import with_file
from .lessons import as_shares
from .places import STRIDES, places
from .training import boxes_around

SIDE = 320  # the input is SIDE x SIDE pixels
INPUT_NAME, OUTPUT_NAME = "images", "output0"

METADATA_FILE = "metadata.json"
METADATA = {
    "task": "detect",
    "imgsz": [SIDE, SIDE],
    "stride": max(STRIDES),
    "batch": 1,
    "names": {str(index): label for index, label in enumerate(LABELS)},
}


def float_yolo(network: keras.Model) -> bytes:
    """float32 in, float32 out."""
    return _with_metadata(converted(network, SIDE, INPUT_NAME, _outputs))


def quantised_yolo(network: keras.Model, typical: np.ndarray) -> bytes:
    """int8 in, int8 out, 8-bit inside. `typical` are RGB bytes [N, SIDE, SIDE, 3] that set the value ranges."""
    inputs, types = as_shares(with_extremes(typical)), (tf.int8, tf.int8)
    return _with_metadata(converted(network, SIDE, INPUT_NAME, _outputs, inputs, types))


def _outputs(distances, scores):
    """One output, float32 [1, 4 + 10, P]: centre x, centre y, width, height in 0 ... 1 of the input, and the digits' scores.

    Everything is 0 ... 1 or nearly, because the quantised output has one scale for all.
    """
    boxes = boxes_around(places(SIDE) / SIDE, distances)
    corner, other = boxes[..., :2], boxes[..., 2:]
    table = tf.concat([(corner + other) / 2, other - corner, tf.sigmoid(scores)], axis=-1)
    return {OUTPUT_NAME: tf.transpose(table, [0, 2, 1])}


def _with_metadata(model: bytes) -> bytes:
    return with_file(with_plain_names(model, INPUT_NAME, OUTPUT_NAME), METADATA_FILE, json.dumps(METADATA))
