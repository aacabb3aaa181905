"""Makes the small detection models in Tests/Fixtures/detection.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_detection_models.py

The models see: a picture is 4 x 4 pixels, each pixel is a place where something may be, and red, green and blue are the
scores of three classes. So a bright green pixel is an object in that cell. Where the operator
TFLite_Detection_PostProcess chooses, red is the background. The files are committed, so tests need neither Python nor
TensorFlow. Same script, same bytes.
"""

import io
import json
import pathlib
import zipfile

import flatbuffers
import numpy as np
from flatbuffers import flexbuffers
from PIL import Image
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent / "detection"
Op = schema.BuiltinOperator
Type = schema.TensorType
SIDE = 4
PLACES = SIDE * SIDE
BYTE = 1 / 255


class Graph:
    """One subgraph, built tensor by tensor and operator by operator."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version, self.model.description = 3, "Made for Hearth's tests."
        self.model.operatorCodes, self.model.buffers = [], [schema.BufferT()]
        self.subgraph = schema.SubGraphT()
        self.subgraph.tensors, self.subgraph.operators = [], []
        self.model.subgraphs = [self.subgraph]

    def tensor(self, name, shape, type=Type.FLOAT32, scale=None):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name, shape, type
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [scale], [0]
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, name, values):
        types = {np.dtype(np.float32): Type.FLOAT32, np.dtype(np.int32): Type.INT32}
        index = self.tensor(name, list(values.shape), types[values.dtype])
        self.subgraph.tensors[index].buffer = self.buffer(values.tobytes())
        return index

    def buffer(self, data):
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(data, np.uint8)
        self.model.buffers.append(buffer)
        return len(self.model.buffers) - 1

    def operator(self, code, inputs, outputs, options=None, custom=None, custom_options=None):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode, operator_code.deprecatedBuiltinCode = code, min(code, 127)
        operator_code.version = 1
        operator_code.customCode = custom
        self.model.operatorCodes.append(operator_code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs, operator.outputs = inputs, outputs
        if options is not None:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
            operator.builtinOptions = options
        if custom_options is not None:
            operator.customOptions = np.frombuffer(custom_options, np.uint8)
        self.subgraph.operators.append(operator)

    def picture(self):
        """The input, and its 16 places with three scores each."""
        image = self.tensor("image", [1, SIDE, SIDE, 3], Type.UINT8, BYTE)
        floats = self.tensor("floats", [1, SIDE, SIDE, 3])
        places = self.tensor("places", [1, PLACES, 3])
        self.operator(Op.DEQUANTIZE, [image], [floats], schema.DequantizeOptionsT())
        reshape = schema.ReshapeOptionsT()
        reshape.newShape = [1, PLACES, 3]
        shape = self.constant("shape", np.array([1, PLACES, 3], np.int32))
        self.operator(Op.RESHAPE, [floats, shape], [places], reshape)
        return image, places

    def nothing(self, places):
        """A zero that depends on the picture, so that no output is a constant."""
        most, zero = self.tensor("most", [1]), self.tensor("zero", [1])
        axes = self.constant("axes", np.array([0, 1, 2], np.int32))
        self.operator(Op.SUM, [places, axes], [most], schema.ReducerOptionsT())
        self.operator(Op.MUL, [most, self.constant("none", np.zeros(1, np.float32))], [zero], schema.MulOptionsT())
        return zero

    def fixed(self, name, values, zero):
        """An output that always has these values."""
        output = self.tensor(name, list(values.shape))
        constant = self.constant(name + "_values", values.astype(np.float32))
        self.operator(Op.ADD, [constant, zero], [output], schema.AddOptionsT())
        return output

    def sign(self, names, inputs, outputs):
        """A signature with these names of the outputs."""
        def maps(pairs):
            made = []
            for name, index in pairs:
                entry = schema.TensorMapT()
                entry.name, entry.tensorIndex = name, index
                made.append(entry)
            return made

        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = "serving_default", 0
        signature.inputs = maps(("image", index) for index in inputs)
        signature.outputs = maps(zip(names, outputs))
        self.model.signatureDefs = [signature]

    def save(self, path, inputs, outputs, metadata=None, files=None):
        self.subgraph.inputs, self.subgraph.outputs = inputs, outputs
        if metadata is not None:
            entry = schema.MetadataT()
            entry.name, entry.buffer = b"TFLITE_METADATA", self.buffer(metadata)
            self.model.metadata = [entry]
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(appended(bytes(builder.Output()), files or {}))


def appended(model, files):
    """The model with `files` as its zip."""
    if not files:
        return model
    buffer = io.BytesIO(model)
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()


class Metadata:
    """The metadata FlatBuffer: TensorFlow carries no writer for its schema. A table is a dict by field number; numbers
    are (width in bits, value) or floats."""

    def __init__(self):
        self.builder = flatbuffers.Builder(256)

    @staticmethod
    def build(outputs, groups=(), blocks=()):
        """`blocks` are the names of custom blocks."""
        self = Metadata()
        subgraph = {3: list(outputs), 8: list(groups)}
        if blocks:
            subgraph[9] = [{0: name, 1: np.zeros(8, np.uint8)} for name in blocks]
        self.builder.Finish(self.write({3: [subgraph]}), b"M001")
        return bytes(self.builder.Output())

    def write(self, value):
        if isinstance(value, str):
            return self.builder.CreateString(value)
        if isinstance(value, np.ndarray):
            return self.builder.CreateNumpyVector(value)
        if isinstance(value, list):
            offsets = [self.write(item) for item in value]
            self.builder.StartVector(4, len(offsets), 4)
            for offset in reversed(offsets):
                self.builder.PrependUOffsetTRelative(offset)
            return self.builder.EndVector()
        offsets = {k: self.write(v) for k, v in value.items() if not isinstance(v, (tuple, float))}
        self.builder.StartObject(max(value, default=-1) + 1)
        for field, item in value.items():
            if field in offsets:
                self.builder.PrependUOffsetTRelativeSlot(field, offsets[field], 0)
            elif isinstance(item, float):
                self.builder.PrependFloat32Slot(field, item, 0)
            elif item[0] == 8:
                self.builder.PrependInt8Slot(field, item[1], 0)
            else:
                self.builder.PrependUint32Slot(field, item[1], 0)
        return self.builder.EndObject()


def boxes_metadata(name, index, form=1, pixels=False):
    properties = {0: np.array(index, np.uint32), 1: (8, form), 2: (8, 1 if pixels else 0)}
    return {0: name, 3: {0: (8, 3), 1: properties}}


def scores_metadata(name, threshold=None, labels=None):
    """`labels` are files (name, kind): 2 by axis, 3 by value."""
    table = {0: name}
    if threshold is not None:
        table[4] = [{0: (8, 3), 1: {0: threshold}}]
    if labels is not None:
        table[6] = [{0: labels[0], 2: (8, labels[1])}]
    return table


def cells():
    """The 16 places as top, left, bottom, right, shares of the sides."""
    rows, columns = np.divmod(np.arange(PLACES), SIDE)
    return np.stack([rows, columns, rows + 1, columns + 1], 1).astype(np.float32) / SIDE


def post_processed():
    """The operator over the picture's places; gives the graph, its input and the operator's four outputs."""
    graph = Graph()
    image, places = graph.picture()
    edges = cells()
    anchors = np.concatenate([(edges[:, :2] + edges[:, 2:]) / 2, edges[:, 2:] - edges[:, :2]], 1)
    encodings = graph.constant("encodings", np.zeros((1, PLACES, 4), np.float32))
    # Without shapes, as exporters leave them.
    outputs = [graph.tensor("TFLite_Detection_PostProcess" + suffix, []) for suffix in ("", ":1", ":2", ":3")]
    options = flexbuffers.Builder()
    with options.Map():
        for key, value in {
            "max_detections": 5, "max_classes_per_detection": 1, "detections_per_class": 5, "num_classes": 2,
        }.items():
            options.Int(key, value)
        options.Bool("use_regular_nms", False)
        for key, value in {
            "nms_score_threshold": 0.125, "nms_iou_threshold": 0.5, "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0,
            "w_scale": 5.0,
        }.items():
            options.Float(key, value)
    graph.operator(
        Op.CUSTOM, [encodings, places, graph.constant("anchors", anchors)], outputs,
        custom="TFLite_Detection_PostProcess", custom_options=bytes(options.Finish()))
    return graph, image, outputs


def ssd():
    """Four outputs; metadata with a threshold and labels, as the model makers write it."""
    graph, image, outputs = post_processed()
    metadata = Metadata.build([
        boxes_metadata("location", [1, 0, 3, 2]), scores_metadata("category", labels=("labelmap.txt", 3)),
        scores_metadata("score", threshold=0.5), scores_metadata("number of detections"),
    ])
    graph.save(FOLDER / "ssd.tflite", [image], outputs, metadata, {"labelmap.txt": "green\nblue\n"})


def shuffled():
    """The operator's outputs in the order in which newer exporters give them, and nothing that says so."""
    graph, image, outputs = post_processed()
    graph.save(FOLDER / "shuffled.tflite", [image], [outputs[2], outputs[0], outputs[3], outputs[1]])


