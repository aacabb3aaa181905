"""Makes the small models in this folder.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/model_interpreter/make_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import flatbuffers
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent
Type = schema.TensorType


def tensor(name, shape, type, signature=None):
    """`signature` is the shape with -1 for open dimensions."""
    made = schema.TensorT()
    made.name, made.shape, made.type, made.shapeSignature = name, list(shape), type, signature
    return made


def sum_of_two(name, type, shape, signature=None, outputs=(2,)):
    """output = left + right."""
    subgraph = schema.SubGraphT()
    subgraph.tensors = [tensor(n, shape, type, signature) for n in ("left", "right", "output")]
    subgraph.inputs, subgraph.outputs = [0, 1], list(outputs)
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 1], [2]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.AddOptions, schema.AddOptionsT()
    subgraph.operators = [operator]
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.ADD
    code.version = 1
    model = schema.ModelT()
    model.version, model.description = 3, "Made for Hearth's tests."
    model.subgraphs, model.operatorCodes, model.buffers = [subgraph], [code], [schema.BufferT()]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    (FOLDER / name).write_bytes(bytes(builder.Output()))


sum_of_two("int64.tflite", Type.INT64, (1, 2))
sum_of_two("scalar.tflite", Type.FLOAT32, ())
sum_of_two("open.tflite", Type.FLOAT32, (1, 2), signature=[-1, 2])
sum_of_two("no_outputs.tflite", Type.FLOAT32, (2,), outputs=())
sum_of_two("rank_8.tflite", Type.FLOAT32, (1, 1, 1, 1, 1, 1, 1, 2))
