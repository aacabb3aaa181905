"""Appends the detection post-processing operator, which TensorFlow's own converter knows only from TensorFlow 1."""

import numpy as np
from flatbuffers import flexbuffers
from tensorflow.lite.python import schema_py_generated as schema

from ..conversion import packed
from ..digits import LABELS
from .anchors import CENTRE_SCALE, SIZE_SCALE, anchor_boxes

OPERATOR = "TFLite_Detection_PostProcess"
MAX_DETECTIONS = 40

OUTPUT_NAMES = [OPERATOR] + [f"{OPERATOR}:{number}" for number in (1, 2, 3)]
OUTPUT_SHAPES = ([1, MAX_DETECTIONS, 4], [1, MAX_DETECTIONS], [1, MAX_DETECTIONS], [1])
MODEL_OUTPUTS = 3  # boxes, classes, scores: AutoML's clients do not read the count

OPTIONS = {
    "max_detections": MAX_DETECTIONS,
    "max_classes_per_detection": 1,
    # The fast way lets only one of the boxes on a digit stand, whatever digits they read; the regular way suppresses
    # per class. But it leaves what an earlier run wrote in the places beyond the boxes found, and no count tells the
    # reader of three outputs. A threshold of 0 keeps every anchor, so that all places are filled, in falling order.
    "use_regular_nms": False,
    "nms_score_threshold": 0.0,
    "nms_iou_threshold": 0.45,
    "num_classes": len(LABELS),
    "y_scale": CENTRE_SCALE,
    "x_scale": CENTRE_SCALE,
    "h_scale": SIZE_SCALE,
    "w_scale": SIZE_SCALE,
}


def with_postprocess(model: bytes, input_name: str) -> bytes:
    """A model of offsets and scores per anchor becomes one of boxes, classes and scores, named as AutoML names them.

    Like AutoML's exports it has no signature.
    """
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    main = graph.subgraphs[0]
    main.tensors[main.inputs[0]].name = input_name
    offsets, scores = (_output(graph, name) for name in ("offsets", "scores"))
    anchors = _add_tensor(graph, "anchors", anchor_boxes())
    results = [_add_tensor(graph, name, None, shape) for name, shape in zip(OUTPUT_NAMES, OUTPUT_SHAPES, strict=True)]
    _add_operator(graph, [offsets, scores, anchors], results)
    main.outputs = results[:MODEL_OUTPUTS]
    graph.signatureDefs = []
    return packed(graph)


def _output(graph: schema.ModelT, name: str) -> int:
    return next(output.tensorIndex for output in graph.signatureDefs[0].outputs if output.name == name.encode())


def _add_tensor(graph: schema.ModelT, name: str, values: np.ndarray | None, shape: list[int] | None = None) -> int:
    """A float32 tensor: a constant if it has values."""
    tensor = schema.TensorT()
    tensor.name = name
    tensor.type = schema.TensorType.FLOAT32
    tensor.shape = list(values.shape) if values is not None else shape
    buffer = schema.BufferT()
    if values is not None:
        buffer.data = np.frombuffer(values.tobytes(), np.uint8)
    tensor.buffer = len(graph.buffers)
    graph.buffers.append(buffer)
    graph.subgraphs[0].tensors.append(tensor)
    return len(graph.subgraphs[0].tensors) - 1


def _add_operator(graph: schema.ModelT, inputs: list[int], outputs: list[int]) -> None:
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    code.customCode = OPERATOR
    code.version = 1
    graph.operatorCodes.append(code)
    operator = schema.OperatorT()
    operator.opcodeIndex = len(graph.operatorCodes) - 1
    operator.inputs, operator.outputs = inputs, outputs
    operator.customOptions = np.frombuffer(bytes(flexbuffers.Dumps(OPTIONS)), np.uint8)
    operator.customOptionsFormat = schema.CustomOptionsFormat.FLEXBUFFERS
    graph.subgraphs[0].operators.append(operator)