def automl():
    """The bundle of an AutoML Vision export: three outputs, and labels that begin with the background."""
    graph, image, outputs = post_processed()
    folder = FOLDER / "automl"
    graph.save(folder / "model.tflite", [image], outputs[:3])
    (folder / "dict.txt").write_text("background\nb'Green'\nb'Blau, gr\\xc3\\xbcn'\n")
    (folder / "tflite_metadata.json").write_text(json.dumps({
        "inferenceType": "QUANTIZED_UINT8", "inputShape": [1, SIDE, SIDE, 3], "inputTensor": "image", "maxDetections": 5,
        "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences"],
        "outputTensors": ["TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess:1",
                          "TFLite_Detection_PostProcess:2"],
    }, indent=2) + "\n")


def raw(name, form, pixels, labels, margin=0, blocks=()):
    """A score for each class at each place; the boxes are for the reader to choose. `margin`, a share of the sides, is
    what each box is larger than its cell on each side, so that neighbours overlap. `blocks` are custom blocks of the
    metadata."""
    graph = Graph()
    image, places = graph.picture()
    top, left, bottom, right = (cells() + np.array([-margin, -margin, margin, margin], np.float32)).T
    numbers = {
        1: [left, top, right, bottom], 2: [left, top, right - left, bottom - top],
        3: [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top],
    }[form]
    boxes = np.stack(numbers, 1)[None] * (SIDE if pixels else 1)
    boxes = graph.fixed("boxes", boxes, graph.nothing(places))
    metadata = Metadata.build([
        scores_metadata("score", threshold=0.25, labels=("labels.txt", 2)),
        boxes_metadata("location", [0, 1, 2, 3], form, pixels),
    ], blocks=blocks)
    scores = graph.tensor("scores", [1, PLACES, 3])
    ones = graph.constant("ones", np.ones(1, np.float32))
    graph.operator(Op.MUL, [places, ones], [scores], schema.MulOptionsT())
    graph.save(FOLDER / name, [image], [scores, boxes], metadata, {"labels.txt": labels})


