"""Makes the models of the tests of the original library's behaviour, in Tests/Fixtures/original.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_original_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "original"
TYPES = {np.dtype(np.float32): Type.FLOAT32, np.dtype(np.int32): Type.INT32}


class Graph:
    """A model of one subgraph, built tensor by tensor and operator by operator."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "Made for Hearth's tests."
        self.model.operatorCodes = []
        self.model.buffers = [schema.BufferT()]
        self.subgraph = schema.SubGraphT()
        self.subgraph.tensors = []
        self.subgraph.operators = []
        self.model.subgraphs = [self.subgraph]

    def tensor(self, name, shape, type=Type.FLOAT32):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name, shape, type
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, name, values):
        index = self.tensor(name, list(values.shape), TYPES[values.dtype])
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), dtype=np.uint8)
        self.model.buffers.append(buffer)
        self.subgraph.tensors[index].buffer = len(self.model.buffers) - 1
        return index

    def operator(self, code, inputs, outputs, options=None):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode = operator_code.deprecatedBuiltinCode = code
        operator_code.version = 1
        self.model.operatorCodes.append(operator_code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs, operator.outputs = inputs, outputs
        if options is not None:
            operator.builtinOptionsType = getattr(Options, type(options).__name__.removesuffix("T"))
            operator.builtinOptions = options
        self.subgraph.operators.append(operator)

    def signature(self, key, inputs, outputs):
        """`inputs` and `outputs` are tensors by name."""
        signature = schema.SignatureDefT()
        signature.signatureKey = key
        signature.inputs, signature.outputs = [], []
        for tensors, entries in ((inputs, signature.inputs), (outputs, signature.outputs)):
            for name, index in tensors.items():
                entry = schema.TensorMapT()
                entry.name, entry.tensorIndex = name, index
                entries.append(entry)
        self.model.signatureDefs = [signature]

    def save(self, name, inputs, outputs):
        self.subgraph.inputs, self.subgraph.outputs = inputs, outputs
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(bytes(builder.Output()))


def no_inputs():
    """output = [1, 3] + [1, 3]."""
    graph = Graph()
    constant, output = graph.constant("constant", np.array([1, 3], np.float32)), graph.tensor("output", [2])
    graph.operator(Op.ADD, [constant, constant], [output], schema.AddOptionsT())
    graph.save("no_inputs.tflite", [], [output])


def bfloat16():
    """float32 = input, whose type Swift has no elements for; the input is the second output, too."""
    graph = Graph()
    x, output = graph.tensor("input", [2], Type.BFLOAT16), graph.tensor("float32", [2])
    options = schema.CastOptionsT()
    options.inDataType, options.outDataType = Type.BFLOAT16, Type.FLOAT32
    graph.operator(Op.CAST, [x], [output], options)
    graph.signature("cast", {"x": x}, {"y": output, "z": x})
    graph.save("bfloat16.tflite", [x], [output, x])


def places():
    """output = places of the trues: as many rows as there are."""
    graph = Graph()
    x, output = graph.tensor("input", [4], Type.BOOL), graph.tensor("output", [1, 1], Type.INT64)
    graph.subgraph.tensors[output].shapeSignature = [-1, 1]
    graph.operator(Op.WHERE, [x], [output], schema.WhereOptionsT())
    graph.signature("places", {"x": x}, {"y": output})
    graph.save("places.tflite", [x], [output])


def detector():
    """Inputs and outputs of an object detector: forty boxes, classes and scores, each raised by the image's mean.

    Box i is [i, i + 1, i + 2, i + 3] / 64, its class i modulo 3, its score 1 - i / 40.
    """
    graph = Graph()
    i = np.arange(40, dtype=np.float32)
    contents = {
        "boxes": np.stack([i, i + 1, i + 2, i + 3], axis=1)[np.newaxis] / 64,
        "classes": i[np.newaxis] % 3,
        "scores": 1 - i[np.newaxis] / 40,
    }
    image = graph.tensor("image", [1, 320, 320, 3], Type.UINT8)
    pixels = graph.tensor("pixels", [1, 320, 320, 3])
    options = schema.CastOptionsT()
    options.inDataType, options.outDataType = Type.UINT8, Type.FLOAT32
    graph.operator(Op.CAST, [image], [pixels], options)
    mean = graph.tensor("mean", [1])
    axes = graph.constant("axes", np.array([1, 2, 3], np.int32))
    graph.operator(Op.MEAN, [pixels, axes], [mean], schema.ReducerOptionsT())
    outputs = []
    for name, values in contents.items():
        outputs.append(graph.tensor(name, list(values.shape)))
        constant = graph.constant(f"{name} of black", values.astype(np.float32))
        graph.operator(Op.ADD, [constant, mean], [outputs[-1]], schema.AddOptionsT())
    graph.save("detector.tflite", [image], outputs)


no_inputs()
bfloat16()
places()
detector()
