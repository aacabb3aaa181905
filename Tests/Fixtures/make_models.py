"""Makes the small models in Tests/Fixtures/models.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

Op = schema.BuiltinOperator
Options = schema.BuiltinOptions
Type = schema.TensorType

FOLDER = pathlib.Path(__file__).parent / "models"
NUMPY_TYPES = {
    np.dtype(np.float32): Type.FLOAT32,
    np.dtype(np.int32): Type.INT32,
}


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

    def tensor(self, name, shape, type=Type.FLOAT32, signature=None, scale=None, zero_point=0):
        """`signature` is the shape with -1 for open dimensions."""
        tensor = schema.TensorT()
        tensor.name = name
        tensor.shape = shape
        tensor.shapeSignature = signature
        tensor.type = type
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = [scale]
            tensor.quantization.zeroPoint = [zero_point]
        self.subgraph.tensors.append(tensor)
        return len(self.subgraph.tensors) - 1

    def constant(self, name, values):
        index = self.tensor(name, list(values.shape), NUMPY_TYPES[values.dtype])
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), dtype=np.uint8)
        self.model.buffers.append(buffer)
        self.subgraph.tensors[index].buffer = len(self.model.buffers) - 1
        return index

    def operator(self, code, inputs, outputs, options=None, version=1, custom_code=None):
        operator_code = schema.OperatorCodeT()
        operator_code.builtinCode = code
        operator_code.deprecatedBuiltinCode = min(code, 127)
        operator_code.version = version
        operator_code.customCode = custom_code
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


def times_three(name, type=Type.FLOAT32, shape=(1, 8, 8, 3), signature=None, **quantization):
    """output = input + input + input."""
    graph = Graph()
    version = {Type.FLOAT32: 1, Type.UINT8: 1, Type.INT8: 2}[type]
    tensors = [
        graph.tensor(n, list(shape), type, signature, **quantization) for n in ("input", "twice", "output")
    ]
    graph.operator(Op.ADD, [tensors[0], tensors[0]], [tensors[1]], schema.AddOptionsT(), version)
    graph.operator(Op.ADD, [tensors[0], tensors[1]], [tensors[2]], schema.AddOptionsT(), version)
    graph.save(name, [tensors[0]], [tensors[2]])


def binary(name, code, options, type):
    """output = left (code) right, two elements each."""
    graph = Graph()
    left, right, output = (graph.tensor(n, [2], type) for n in ("left", "right", "output"))
    graph.operator(code, [left, right], [output], options, version=2 if type == Type.INT32 else 1)
    graph.save(name, [left, right], [output])


def where():
    """output = places of the positive numbers: as many rows as there are."""
    graph = Graph()
    x, mask = graph.tensor("input", [4]), graph.tensor("mask", [4], Type.BOOL)
    output = graph.tensor("output", [1, 1], Type.INT64, [-1, 1])
    graph.operator(Op.GREATER, [x, graph.constant("zero", np.zeros(1, np.float32))], [mask], schema.GreaterOptionsT())
    graph.operator(Op.WHERE, [mask], [output], schema.WhereOptionsT())
    graph.save("where.tflite", [x], [output])


def where_of_where():
    """The engine reports success for the first run and writes nothing."""
    graph = Graph()
    x, mask = graph.tensor("input", [4]), graph.tensor("mask", [4], Type.BOOL)
    places = graph.tensor("places", [1, 1], Type.INT64, [-1, 1])
    floats = graph.tensor("floats", [1, 1], Type.FLOAT32, [-1, 1])
    second_mask = graph.tensor("second mask", [1, 1], Type.BOOL, [-1, 1])
    output = graph.tensor("output", [1, 2], Type.INT64, [-1, 2])
    zero = graph.constant("zero", np.zeros(1, np.float32))
    graph.operator(Op.GREATER, [x, zero], [mask], schema.GreaterOptionsT())
    graph.operator(Op.WHERE, [mask], [places], schema.WhereOptionsT())
    graph.operator(Op.CAST, [places], [floats])
    graph.operator(Op.GREATER, [floats, zero], [second_mask], schema.GreaterOptionsT())
    graph.operator(Op.WHERE, [second_mask], [output], schema.WhereOptionsT())
    graph.save("where_of_where.tflite", [x], [output])


def where_cast():
    """output = twice the places of the positive numbers, as floats; the engine can bind this output."""
    graph = Graph()
    x, mask = graph.tensor("input", [4]), graph.tensor("mask", [4], Type.BOOL)
    places = graph.tensor("places", [1, 1], Type.INT64, [-1, 1])
    floats, output = (graph.tensor(n, [1, 1], Type.FLOAT32, [-1, 1]) for n in ("floats", "output"))
    zero = graph.constant("zero", np.zeros(1, np.float32))
    graph.operator(Op.GREATER, [x, zero], [mask], schema.GreaterOptionsT())
    graph.operator(Op.WHERE, [mask], [places], schema.WhereOptionsT())
    graph.operator(Op.CAST, [places], [floats])
    graph.operator(Op.ADD, [floats, floats], [output], schema.AddOptionsT())
    graph.save("where_cast.tflite", [x], [output])


def flatten():
    """output = sum of each image of 2 x 2 x 1, times 1 and times 10.

    Flattened as converters write it for an open batch size: the new shape is computed from the input's shape.
    """
    graph = Graph()
    x = graph.tensor("input", [1, 2, 2, 1], signature=[-1, 2, 2, 1])
    shape = graph.tensor("shape", [4], Type.INT32)
    batch = graph.tensor("batch", [], Type.INT32)
    flat_shape = graph.tensor("flat shape", [2], Type.INT32)
    flat = graph.tensor("flat", [1, 4], signature=[-1, 4])
    output = graph.tensor("output", [1, 2], signature=[-1, 2])
    zero, one = graph.constant("0", np.array([0], np.int32)), graph.constant("1", np.array([1], np.int32))
    four = graph.constant("4", np.array(4, np.int32))
    weights = graph.constant("weights", np.array([[1] * 4, [10] * 4], np.float32))
    bias = graph.constant("bias", np.zeros(2, np.float32))
    shape_options = schema.ShapeOptionsT()
    shape_options.outType = Type.INT32
    slice_options = schema.StridedSliceOptionsT()
    slice_options.shrinkAxisMask = 1
    pack_options = schema.PackOptionsT()
    pack_options.valuesCount = 2
    graph.operator(Op.SHAPE, [x], [shape], shape_options)
    graph.operator(Op.STRIDED_SLICE, [shape, zero, one, one], [batch], slice_options)
    graph.operator(Op.PACK, [batch, four], [flat_shape], pack_options)
    graph.operator(Op.RESHAPE, [x, flat_shape], [flat], schema.ReshapeOptionsT())
    graph.operator(Op.FULLY_CONNECTED, [flat, weights, bias], [output], schema.FullyConnectedOptionsT())
    graph.save("flatten.tflite", [x], [output])


def unknown_custom():
    graph = Graph()
    x, output = graph.tensor("input", [1]), graph.tensor("output", [1])
    graph.operator(Op.CUSTOM, [x], [output], custom_code="HearthUnknown")
    graph.save("unknown_custom.tflite", [x], [output])


def shared_tensors():
    """Outputs: the input itself, and its double twice over; without a name, because the engine takes no name twice."""
    graph = Graph()
    x, double = graph.tensor("input", [2]), graph.tensor(None, [2])
    graph.operator(Op.ADD, [x, x], [double], schema.AddOptionsT())
    graph.save("shared_tensors.tflite", [x], [x, double, double])


def strings():
    """A string tensor passed through, beside a float one."""
    graph = Graph()
    text, x, output = graph.tensor("text", [1], Type.STRING), graph.tensor("x", [1]), graph.tensor("output", [1])
    graph.operator(Op.ADD, [x, x], [output], schema.AddOptionsT())
    graph.save("strings.tflite", [x, text], [output, text])


times_three("add.tflite")
times_three("add_uint8.tflite", Type.UINT8, scale=0.003922)
times_three("add_int8.tflite", Type.INT8, scale=0.5, zero_point=-3)
times_three("add_batch.tflite", shape=(1, 2), signature=[-1, 2])
binary("subtract.tflite", Op.SUB, schema.SubOptionsT(), Type.FLOAT32)
binary("divide_int32.tflite", Op.DIV, schema.DivOptionsT(), Type.INT32)
where()
where_of_where()
where_cast()
flatten()
unknown_custom()
shared_tensors()
strings()
