"""Makes the models in Tests/Fixtures/models that show how the engine stores elements.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_value_models.py

Running it also makes the models of make_models.py again: same script, same bytes.
"""

from make_models import Graph, Op, Type, schema

# Strings have no fixed size, and the engine loads no model with complex128.
EVERY_TYPE = (
    "BOOL UINT8 INT16 INT32 INT64 FLOAT16 FLOAT32 FLOAT64 INT8 UINT16 UINT32 UINT64 INT4 COMPLEX64"
).split()


def every_type():
    """Passes three elements of each type on that the engine takes."""
    graph = Graph()
    inputs, outputs = [], []
    for name in EVERY_TYPE:
        inputs.append(graph.tensor(f"{name} in", [3], getattr(Type, name)))
        outputs.append(graph.tensor(f"{name} out", [3], getattr(Type, name)))
        graph.operator(Op.RESHAPE, [inputs[-1]], [outputs[-1]], reshape([3]))
    graph.save("every_type.tflite", inputs, outputs)


def as_floats():
    """What the engine makes of int4 and complex elements: their values, and their imaginary parts."""
    graph = Graph()
    int4, complex64 = graph.tensor("int4", [3], Type.INT4), graph.tensor("complex64", [3], Type.COMPLEX64)
    values, imaginary = graph.tensor("values", [3]), graph.tensor("imaginary", [3])
    graph.operator(Op.CAST, [int4], [values])
    graph.operator(Op.IMAG, [complex64], [imaginary])
    graph.save("as_floats.tflite", [int4, complex64], [values, imaginary])


def per_channel():
    """Passes int8 elements of shape [2, 3] on, each column with a scale and zero point of its own."""
    graph = Graph()
    tensors = [graph.tensor(name, [2, 3], Type.INT8) for name in ("input", "output")]
    for index in tensors:
        quantization = schema.QuantizationParametersT()
        quantization.scale, quantization.zeroPoint = [0.5, 1, 2], [0, -1, 10]
        quantization.quantizedDimension = 1
        graph.subgraph.tensors[index].quantization = quantization
    graph.operator(Op.RESHAPE, tensors[:1], tensors[1:], reshape([2, 3]))
    graph.save("per_channel.tflite", tensors[:1], tensors[1:])


def reshape(shape):
    options = schema.ReshapeOptionsT()
    options.newShape = shape
    return options


every_type()
as_floats()
per_channel()
