"""The detector as MediaPipe's detectors are: offsets and scores per anchor come out, the metadata has the anchors."""

from dataclasses import dataclass

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from flatbuffers import flexbuffers
from tensorflow.lite.python import schema_py_generated as schema

from ..digits import LABELS
from ..metadata import with_metadata_and_labels
from .anchors import SIDE
from .conversion import INPUT_NAME
from .detections import Detections, as_input, unsuppressed
from .metadata import DetectorMetadata, Scales
from .postprocess import OPERATOR

OUTPUT_NAMES = ("detection_boxes", "detection_scores")

NAME = "Digits detector"
DESCRIPTION = "Finds and reads handwritten digits on a page."

OVERLAP = 0.45  # as in the operator that is gone
LEAST_SCORE = 0.01


@dataclass(frozen=True)
class Removed:
    """What the post-processing operator was told: anchors, float32 [A, 4] (centre y, centre x, height, width in
    0 ... 1), and what it divides offsets by."""

    anchors: np.ndarray
    scales: Scales


def without_postprocess(model: bytes) -> tuple[bytes, Removed]:
    """A model with the operator becomes one of two outputs, with metadata and labels inside, and the same weights."""
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    main = graph.subgraphs[0]
    operator = main.operators.pop()
    assert graph.operatorCodes.pop().customCode == OPERATOR.encode(), "the last operator is the post-processing"
    offsets, scores, anchors = operator.inputs
    removed = Removed(_floats(graph, anchors), _scales(operator))
    _drop_tensors(graph, anchors)
    digit_scores = _without_background(graph, scores)
    main.outputs = [offsets, digit_scores]
    _name(main)
    metadata = DetectorMetadata().build(NAME, DESCRIPTION, "1", INPUT_NAME, SIDE, removed.anchors, removed.scales)
    return with_metadata_and_labels(graph, metadata), removed


def _name(main: schema.SubGraphT) -> None:
    """The tensors inside become numbers: the anchors, larger here than in the operator, need the room."""
    for number, tensor in enumerate(main.tensors):
        tensor.name = str(number)
    for tensor, name in zip([*main.inputs, *main.outputs], (INPUT_NAME, *OUTPUT_NAMES), strict=True):
        main.tensors[tensor].name = name


def _floats(graph: schema.ModelT, tensor: int) -> np.ndarray:
    described = graph.subgraphs[0].tensors[tensor]
    return graph.buffers[described.buffer].data.view(np.float32).reshape(described.shape)


def _scales(operator: schema.OperatorT) -> Scales:
    options = flexbuffers.Loads(bytes(operator.customOptions))
    return Scales(*(options[f"{axis}_scale"] for axis in "xywh"))


def _drop_tensors(graph: schema.ModelT, first: int) -> None:
    """Drops the last tensors, which only the operator used, and their buffers, which are the last as well."""
    tensors = graph.subgraphs[0].tensors
    del graph.buffers[tensors[first].buffer :]
    del tensors[first:]


def _without_background(graph: schema.ModelT, scores: int) -> int:
    """Appends an operator that leaves the background's scores out: MediaPipe would show them as a class."""
    main = graph.subgraphs[0]
    shape = [1, main.tensors[scores].shape[1], len(LABELS)]
    begin, size = _add_tensor(graph, "begin", np.int32([0, 0, 1])), _add_tensor(graph, "size", np.int32(shape))
    result = schema.TensorT()
    result.name, result.type, result.shape, result.buffer = "", schema.TensorType.FLOAT32, shape, 0
    main.tensors.append(result)

    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.SLICE
    code.version = 1
    graph.operatorCodes.append(code)
    operator = schema.OperatorT()
    operator.opcodeIndex = len(graph.operatorCodes) - 1
    operator.inputs, operator.outputs = [scores, begin, size], [len(main.tensors) - 1]
    operator.builtinOptionsType = schema.BuiltinOptions.SliceOptions
    operator.builtinOptions = schema.SliceOptionsT()
    main.operators.append(operator)
    return len(main.tensors) - 1


def _add_tensor(graph: schema.ModelT, name: str, values: np.ndarray) -> int:
    tensor, buffer = schema.TensorT(), schema.BufferT()
    buffer.data = np.frombuffer(values.tobytes(), np.uint8)
    tensor.name, tensor.type, tensor.shape = name, schema.TensorType.INT32, list(values.shape)
    tensor.buffer = len(graph.buffers)
    graph.buffers.append(buffer)
    graph.subgraphs[0].tensors.append(tensor)
    return len(graph.subgraphs[0].tensors) - 1


class RawDetector:
    """A loaded model with two outputs, used again for every picture."""

    def __init__(self, model: bytes, removed: Removed):
        self._interpreter = Interpreter(model_content=model, num_threads=1)
        self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]["index"]
        self._outputs = [output["index"] for output in self._interpreter.get_output_details()]
        self._removed = removed

    def detections(self, picture: np.ndarray) -> Detections:
        """What it finds on a picture of any size, RGB uint8 [height, width, 3]: one digit per anchor, the best."""
        self._interpreter.set_tensor(self._input, as_input(picture)[None])
        self._interpreter.invoke()
        offsets, scores = (self._interpreter.get_tensor(index)[0] for index in self._outputs)
        found = np.flatnonzero(scores.max(axis=1) > LEAST_SCORE)
        digits = scores[found].argmax(axis=1)
        boxes = self._boxes(offsets[found], self._removed.anchors[found])
        return unsuppressed(Detections(boxes, digits, scores[found, digits]), OVERLAP, per_digit=False)

    def _boxes(self, offsets: np.ndarray, anchors: np.ndarray) -> np.ndarray:
        scales = self._removed.scales
        centres = anchors[:, :2] + anchors[:, 2:] * offsets[:, :2] / np.float32([scales.y, scales.x])
        sizes = anchors[:, 2:] * np.exp(offsets[:, 2:] / np.float32([scales.height, scales.width]))
        return np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1)
