"""From a trained network to TensorFlow Lite files."""

import tempfile
from collections.abc import Callable

import flatbuffers
import keras
import numpy as np
import tensorflow as tf
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

from .network import normalised
from .pictures import SIDE

INPUT_NAME = "image"
OUTPUT_NAME = "scores"

BUFFER_ALIGNMENT = 16  # what the TensorFlow Lite schema asks of a buffer's bytes


def float_model(network: keras.Model) -> bytes:
    """float32 in, float32 out."""
    return with_plain_names(converted(network, SIDE, INPUT_NAME, _outputs), INPUT_NAME, OUTPUT_NAME)


def quantised_model(network: keras.Model, typical: np.ndarray) -> bytes:
    """uint8 in, uint8 out, 8-bit inside. `typical` are RGB bytes [N, SIDE, SIDE, 3] that set the value ranges."""
    inputs, types = normalised(with_extremes(typical)), (tf.uint8, tf.uint8)
    return with_plain_names(converted(network, SIDE, INPUT_NAME, _outputs, inputs, types), INPUT_NAME, OUTPUT_NAME)


def _outputs(scores):
    return {OUTPUT_NAME: scores}


def converted(
    network: keras.Model,
    side: int,
    input_name: str,
    outputs: Callable,
    typical: np.ndarray | None = None,
    types: tuple[tf.DType, tf.DType] | None = None,
) -> bytes:
    """`outputs` turns what the network returns into a dict of named outputs.

    `typical` are inputs, float32 [N, side, side, 3], that set the value ranges; the model is then 8-bit inside, with these
    types of its input and its outputs.
    """
    spec = [tf.TensorSpec([1, side, side, 3], tf.float32, name=input_name)]
    # Weights become constants first: the converter then folds the normalisation layers into the convolutions.
    frozen = convert_variables_to_constants_v2(
        tf.function(lambda image: network(image, training=False), input_signature=spec).get_concrete_function()
    )

    @tf.function(input_signature=spec)
    def serve(image):
        return outputs(*frozen(image))

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(tf.Module(), folder, signatures=serve)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if typical is not None:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.representative_dataset = lambda: ([one[None]] for one in typical)
            converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
            converter.inference_input_type, converter.inference_output_type = types
        return converter.convert()


def with_extremes(typical: np.ndarray) -> np.ndarray:
    """RGB bytes with all black and all white added: the input's scale then maps bytes 0 ... 255 and nothing else."""
    black = np.zeros_like(typical[:1])
    return np.concatenate([typical, black, black + 255])


def with_plain_names(model: bytes, input_name: str, output_name: str) -> bytes:
    """The converter names the tensors `serving_default_image:0` and the like; exporters have plain names."""
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    main = graph.subgraphs[0]
    main.tensors[main.inputs[0]].name = input_name
    main.tensors[main.outputs[0]].name = output_name
    return packed(graph)


def packed(graph: schema.ModelT) -> bytes:
    """The bytes of a model, with every buffer aligned (the generated packing code does not align them)."""
    graph.buffers = [_AlignedBuffer(buffer.data) for buffer in graph.buffers]
    builder = flatbuffers.Builder(1024)
    builder.Finish(graph.Pack(builder), b"TFL3")
    return bytes(builder.Output())


class _AlignedBuffer(schema.BufferT):
    def __init__(self, data):
        super().__init__()
        self.data = data

    def Pack(self, builder: flatbuffers.Builder) -> int:
        vector = None if self.data is None else aligned_vector(builder, bytes(bytearray(self.data)))
        schema.BufferStart(builder)
        if vector is not None:
            schema.BufferAddData(builder, vector)
        return schema.BufferEnd(builder)


def aligned_vector(builder: flatbuffers.Builder, data: bytes) -> int:
    """Writes bytes as a vector that is aligned as the schemas ask."""
    builder.StartVector(1, len(data), BUFFER_ALIGNMENT)
    # The builder has no call for raw bytes of another alignment than their own; it writes from the end.
    builder.head -= len(data)
    builder.Bytes[builder.head : builder.head + len(data)] = data
    return builder.EndVector()