API_NAMES = ["detection_boxes", "detection_classes", "detection_scores", "num_detections"]
NO_NAMES = ["out:0", "out:1", "out:2", "out:3"]


def fixed(name, boxes, classes, scores, count=None, metadata=None, names=API_NAMES, order=None, signed=False):
    """Outputs that do not depend on the picture; a metadata makes them come in another order. `names` are those of the
    tensors; with `signed`, the names of the Object Detection API are in a signature. `order` is that of the outputs."""
    graph = Graph()
    image, places = graph.picture()
    zero = graph.nothing(places)
    values = [[boxes], [classes], [scores]] + ([[count]] if count is not None else [])
    outputs = [graph.fixed(key, np.array(value, np.float32), zero) for key, value in zip(names, values)]
    if signed:
        graph.sign(API_NAMES, [image], outputs)
    if metadata is not None:
        outputs = [outputs[2], outputs[1], outputs[0]]
    if order is not None:
        outputs = [outputs[place] for place in order]
    graph.save(FOLDER / name, [image], outputs, metadata)


def bad_output():
    """The subgraph's only output is no tensor. Not called .tflite, because tests take all of those for sound."""
    graph = Graph()
    image, _ = graph.picture()
    graph.save(FOLDER / "bad_output.bin", [image], [99])


