"""Makes the models of the tests of how images go in and what comes out, in Tests/Fixtures/vision.

Run with any Python that has TensorFlow (only its schema of the model file is used) and Pillow:

    python Tests/Fixtures/make_vision_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.

- `yolov8.tflite`: a float model of 4 x 4 pixels, each of which is a place where something may be. Red, green and blue,
  0 to 1, are the scores of three classes. It returns [1, 7, 16] and says nothing of it, as exporters of YOLO do.
- `gray.tflite`: a float model of 4 x 4 pixels with one channel, -1 to 1, which its image_processing.json says. It has two
  outputs with labels: whether the image is dark or bright (logits), and which of its four corners is the brightest.
- `gray_plain.tflite`: the same graph without a word about images and labels.
"""

import io
import json
import pathlib
import zipfile

import flatbuffers
import numpy as np
from PIL import Image
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent / "vision"
Op = schema.BuiltinOperator
TYPES = {np.dtype(np.float32): schema.TensorType.FLOAT32, np.dtype(np.int32): schema.TensorType.INT32}
SIDE = 4
PLACES = SIDE * SIDE


class Graph:
    """One subgraph of float32 tensors, built operator by operator."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version, self.model.description = 3, "Made for Hearth's tests."
        self.model.operatorCodes, self.model.buffers = [], [schema.BufferT()]
        self.subgraph = schema.SubGraphT()
        self.subgraph.tensors, self.subgraph.operators = [], []
        self.model.subgraphs = [self.subgraph]

    def tensor(self, name, shape, type=schema.TensorType.FLOAT32):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name, shape, type
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, name, values):
        index = self.tensor(name, list(values.shape), TYPES[values.dtype])
        self.subgraph.tensors[index].buffer = self.buffer(values.tobytes())
        return index

    def buffer(self, data):
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(data, np.uint8)
        self.model.buffers.append(buffer)
        return len(self.model.buffers) - 1

    def operator(self, name, inputs, output, shape, **options):
        """Gives the output's index."""
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(Op, name)
        code.version = 1
        self.model.operatorCodes.append(code)
        made = schema.OperatorT()
        made.opcodeIndex, made.inputs = len(self.model.operatorCodes) - 1, inputs
        made.outputs = [self.tensor(output, shape)]
        kind = {"FULLY_CONNECTED": "FullyConnected", "MUL": "Mul", "ADD": "Add", "RESHAPE": "Reshape",
                "TRANSPOSE": "Transpose", "CONCATENATION": "Concatenation"}[name] + "Options"
        made.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
        made.builtinOptions = getattr(schema, kind + "T")()
        for key, value in options.items():
            setattr(made.builtinOptions, key, value)
        self.subgraph.operators.append(made)
        return made.outputs[0]

    def reshape(self, input, name, shape):
        return self.operator(
            "RESHAPE", [input, self.constant(name + "_shape", np.array(shape, np.int32))], name, shape, newShape=shape)

    def save(self, name, inputs, outputs, files=None, metadata=None):
        self.subgraph.inputs, self.subgraph.outputs = inputs, outputs
        if metadata is not None:
            entry = schema.MetadataT()
            entry.name, entry.buffer = b"TFLITE_METADATA", self.buffer(metadata)
            self.model.metadata = [entry]
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        data = io.BytesIO(bytes(builder.Output()))
        if files:
            with zipfile.ZipFile(data, "a") as archive:
                for member, text in files.items():
                    archive.writestr(zipfile.ZipInfo(member), text)
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(data.getvalue())


def metadata(outputs):
    """The metadata FlatBuffer with outputs {name: label file}: TensorFlow carries no writer for its schema."""
    builder = flatbuffers.Builder(256)

    def vector(offsets):
        builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            builder.PrependUOffsetTRelative(offset)
        return builder.EndVector()

    def table(fields, kind=None):
        builder.StartObject(10)
        for field, offset in fields.items():
            builder.PrependUOffsetTRelativeSlot(field, offset, 0)
        if kind is not None:
            builder.PrependInt8Slot(2, kind, 0)
        return builder.EndObject()

    tensors = []
    for name, file in outputs.items():
        # 2: labels by axis.
        files = vector([table({0: builder.CreateString(file)}, kind=2)])
        tensors.append(table({0: builder.CreateString(name), 6: files}))
    subgraph = table({3: vector(tensors)})
    builder.Finish(table({3: vector([subgraph])}), b"M001")
    return bytes(builder.Output())


def yolov8():
    graph = Graph()
    image = graph.tensor("images", [1, SIDE, SIDE, 3])
    places = graph.reshape(image, "places", [1, PLACES, 3])
    order = graph.constant("order", np.array([0, 2, 1], np.int32))
    scores = graph.operator("TRANSPOSE", [places, order], "scores", [1, 3, PLACES])
    rows, columns = np.divmod(np.arange(PLACES), SIDE)
    side = np.full(PLACES, 1 / SIDE)
    boxes = np.stack([(columns + 0.5) / SIDE, (rows + 0.5) / SIDE, side, side])[None].astype(np.float32)
    output = graph.operator(
        "CONCATENATION", [graph.constant("boxes", boxes), scores], "output0", [1, 7, PLACES], axis=1)
    graph.save("yolov8.tflite", [image], [output], {"labels.txt": "red\ngreen\nblue\n"})


def gray(name, files=None, description=None):
    graph = Graph()
    image = graph.tensor("pixels", [1, SIDE, SIDE, 1])
    flat = graph.reshape(image, "flat", [1, PLACES])

    def layer(name, weights):
        weights = np.array(weights, np.float32)
        return graph.operator(
            "FULLY_CONNECTED", [flat, graph.constant(name + "_weights", weights), -1], name, [1, len(weights)])

    brightness = layer("brightness", [[-0.25] * PLACES, [0.25] * PLACES])
    rows, columns = np.divmod(np.arange(PLACES), SIDE)
    corner = (rows >= SIDE // 2) * 2 + (columns >= SIDE // 2)
    corners = layer("corner", [(corner == place) / 4 for place in range(4)])
    graph.save(name, [image], [brightness, corners], files, description)


def picture(name, colour, size=SIDE):
    """A picture in which `colour(column, row)` gives each pixel."""
    image = Image.new("RGB", (size, size))
    for row in range(size):
        for column in range(size):
            image.putpixel((column, row), colour(column, row))
    image.save(FOLDER / name)


yolov8()
gray(
    "gray.tflite",
    {
        "image_processing.json": json.dumps(
            {"channels": "gray", "mean": [127.5], "standardDeviation": [127.5], "activation": "softmax"}),
        "brightness.txt": "dark\nbright\n",
        "corner.txt": "top left\ntop right\nbottom left\nbottom right\n",
    },
    metadata({"brightness": "brightness.txt", "corner": "corner.txt"}))
gray("gray_plain.tflite")
picture("green_spot.png", lambda column, row: (0, 230, 0) if (column, row) == (1, 2) else (0, 0, 0))
picture("bright_corner.png", lambda column, row: (255,) * 3 if column > 1 and row < 2 else (160,) * 3)
