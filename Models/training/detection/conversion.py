"""From the trained detector to a quantised TensorFlow Lite file in the layout of AutoML's exports."""

import tempfile

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

from ..network import normalised
from .anchors import SIDE
from .postprocess import with_postprocess

INPUT_NAME = "normalized_input_image_tensor"


def quantised_detector(network: keras.Model, typical: np.ndarray) -> bytes:
    """uint8 in, float32 boxes, classes and scores out, 8-bit inside.

    `typical` are RGB bytes [N, SIDE, SIDE, 3] that set the value ranges.
    """
    spec = [tf.TensorSpec([1, SIDE, SIDE, 3], tf.float32, name=INPUT_NAME)]
    # Weights become constants first: the converter then folds the normalisation layers into the convolutions.
    frozen = convert_variables_to_constants_v2(
        tf.function(lambda image: network(image, training=False), input_signature=spec).get_concrete_function()
    )

    @tf.function(input_signature=spec)
    def detect(image):
        offsets, scores = frozen(image)
        return {"offsets": offsets, "scores": scores}

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(tf.Module(), folder, signatures=detect)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([one[None]] for one in normalised(_with_extremes(typical)))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = tf.uint8
        converter.inference_output_type = tf.float32
        return with_postprocess(converter.convert(), INPUT_NAME)


def _with_extremes(typical: np.ndarray) -> np.ndarray:
    # All black and all white: the input's scale then maps bytes 0 ... 255 to -1 ... 1 and nothing else.
    black = np.zeros_like(typical[:1])
    return np.concatenate([typical, black, black + 255])
