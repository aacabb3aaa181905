"""Makes the models in Tests/Fixtures/scales: int8 weights of floating-point numbers with one scale for all channels.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_scale_models.py

The second output of each model is what the first should be: it comes from the same weights as floating-point numbers. The
files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import numpy as np
from size_model import Graph, Model, schema

FOLDER = pathlib.Path(__file__).parent / "scales"
SCALE = np.float32(1 / 64)
STEP = {"strideW": 1, "strideH": 1}
DILATION = {"dilationWFactor": 1, "dilationHFactor": 1}


def weights(*shape):
    return np.random.default_rng(1).integers(-127, 128, shape).astype(np.int8)


def quantized(graph, values, dimension):
    """Weights with one scale, for which the file states this dimension."""
    index = graph.constant(values)
    quantization = schema.QuantizationParametersT()
    quantization.scale, quantization.zeroPoint, quantization.quantizedDimension = [SCALE], [0], dimension
    graph.table.tensors[index].quantization = quantization
    return index


def convolution(file, name, values, channels, dimension=0, **options):
    """A convolution of [1, 5, 5, channels] with a bias; the last or first size of the weights counts its results."""
    graph = Graph(Model(), "main")
    count = values.shape[3 if name == "DEPTHWISE_CONV_2D" else 0]
    x = graph.input("x", [1, 5, 5, channels])
    bias = graph.constant(np.linspace(-1, 1, count, dtype=np.float32))
    outputs = [graph.tensor(name, [1, 5, 5, count]) for name in ("y", "expected")]
    floats = graph.constant(values.astype(np.float32) * SCALE)
    for output, filter in zip(outputs, [quantized(graph, values, dimension), floats]):
        if name == "TRANSPOSE_CONV":
            size = graph.constant(np.array([1, 5, 5, count], np.int32))
            graph.operator(name, [size, filter, x], [output], **STEP)
        else:
            graph.operator(name, [x, filter, bias], [output], **STEP, **DILATION, **options)
    graph.finish(outputs)
    graph.model.save(file, FOLDER)


def shared():
    """Two convolutions have the same weights; a third output has the weights as floating-point numbers."""
    graph = Graph(Model(), "main")
    values = weights(1, 3, 3, 8)
    x, bias = graph.input("x", [1, 5, 5, 8]), graph.constant(np.zeros(8, np.float32))
    filter, floats = quantized(graph, values, 0), graph.constant(values.astype(np.float32) * SCALE)
    outputs = [graph.tensor(name, [1, 5, 5, 8]) for name in ("y", "expected")]
    for output, filter in zip(outputs, [filter, floats]):
        once = graph.tensor("once", [1, 5, 5, 8])
        for before, after in [(x, once), (once, output)]:
            graph.operator("DEPTHWISE_CONV_2D", [before, filter, bias], [after], depthMultiplier=1, **STEP, **DILATION)
    outputs.append(graph.tensor("weights", [1, 3, 3, 8]))
    graph.operator("DEQUANTIZE", [graph.table.operators[0].inputs[1]], outputs[-1:])
    graph.finish(outputs)
    graph.model.save("shared.tflite", FOLDER)


convolution("depthwise.tflite", "DEPTHWISE_CONV_2D", weights(1, 3, 3, 16), 8, depthMultiplier=2)
convolution("depthwise_last.tflite", "DEPTHWISE_CONV_2D", weights(1, 3, 3, 8), 8, 3, depthMultiplier=1)
convolution("grouped.tflite", "CONV_2D", weights(16, 3, 3, 2), 8)
convolution("transposed.tflite", "TRANSPOSE_CONV", weights(16, 3, 3, 4), 4, 3)
shared()
