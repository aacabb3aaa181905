"""Makes the small image labelers in this folder, and the picture that they are tested with.

Run with any Python that has TensorFlow (only its schema of the model file is used) and Pillow:

    python Tests/Fixtures/labelers/make_labelers.py

Each labeler passes its input on: the scores of a picture of one pixel are its red, green and blue. The files are
committed, so tests need neither. Same script, same bytes.
"""

import pathlib

import flatbuffers
import numpy as np
from PIL import Image
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent
Type = schema.TensorType
METADATA_NAME = b"TFLITE_METADATA"
NORMALIZATION, THRESHOLD = 1, 3


def quantized(scale, zero_point):
    quantization = schema.QuantizationParametersT()
    quantization.scale, quantization.zeroPoint = [scale], [zero_point]
    return quantization


def tensor(name, shape, type, quantization, buffer):
    made = schema.TensorT()
    made.name, made.shape, made.type, made.quantization, made.buffer = name, shape, type, quantization, buffer
    return made


def labeler(name, type, output, scale=None, zero_point=0, input=(1, 1, 1, 3), metadata=None):
    """A RESHAPE from `input` to `output`."""
    model = schema.ModelT()
    model.version, model.description = 3, "Made for Hearth's tests."
    quantization = quantized(scale, zero_point) if scale else None
    subgraph = schema.SubGraphT()
    subgraph.tensors = [
        tensor("image", list(input), type, quantization, 1),
        tensor("shape", [len(output)], Type.INT32, None, 2),
        tensor("scores", list(output), type, quantization, 3),
    ]
    subgraph.inputs, subgraph.outputs = [0], [2]
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 1], [2]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.ReshapeOptions, schema.ReshapeOptionsT()
    operator.builtinOptions.newShape = list(output)
    subgraph.operators = [operator]
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.RESHAPE
    code.version = 1
    buffers = [schema.BufferT() for _ in range(4)]
    buffers[2].data = np.frombuffer(np.array(output, np.int32).tobytes(), np.uint8)
    model.subgraphs, model.operatorCodes, model.buffers = [subgraph], [code], buffers
    if metadata is not None:
        entry, buffer = schema.MetadataT(), schema.BufferT()
        entry.name, entry.buffer = METADATA_NAME, len(buffers)
        buffer.data = np.frombuffer(metadata, np.uint8)
        buffers.append(buffer)
        model.metadata = [entry]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    (FOLDER / name).write_bytes(bytes(builder.Output()))


class Metadata:
    """The metadata FlatBuffer: TensorFlow carries no writer for its schema."""

    def __init__(self):
        self.builder = flatbuffers.Builder(256)

    def build(self, normalization=None, threshold=None):
        """`normalization` is (means, deviations)."""
        inputs, outputs = {}, {}
        if normalization:
            options = self.table(2, {i: self.floats(values) for i, values in enumerate(normalization)})
            inputs = {4: self.vector([self.unit(NORMALIZATION, options)])}
        if threshold is not None:
            outputs = {4: self.vector([self.unit(THRESHOLD, self.table(1, {}, {0: threshold}))])}
        tensors = {2: self.vector([self.table(7, inputs)]), 3: self.vector([self.table(7, outputs)])}
        model = self.table(8, {3: self.vector([self.table(10, tensors)])})
        self.builder.Finish(model, b"M001")
        return bytes(self.builder.Output())

    def unit(self, kind, options):
        self.builder.StartObject(2)
        self.builder.PrependUint8Slot(0, kind, 0)
        self.builder.PrependUOffsetTRelativeSlot(1, options, 0)
        return self.builder.EndObject()

    def floats(self, values):
        return self.builder.CreateNumpyVector(np.array(values, np.float32))

    def vector(self, tables):
        self.builder.StartVector(4, len(tables), 4)
        for table in reversed(tables):
            self.builder.PrependUOffsetTRelative(table)
        return self.builder.EndVector()

    def table(self, field_count, offsets, floats=None):
        self.builder.StartObject(field_count)
        for field, offset in offsets.items():
            self.builder.PrependUOffsetTRelativeSlot(field, offset, 0)
        for field, value in (floats or {}).items():
            self.builder.PrependFloat32Slot(field, value, 0)
        return self.builder.EndObject()


def normalized(mean, deviation):
    return Metadata().build(normalization=(mean, deviation))


BYTE = 1 / 256

labeler("uint8.tflite", Type.UINT8, (1, 3), scale=BYTE)
labeler("uint8_rank4.tflite", Type.UINT8, (1, 1, 1, 3), scale=BYTE)
labeler("uint8_offset.tflite", Type.UINT8, (1, 3), scale=BYTE, zero_point=100)
labeler("uint8_threshold.tflite", Type.UINT8, (1, 3), scale=BYTE, metadata=Metadata().build(threshold=0.5))
labeler("int8.tflite", Type.INT8, (1, 3), scale=BYTE, zero_point=-128)
labeler("float.tflite", Type.FLOAT32, (1, 3), metadata=normalized([0], [255]))
labeler("float_channels.tflite", Type.FLOAT32, (1, 3), metadata=normalized([0, 100, 200], [255, 100, 50]))
labeler("float_bare.tflite", Type.FLOAT32, (1, 3))
labeler("float_zero_std.tflite", Type.FLOAT32, (1, 3), metadata=normalized([0], [0]))
labeler("float_two_means.tflite", Type.FLOAT32, (1, 3), metadata=normalized([0, 0], [1, 1]))
labeler("int32.tflite", Type.INT32, (1, 3))
labeler("gray.tflite", Type.UINT8, (1, 4), scale=BYTE, input=(1, 2, 2, 1))
labeler("two_images.tflite", Type.UINT8, (1, 6), scale=BYTE, input=(2, 1, 1, 3))
labeler("flat_input.tflite", Type.UINT8, (1, 3), scale=BYTE, input=(1, 3))
labeler("two_rows.tflite", Type.UINT8, (2, 6), scale=BYTE, input=(1, 2, 2, 3))
labeler("map_output.tflite", Type.UINT8, (1, 2, 2, 3), scale=BYTE, input=(1, 2, 2, 3))

# Red below green and blue, which are equal.
Image.new("RGB", (1, 1), (64, 192, 192)).save(FOLDER / "pixel.png")
labeler("nchw.tflite", Type.UINT8, (1, 12), scale=BYTE, input=(1, 3, 2, 2))
labeler("gray_without_channel.tflite", Type.UINT8, (1, 4), scale=BYTE, input=(1, 2, 2))
labeler("rgba.tflite", Type.UINT8, (1, 4), scale=BYTE, input=(1, 1, 1, 4))
labeler("rank1.tflite", Type.UINT8, (3,), scale=BYTE)
labeler("rank3.tflite", Type.UINT8, (1, 1, 3), scale=BYTE)
labeler("rank4_first.tflite", Type.UINT8, (1, 3, 1, 1), scale=BYTE)
# The range of an input that was calibrated with ImageNet's means and deviations.
labeler("int8_calibrated.tflite", Type.INT8, (1, 3), scale=0.018658448, zero_point=-14)
labeler("int16.tflite", Type.INT16, (1, 3), scale=1 / 32767)
