"""Makes the models of the tests of the engine's options, cancellation and profiles, in Tests/Fixtures/engine.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_engine_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "engine"
TYPES = {np.dtype(np.float32): Type.FLOAT32, np.dtype(np.int32): Type.INT32, np.dtype(np.bool_): Type.BOOL}


class Model:
    def __init__(self):
        self.table = schema.ModelT()
        self.table.version = 3
        self.table.description = "Made for Hearth's tests."
        self.table.operatorCodes = []
        self.table.buffers = [schema.BufferT()]
        self.table.subgraphs = []

    def signature(self, key, subgraph, inputs, outputs):
        """`inputs` and `outputs` are tensors by name."""
        signature = schema.SignatureDefT()
        signature.signatureKey = key
        signature.subgraphIndex = subgraph
        signature.inputs, signature.outputs = self.tensor_map(inputs), self.tensor_map(outputs)
        self.table.signatureDefs = [signature]

    @staticmethod
    def tensor_map(tensors):
        entries = []
        for name, index in tensors.items():
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = name, index
            entries.append(entry)
        return entries

    def save(self, name):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.table.Pack(builder), b"TFL3")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(bytes(builder.Output()))


class Subgraph:
    """One subgraph, built tensor by tensor and operator by operator."""

    def __init__(self, model, name=None):
        self.model = model.table
        self.table = schema.SubGraphT()
        self.table.name = name
        self.table.tensors = []
        self.table.operators = []
        self.model.subgraphs.append(self.table)

    def tensor(self, name, shape, type=Type.FLOAT32):
        tensor = schema.TensorT()
        tensor.name = name
        tensor.shape = shape
        tensor.type = type
        self.table.tensors.append(tensor)
        return len(self.table.tensors) - 1

    def constant(self, name, values):
        index = self.tensor(name, list(values.shape), TYPES[values.dtype])
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), dtype=np.uint8)
        self.model.buffers.append(buffer)
        self.table.tensors[index].buffer = len(self.model.buffers) - 1
        return index

    def operator(self, code, inputs, outputs, options=None, version=1):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode = code
        operator_code.deprecatedBuiltinCode = min(code, 127)
        operator_code.version = version
        self.model.operatorCodes.append(operator_code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs = inputs
        operator.outputs = outputs
        if options is not None:
            name = type(options).__name__.removesuffix("T")
            operator.builtinOptionsType = getattr(Options, name)
            operator.builtinOptions = options
        self.table.operators.append(operator)

    def ends(self, inputs, outputs):
        self.table.inputs = inputs
        self.table.outputs = outputs


def dense(name, factor):
    """output[row] = factor * (row + 1) * sum of the 64 inputs; the same layout whatever the factor."""
    model = Model()
    graph = Subgraph(model)
    x, output = graph.tensor("input", [1, 64]), graph.tensor("output", [1, 16])
    rows = np.arange(1, 17, dtype=np.float32).reshape(16, 1)
    weights = graph.constant("weights", np.float32(factor) * np.tile(rows, (1, 64)))
    bias = graph.constant("bias", np.zeros(16, np.float32))
    graph.operator(Op.FULLY_CONNECTED, [x, weights, bias], [output], schema.FullyConnectedOptionsT())
    graph.ends([x], [output])
    model.save(name)


def mixed():
    """output = 2 * input rounded down: an operator that XNNPACK takes, and FLOOR_MOD between, which it does not."""
    model = Model()
    graph = Subgraph(model)
    x, rest, whole, output = (graph.tensor(n, [8]) for n in ("input", "rest", "whole", "output"))
    one = graph.constant("one", np.ones(1, np.float32))
    graph.operator(Op.FLOOR_MOD, [x, one], [rest], schema.FloorModOptionsT())
    graph.operator(Op.SUB, [x, rest], [whole], schema.SubOptionsT())
    graph.operator(Op.ADD, [whole, whole], [output], schema.AddOptionsT())
    graph.ends([x], [output])
    model.save("mixed.tflite")


def tanh():
    """output = hyperbolic tangent of input."""
    model = Model()
    graph = Subgraph(model)
    x, output = graph.tensor("input", [64]), graph.tensor("output", [64])
    graph.operator(Op.TANH, [x], [output])
    graph.ends([x], [output])
    model.save("tanh.tflite")


def counting_loop(name, limit_from_input):
    """Adds 1 to a counter while it is below a limit: the second input, or one that no counter reaches.

    Outputs: the counter and the limit. The signature `count` names all four as they are named here.
    """
    model = Model()
    main, condition, body = Subgraph(model, "main"), Subgraph(model, "condition"), Subgraph(model, "body")

    start, limit = main.tensor("start", [1]), main.tensor("limit", [1])
    counter, same_limit = main.tensor("counter", [1]), main.tensor("same limit", [1])
    options = schema.WhileOptionsT()
    options.condSubgraphIndex, options.bodySubgraphIndex = 1, 2
    main.operator(Op.WHILE, [start, limit], [counter, same_limit], options)
    main.ends([start, limit], [counter, same_limit])
    model.signature("count", 0, {"start": start, "limit": limit}, {"counter": counter, "same limit": same_limit})

    count, bound, goes_on = (
        condition.tensor("count", [1]), condition.tensor("bound", [1]), condition.tensor("goes on", [1], Type.BOOL))
    if limit_from_input:
        condition.operator(Op.LESS, [count, bound], [goes_on], schema.LessOptionsT())
    else:
        infinity = condition.constant("infinity", np.array([np.inf], np.float32))
        condition.operator(Op.LESS, [count, infinity], [goes_on], schema.LessOptionsT())
    condition.ends([count, bound], [goes_on])

    count, bound, next_count = body.tensor("count", [1]), body.tensor("bound", [1]), body.tensor("next", [1])
    one = body.constant("one", np.ones(1, np.float32))
    body.operator(Op.ADD, [count, one], [next_count], schema.AddOptionsT())
    body.ends([count, bound], [next_count, bound])
    model.save(name)


def unmatched_shapes():
    """A sum of two and three numbers, which no kernel can prepare."""
    model = Model()
    graph = Subgraph(model)
    two, three, output = graph.tensor("two", [2]), graph.tensor("three", [3]), graph.tensor("output", [3])
    graph.operator(Op.ADD, [two, three], [output], schema.AddOptionsT())
    graph.ends([two, three], [output])
    model.save("unmatched_shapes.tflite")


def future_version():
    """An operator of a version that no engine has yet."""
    model = Model()
    graph = Subgraph(model)
    x, output = graph.tensor("input", [2]), graph.tensor("output", [2])
    graph.operator(Op.ADD, [x, x], [output], schema.AddOptionsT(), version=99)
    graph.ends([x], [output])
    model.save("future_version.tflite")


dense("dense_1.tflite", 1)
dense("dense_2.tflite", 2)
mixed()
tanh()
counting_loop("counting_loop.tflite", limit_from_input=True)
counting_loop("endless_loop.tflite", limit_from_input=False)
unmatched_shapes()
future_version()
