"""Makes the models in Tests/Fixtures/rewrite, whose outputs or signatures a rewrite has to change.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_rewrite_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib
import struct
import zipfile

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "rewrite"
NUMPY_TYPES = {np.dtype(np.float32): Type.FLOAT32, np.dtype(np.int32): Type.INT32}


class Model:
    """Subgraphs, built one after the other."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "Made for Hearth's tests."
        self.model.operatorCodes = []
        self.model.buffers = [schema.BufferT()]
        self.model.subgraphs = []

    def buffer(self, data):
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(data, dtype=np.uint8)
        self.model.buffers.append(buffer)
        return len(self.model.buffers) - 1

    def add_metadata(self, name, data):
        entry = schema.MetadataT()
        entry.name, entry.buffer = name, self.buffer(data)
        self.model.metadata = (self.model.metadata or []) + [entry]

    def add_signature(self, key, subgraph, inputs, outputs):
        """`inputs` and `outputs` are tensors by name."""

        def maps(tensors):
            result = []
            for name, tensor in tensors.items():
                entry = schema.TensorMapT()
                entry.name, entry.tensorIndex = name, tensor
                result.append(entry)
            return result

        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = key, subgraph
        signature.inputs, signature.outputs = maps(inputs), maps(outputs)
        self.model.signatureDefs = (self.model.signatureDefs or []) + [signature]

    def packed(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytearray(builder.Output())

    def save(self, name, data=None):
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(data or self.packed())


class Subgraph:
    def __init__(self, model, name):
        self.model = model
        self.subgraph = schema.SubGraphT()
        self.subgraph.name = name
        self.subgraph.tensors = []
        self.subgraph.operators = []
        model.model.subgraphs.append(self.subgraph)

    def tensor(self, name, shape, type=Type.FLOAT32, signature=None, scale=None, zero_point=0):
        """`signature` is the shape with -1 for open dimensions."""
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.shapeSignature, tensor.type = name, shape, signature, type
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = [scale]
            tensor.quantization.zeroPoint = [zero_point]
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, name, values):
        index = self.tensor(name, list(values.shape), NUMPY_TYPES[values.dtype])
        self.subgraph.tensors[index].buffer = self.model.buffer(values.tobytes())
        return index

    def operator(self, code, inputs, outputs, options=None, version=1):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode = code
        operator_code.deprecatedBuiltinCode = min(code, 127)
        operator_code.version = version
        codes = self.model.model.operatorCodes
        codes.append(operator_code)
        operator = schema.OperatorT()
        operator.opcodeIndex, operator.inputs, operator.outputs = len(codes) - 1, inputs, outputs
        if options is not None:
            operator.builtinOptionsType = getattr(Options, type(options).__name__.removesuffix("T"))
            operator.builtinOptions = options
        self.subgraph.operators.append(operator)

    def places_of_positives(self, x, output):
        """output = places of the positive numbers in x, which has four."""
        mask = self.tensor("mask", [4], Type.BOOL)
        zero = self.constant("zero", np.zeros(1, np.float32))
        self.operator(Op.GREATER, [x, zero], [mask], schema.GreaterOptionsT())
        self.operator(Op.WHERE, [mask], [output], schema.WhereOptionsT())

    def finish(self, inputs, outputs):
        self.subgraph.inputs, self.subgraph.outputs = inputs, outputs


def positives(model, name="main"):
    """Adds a subgraph with one input and one output, tensors 0 and 1."""
    graph = Subgraph(model, name)
    x, output = graph.tensor("input", [4]), graph.tensor("output", [1, 1], Type.INT64, [-1, 1])
    graph.places_of_positives(x, output)
    graph.finish([x], [output])


def top_k():
    """The k largest of five numbers and their places; k is an input."""
    model = Model()
    graph = Subgraph(model, "main")
    x, k = graph.tensor("input", [5]), graph.tensor("k", [], Type.INT32)
    values = graph.tensor("values", [1], Type.FLOAT32, [-1])
    places = graph.tensor("places", [1], Type.INT32, [-1])
    graph.operator(Op.TOPK_V2, [x, k], [values, places], schema.TopKV2OptionsT())
    graph.finish([x, k], [values, places])
    model.save("top_k.tflite")


def tile():
    """A row of two numbers, uint8 with a scale, repeated as two more inputs say."""
    model = Model()
    graph = Subgraph(model, "main")
    x = graph.tensor("input", [1, 2], Type.UINT8, scale=0.5, zero_point=3)
    multiples = graph.tensor("multiples", [2], Type.INT32)
    output = graph.tensor("output", [1, 2], Type.UINT8, [-1, -1], scale=0.5, zero_point=3)
    graph.operator(Op.TILE, [x, multiples], [output], schema.TileOptionsT())
    graph.finish([x, multiples], [output])
    model.save("tile.tflite")


