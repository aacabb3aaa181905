"""From the trained detector to a quantised TensorFlow Lite file in the layout of AutoML's exports."""

import keras
import numpy as np
import tensorflow as tf

from ..conversion import converted, with_extremes
from ..network import normalised
from .anchors import SIDE
from .postprocess import with_postprocess

INPUT_NAME = "normalized_input_image_tensor"


def quantised_detector(network: keras.Model, typical: np.ndarray) -> bytes:
    """uint8 in, float32 boxes, classes and scores out, 8-bit inside.

    `typical` are RGB bytes [N, SIDE, SIDE, 3] that set the value ranges.
    """
    inputs, types = normalised(with_extremes(typical)), (tf.uint8, tf.float32)
    return with_postprocess(converted(network, SIDE, INPUT_NAME, _outputs, inputs, types), INPUT_NAME)


def _outputs(offsets, scores):
    return {"offsets": offsets, "scores": scores}
