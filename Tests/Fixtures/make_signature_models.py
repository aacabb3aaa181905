"""Makes the models with signatures in Tests/Fixtures/models.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_signature_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import pathlib

import flatbuffers
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent / "models"


def tensor(name, shape, signature):
    result = schema.TensorT()
    result.name = name
    result.shape = shape
    result.shapeSignature = signature
    return result


def binary(prefix, code_index, options):
    """`left` (operator) `right` -> `result`, any number of elements."""
    subgraph = schema.SubGraphT()
    subgraph.name = prefix
    subgraph.tensors = [tensor(f"{prefix}_{name}:0", [1], [-1]) for name in ("right", "left", "result")]
    operator = schema.OperatorT()
    operator.opcodeIndex = code_index
    operator.inputs = [1, 0]
    operator.outputs = [2]
    operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
    operator.builtinOptions = options
    subgraph.operators = [operator]
    subgraph.inputs = [0, 1]
    subgraph.outputs = [2]
    return subgraph


def code(number):
    result = schema.OperatorCodeT()
    result.builtinCode = result.deprecatedBuiltinCode = number
    result.version = 1
    return result


def signature(key, subgraph, inputs, outputs):
    def maps(names):
        result = []
        for name, index in names.items():
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = name, index
            result.append(entry)
        return result

    result = schema.SignatureDefT()
    result.signatureKey = key
    result.subgraphIndex = subgraph
    result.inputs, result.outputs = maps(inputs), maps(outputs)
    return result


def save(name, signatures):
    model = schema.ModelT()
    model.version = 3
    model.description = "Made for Hearth's tests."
    model.buffers = [schema.BufferT()]
    model.operatorCodes = [code(schema.BuiltinOperator.ADD), code(schema.BuiltinOperator.SUB)]
    model.subgraphs = [binary("add", 0, schema.AddOptionsT()), binary("sub", 1, schema.SubOptionsT())]
    model.signatureDefs = signatures
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    (FOLDER / name).write_bytes(bytes(builder.Output()))


plus = {"right": 0, "left": 1}, {"result": 2}
minus = {"a": 1, "b": 0}, {"difference": 2}
# `plus` and `total` are two names for one graph.
save(
    "signatures.tflite",
    [signature("plus", 0, *plus), signature("minus", 1, *minus), signature("total", 0, {"x": 1, "y": 0}, {"sum": 2})],
)
save("side_signature.tflite", [signature("minus", 1, *minus)])