def signatures():
    """Two ways to call: 'places' of positive numbers, and 'places_twice', which lists one tensor twice."""
    model = Model()
    positives(model)
    graph = Subgraph(model, "twice")
    x, output = graph.tensor("input", [4]), graph.tensor("output", [1, 1], Type.INT64, [-1, 1])
    graph.places_of_positives(x, output)
    graph.finish([x], [output, output])
    model.add_signature("places", 0, {"numbers": 0}, {"places": 1})
    model.add_signature("places_twice", 1, {"numbers": 0}, {"second": 1, "first": 1})
    model.add_metadata("min_runtime_version", b"1.14.0\0\0")
    model.save("signatures.tflite")


def conditional():
    """IF the first input holds: places of the positive numbers, else of the numbers 1 to 4 (all of them)."""
    model = Model()
    main = Subgraph(model, "main")
    condition, x = main.tensor("condition", [1], Type.BOOL), main.tensor("input", [4])
    output = main.tensor("output", [1, 1], Type.INT64, [-1, 1])
    options = schema.IfOptionsT()
    options.thenSubgraphIndex, options.elseSubgraphIndex = 1, 2
    main.operator(Op.IF, [condition, x], [output], options)
    main.finish([condition, x], [output])
    positives(model, "then")
    other = Subgraph(model, "else")
    x, output = other.tensor("input", [4]), other.tensor("output", [1, 1], Type.INT64, [-1, 1])
    other.places_of_positives(other.constant("numbers", np.arange(1, 5, dtype=np.float32)), output)
    other.finish([x], [output])
    model.save("conditional.tflite")


def loop():
    """WHILE the counter is below the input limit: repeat the row once more. The output's length is the limit."""
    model = Model()
    main = Subgraph(model, "main")
    limit = main.tensor("limit", [1], Type.INT32)
    one = main.constant("one", np.ones(1, np.int32))
    row = main.constant("row", np.array([7], np.int32))
    count = main.tensor("count", [1], Type.INT32)
    end = main.tensor("end", [1], Type.INT32)
    output = main.tensor("output", [1], Type.INT32, [-1])
    options = schema.WhileOptionsT()
    options.condSubgraphIndex, options.bodySubgraphIndex = 1, 2
    main.operator(Op.WHILE, [one, limit, row], [count, end, output], options)
    main.finish([limit], [output])

    def state(graph):
        return [
            graph.tensor("count", [1], Type.INT32),
            graph.tensor("limit", [1], Type.INT32),
            graph.tensor("row", [1], Type.INT32, [-1]),
        ]

    condition = Subgraph(model, "condition")
    tensors = state(condition)
    goes_on = condition.tensor("goes on", [1], Type.BOOL)
    condition.operator(Op.LESS, tensors[:2], [goes_on], schema.LessOptionsT())
    condition.finish(tensors, [goes_on])

    body = Subgraph(model, "body")
    tensors = state(body)
    one = body.constant("one", np.ones(1, np.int32))
    row = body.constant("another", np.array([7], np.int32))
    count = body.tensor("next count", [1], Type.INT32)
    longer = body.tensor("longer", [2], Type.INT32, [-1])
    body.operator(Op.ADD, [tensors[0], one], [count], schema.AddOptionsT(), version=1)
    body.operator(Op.CONCATENATION, [tensors[2], row], [longer], schema.ConcatenationOptionsT())
    body.finish(tensors, [count, tensors[1], longer])
    model.save("loop.tflite")


def far_constants():
    """As TILE with constants, but the constants lie behind the flatbuffer, and a zip behind them."""
    model = Model()
    graph = Subgraph(model, "main")
    x, output = graph.tensor("input", [4]), graph.tensor("output", [1, 1], Type.INT64, [-1, 1])
    shifted = graph.tensor("shifted", [4])
    graph.operator(Op.ADD, [x, graph.constant("shift", np.array([1, 2, 3, 4], np.float32))], [shifted],
                   schema.AddOptionsT())
    graph.places_of_positives(shifted, output)
    graph.finish([x], [output])
    contents = {}
    for index, buffer in enumerate(model.model.buffers):
        if buffer.data is not None:
            contents[index] = bytes(buffer.data)
            # Numbers that are not 0 get a place in the file; the right ones are written when it is laid out.
            buffer.data, buffer.offset, buffer.size = None, 1 << 40, len(contents[index])
    data = model.packed()
    tables = schema.Model.GetRootAs(data, 0)
    for index, content in contents.items():
        data += bytes(-len(data) % 64)
        table = tables.Buffers(index)._tab
        struct.pack_into("<Q", data, table.Pos + table.Offset(6), len(data))
        data += content
    model.save("far_constants.tflite", data)
    with zipfile.ZipFile(FOLDER / "far_constants.tflite", "a") as archive:
        archive.writestr(zipfile.ZipInfo("labels.txt"), "daisy\nrose\n")


top_k()
tile()
signatures()
conditional()
loop()
far_constants()
