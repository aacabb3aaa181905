"""From the trained network to TensorFlow Lite files in the layout of YOLO's exports."""

import json
import tempfile

import keras
import numpy as np
import tensorflow as tf
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

from ..conversion import packed
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
    return _with_names_and_metadata(_converted(network, None))


def quantised_yolo(network: keras.Model, typical: np.ndarray) -> bytes:
    """int8 in, int8 out, 8-bit inside. `typical` are RGB bytes [N, SIDE, SIDE, 3] that set the value ranges."""
    return _with_names_and_metadata(_converted(network, typical))


def _converted(network: keras.Model, typical: np.ndarray | None) -> bytes:
    spec = [tf.TensorSpec([1, SIDE, SIDE, 3], tf.float32, name=INPUT_NAME)]
    # Weights become constants first: the converter then folds the normalisation layers into the convolutions.
    frozen = convert_variables_to_constants_v2(
        tf.function(lambda images: network(images, training=False), input_signature=spec).get_concrete_function()
    )

    @tf.function(input_signature=spec)
    def detect(images):
        return {OUTPUT_NAME: _output(*frozen(images))}

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(tf.Module(), folder, signatures=detect)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if typical is not None:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.representative_dataset = lambda: ([one[None]] for one in as_shares(_with_extremes(typical)))
            converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
            converter.inference_input_type = tf.int8
            converter.inference_output_type = tf.int8
        return converter.convert()


def _output(distances, scores):
    """float32 [1, 4 + 10, P]: centre x, centre y, width, height in 0 ... 1 of the input, and the digits' scores.

    Everything is 0 ... 1 or nearly, because the quantised output has one scale for all.
    """
    boxes = boxes_around(places(SIDE) / SIDE, distances)
    corner, other = boxes[..., :2], boxes[..., 2:]
    return tf.transpose(tf.concat([(corner + other) / 2, other - corner, tf.sigmoid(scores)], axis=-1), [0, 2, 1])


def _with_extremes(typical: np.ndarray) -> np.ndarray:
    # All black and all white: the input's scale is then 1/255.
    black = np.zeros_like(typical[:1])
    return np.concatenate([typical, black, black + 255])


def _with_names_and_metadata(model: bytes) -> bytes:
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    main = graph.subgraphs[0]
    main.tensors[main.inputs[0]].name = INPUT_NAME
    main.tensors[main.outputs[0]].name = OUTPUT_NAME
    return with_file(packed(graph), METADATA_FILE, json.dumps(METADATA))
