"""Makes models in Tests/Fixtures/recurrent/combined in which a recurrent operator has company.

Run with any Python that has TensorFlow (only its schema of the model file is used), after make_recurrent_models.py:

    python Tests/Fixtures/make_state_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import copy
import pathlib

import flatbuffers
from tensorflow.lite.python import schema_py_generated as schema

SOURCE = pathlib.Path(__file__).parent / "recurrent"
FOLDER = SOURCE / "combined"


def lstm():
    data = (SOURCE / "lstm_step.tflite").read_bytes()
    return schema.ModelT.InitFromObj(schema.Model.GetRootAs(data, 0))


def save(name, model):
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / name).write_bytes(bytes(builder.Output()))


def with_strings():
    """Beside the operator a string goes through, whatever its length."""
    model = lstm()
    text = schema.TensorT()
    text.name, text.shape, text.type = "text", [1], schema.TensorType.STRING
    subgraph = model.subgraphs[0]
    subgraph.tensors.append(text)
    index = len(subgraph.tensors) - 1
    subgraph.inputs = list(subgraph.inputs) + [index]
    subgraph.outputs = list(subgraph.outputs) + [index]
    save("strings.tflite", model)


def signature(key, number, subgraph):
    def maps(prefix, tensors):
        result = []
        for place, tensor in enumerate(tensors):
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = f"{prefix}{place}", tensor
            result.append(entry)
        return result

    result = schema.SignatureDefT()
    result.signatureKey, result.subgraphIndex = key, number
    result.inputs, result.outputs = maps("x", subgraph.inputs), maps("y", subgraph.outputs)
    return result


def two_signatures():
    """Two graphs with an operator each, and a signature for each."""
    model = lstm()
    model.subgraphs.append(copy.deepcopy(model.subgraphs[0]))
    model.signatureDefs = [signature(key, number, model.subgraphs[number]) for number, key in enumerate("ab")]
    save("signatures.tflite", model)


with_strings()
two_signatures()