def video():
    """A state that grows by 0.1 with each frame; the score of both boxes is 0.1 and the state's sum."""
    graph = Graph()
    image, places = graph.picture()
    zero = graph.nothing(places)
    state, next_state = graph.tensor("state_in", [1, 3]), graph.tensor("state_out", [1, 3])
    graph.operator(
        Op.ADD, [state, graph.constant("step", np.full((1, 3), 0.1, np.float32))], [next_state], schema.AddOptionsT())
    total, scores = graph.tensor("total", [1]), graph.tensor("detection_scores", [1, 2])
    axes = graph.constant("state_axes", np.array([0, 1], np.int32))
    graph.operator(Op.SUM, [state, axes], [total], schema.ReducerOptionsT())
    graph.operator(
        Op.ADD, [graph.constant("base", np.full((1, 2), 0.1, np.float32)), total], [scores], schema.AddOptionsT())
    boxes = graph.fixed("detection_boxes", np.array([[[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]]]), zero)
    classes = graph.fixed("detection_classes", np.array([[0, 1]]), zero)
    graph.save(FOLDER / "video.tflite", [image, state], [boxes, classes, scores, next_state])


def picture(name, width, spots):
    """A black picture of four rows with coloured pixels: {(column, row): (red, green, blue)}."""
    image = Image.new("RGB", (width, SIDE))
    for place, colour in spots.items():
        image.putpixel(place, colour)
    image.save(FOLDER / name)


NAN, INFINITY = float("nan"), float("inf")
CELL = [0.25, 0.25, 0.75, 0.75]

ssd()
shuffled()
automl()
raw("raw_boundaries.tflite", 1, False, "red\ngreen\nblue\n", margin=1 / 8)
raw("raw_upper_left.tflite", 2, True, "green\nblue\n")
raw("raw_center.tflite", 3, True, "background\ngreen\nblue\n")
raw("anchors.tflite", 1, False, "red\ngreen\nblue\n", blocks=["DETECTOR_METADATA"])
fixed("plain.tflite", [CELL, [0, 0, 1, 1]], [1, 0], [0.75, 0.5])
fixed("logits.tflite", [CELL, [0, 0, 1, 1]], [1, 0], [8.15, 0.75])
fixed("signed.tflite", [CELL, [0, 0, 1, 1]], [1, 0], [0.75, 0.5], 2, names=NO_NAMES, order=[2, 0, 3, 1], signed=True)
# As some exporters write them: left, top, right, bottom, and scores before classes.
fixed("undescribed.tflite", [[0.25, 0, 0.75, 0.5]] * 2, [1, 0], [0.75, 0.5], 2, names=NO_NAMES, order=[0, 2, 1, 3])
fixed(
    "described.tflite", [[0.25, 0, 0.75, 0.5]] * 2, [1, 0], [0.75, 0.5], names=NO_NAMES,
    metadata=Metadata.build(
        [scores_metadata("c"), scores_metadata("b", labels=None), boxes_metadata("a", [0, 1, 2, 3])],
        groups=[{0: "detection_result", 1: ["a", "b", "c"]}]))
fixed("bad_index.tflite", [CELL] * 2, [1, 0], [0.75, 0.5], names=NO_NAMES, metadata=Metadata.build(
    [scores_metadata("score"), scores_metadata("category"), boxes_metadata("location", [0, 1, 1, 7])]))
fixed(
    "hostile.tflite",
    [CELL, [NAN, 0, 1, 1], [0, 0, INFINITY, 1], [0.75, 0.75, 0.25, 0.25], [-1e30, -1e30, 1e30, 1e30], [2, 2, 3, 3],
     [0.5, 0.5, 0.5, 0.5], CELL, CELL, CELL, CELL],
    [0, 0, 0, 1, 2, 0, 0, NAN, -1, 1e30, 3], [0.9, 0.9, 0.9, 0.8, 0.7, 0.9, 0.9, 0.9, 0.9, 0.9, NAN], 1e30)
fixed("count_nan.tflite", [CELL] * 2, [0, 0], [0.9, 0.8], NAN)
fixed("count_negative.tflite", [CELL] * 2, [0, 0], [0.9, 0.8], -5)
fixed("count_one.tflite", [CELL] * 2, [0, 0], [0.9, 0.8], 1)
bad_output()
video()

SPOTS = {(1, 0): (0, 204, 0), (2, 3): (0, 0, 255)}
picture("spots.png", SIDE, SPOTS)
picture("wide.png", 2 * SIDE, {(column + SIDE, row): colour for (column, row), colour in SPOTS.items()})
picture("neighbours.png", SIDE, {(1, 1): (0, 204, 0), (2, 1): (0, 255, 0), (1, 2): (0, 0, 153), (0, 3): (255, 0, 0)})
picture("white.png", SIDE, {(column, row): (255, 255, 255) for column in range(SIDE) for row in range(SIDE)})
