"""Makes the models of the tests of `hearth probe`, in Tests/Fixtures/probe, and the one that the probe warms up with.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_probe_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes. `warm_up.tflite` stands
as Base64 in Sources/Tools/Probe/WarmUp.swift; the script prints it.
"""

import base64
import pathlib

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "probe"
TYPES = {np.dtype(np.float32): Type.FLOAT32, np.dtype(np.int32): Type.INT32}


class Graph:
    """One subgraph, built tensor by tensor and operator by operator."""

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
        tensor.name = name
        tensor.shape = shape
        tensor.type = type
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
        operator_code.builtinCode = code
        operator_code.deprecatedBuiltinCode = min(code, 127)
        operator_code.version = 1
        self.model.operatorCodes.append(operator_code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs = inputs
        operator.outputs = outputs
        if options is not None:
            name = type(options).__name__.removesuffix("T")
            operator.builtinOptionsType = getattr(Options, name)
            operator.builtinOptions = options
        self.subgraph.operators.append(operator)

    def save(self, name, inputs, outputs):
        self.subgraph.inputs = inputs
        self.subgraph.outputs = outputs
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(bytes(builder.Output()))


def draw(graph):
    """Three random integers, as MULTINOMIAL draws them."""
    chances = graph.constant("chances", np.zeros((1, 4), np.float32))
    drawn = graph.tensor("drawn", [1, 3], Type.INT32)
    graph.operator(
        Op.MULTINOMIAL, [chances, graph.constant("three", np.array(3, np.int32))], [drawn], schema.RandomOptionsT())
    return drawn


def noise(graph, code):
    """Two random numbers."""
    result = graph.tensor("noise", [2])
    graph.operator(code, [graph.constant("two", np.array([2], np.int32))], [result], schema.RandomOptionsT())
    return result


def add(graph, left, right, output):
    graph.operator(Op.ADD, [left, right], [output], schema.AddOptionsT())


def warm_up():
    """output = 3 * input, and random numbers of both kinds that nobody asks for."""
    graph = Graph()
    x, twice, output = (graph.tensor(name, [2]) for name in ("input", "twice", "output"))
    add(graph, x, x, twice)
    add(graph, x, twice, output)
    noise(graph, Op.RANDOM_UNIFORM)
    draw(graph)
    graph.save("warm_up.tflite", [x], [output])


def noisy(name, code):
    """output = input + noise."""
    graph = Graph()
    x, output = graph.tensor("input", [2]), graph.tensor("output", [2])
    add(graph, x, noise(graph, code), output)
    graph.save(name, [x], [output])


def drawn():
    """output = input + input, beside a drawing of lots."""
    graph = Graph()
    x, output = graph.tensor("input", [2]), graph.tensor("output", [2])
    draw(graph)
    add(graph, x, x, output)
    graph.save("multinomial.tflite", [x], [output])


def crash():
    """Ends the process when it is run, whatever the input: the shape that two shapes broadcast to, which they do not."""
    graph = Graph()
    x, shape, output = (graph.tensor(name, [2], Type.INT32) for name in ("input", "shape", "output"))
    add(graph, x, graph.constant("two by three", np.array([2, 3], np.int32)), shape)
    graph.operator(Op.BROADCAST_ARGS, [shape, graph.constant("four by five", np.array([4, 5], np.int32))], [output])
    graph.save("crash.tflite", [x], [output])


def wrong_lengths():
    """Fails when it is run on zeros: REVERSE_SEQUENCE with lengths that its data do not have."""
    graph = Graph()
    x, output = graph.tensor("input", [2, 2]), graph.tensor("output", [2, 2])
    more, lengths = graph.tensor("more", [2], Type.INT32), graph.tensor("lengths", [2], Type.INT32)
    add(graph, more, graph.constant("three", np.array([3, 3], np.int32)), lengths)
    options = schema.ReverseSequenceOptionsT()
    options.seqDim, options.batchDim = 1, 0
    graph.operator(Op.REVERSE_SEQUENCE, [x, lengths], [output], options)
    graph.save("wrong_lengths.tflite", [x, more], [output])


def large():
    """output = sum of as many ones as fit in 10 GB."""
    graph = Graph()
    x, sizes = graph.tensor("input", [2], Type.INT32), graph.tensor("sizes", [2], Type.INT32)
    ones, output = graph.tensor("ones", [1, 1]), graph.tensor("output", [1, 1])
    add(graph, x, graph.constant("many", np.array([50_000, 50_000], np.int32)), sizes)
    graph.operator(
        Op.FILL, [sizes, graph.constant("one", np.array(1, np.float32))], [ones], schema.FillOptionsT())
    options = schema.ReducerOptionsT()
    options.keepDims = True
    graph.operator(Op.SUM, [ones, graph.constant("both", np.array([0, 1], np.int32))], [output], options)
    graph.save("large.tflite", [x], [output])


warm_up()
noisy("random_uniform.tflite", Op.RANDOM_UNIFORM)
noisy("random_normal.tflite", Op.RANDOM_STANDARD_NORMAL)
drawn()
crash()
wrong_lengths()
large()
print(base64.b64encode((FOLDER / "warm_up.tflite").read_bytes()).decode())
