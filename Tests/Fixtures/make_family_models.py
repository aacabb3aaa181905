"""Makes the small detection models of common families in Tests/Fixtures/families.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_family_models.py

Whatever the picture shows, each model finds the same two objects: class 2 with score 0.9, from 0.2 to 0.4 across and
from 0.1 to 0.5 down; and class 1 with score 0.8, from 0.55 to 0.85 across and from 0.5 to 0.7 down. Models that do not
select boxes also have a second box of the first object with score 0.7. The files are committed, so tests need neither
Python nor TensorFlow. Same script, same bytes.
"""

import json
import pathlib

import numpy as np
from make_detection_models import BYTE, Graph, Op, Type, schema

FOLDER = pathlib.Path(__file__).parent / "families"
SIDE = 64
# Left, top, right, bottom, score, class.
OBJECTS = [(0.2, 0.1, 0.4, 0.5, 0.9, 2), (0.55, 0.5, 0.85, 0.7, 0.8, 1), (0.21, 0.1, 0.41, 0.5, 0.7, 2)]
SELECTED = OBJECTS[:2]
CLASSES = 3


class Family(Graph):
    """A graph with a picture and outputs that always have the same values."""

    def __init__(self, type=Type.UINT8, side=SIDE, shape=None):
        super().__init__()
        self.image = self.tensor("images", shape or [1, side, side, 3], type, None if type == Type.FLOAT32 else BYTE)
        floats = self.image
        if type != Type.FLOAT32:
            floats = self.tensor("floats", shape or [1, side, side, 3])
            self.operator(Op.DEQUANTIZE, [self.image], [floats], schema.DequantizeOptionsT())
        self.zero = self.nothing_of(floats)
        self.outputs = []

    def nothing_of(self, floats):
        """A zero that depends on the picture, so that no output is a constant."""
        most, zero = self.tensor("most", [1]), self.tensor("zero", [1])
        axes = self.constant("axes", np.array([0, 1, 2, 3], np.int32))
        self.operator(Op.SUM, [floats, axes], [most], schema.ReducerOptionsT())
        self.operator(Op.MUL, [most, self.constant("none", np.zeros(1, np.float32))], [zero], schema.MulOptionsT())
        return zero

    def output(self, name, values):
        self.outputs.append(self.fixed(name, np.asarray(values, np.float32), self.zero))

    def write(self, name, files=None, names=None):
        if names:
            self.sign(names, [self.image], self.outputs)
        self.save(FOLDER / (name + ".tflite"), [self.image], self.outputs, files=files)


def center(box):
    left, top, right, bottom = box[:4]
    return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top]


def scores(box):
    row = [0.05] * CLASSES
    row[box[5]] = box[4]
    return row


def places(count, row):
    """As many places as a network has, with these objects in some of them and nothing in the others."""
    empty = [0.5, 0.5, 0.1, 0.1] + [0.01] * (len(row(OBJECTS[0])) - 4)
    made = [list(empty) for _ in range(count)]
    for place, box in zip((3, count // 2, 7), OBJECTS):
        made[place] = row(box)
    return made


yolov8 = np.array(places(84, lambda box: center(box) + scores(box)))
model = Family()
model.output("output0", [yolov8.T])
model.write("yolov8")

model = Family(Type.FLOAT32)
model.output("output0", [(yolov8 * ([SIDE] * 4 + [1] * CLASSES)).T])
description = {"task": "detect", "names": {"0": "cup", "1": "dog", "2": "cat"}}
model.write("yolov8_pixels", {"metadata.json": json.dumps(description).encode()})

model = Family()
# The score of an object times that of the class is the score.
model.output("output0", [places(252, lambda box: center(box) + [0.95] + [value / 0.95 for value in scores(box)])])
model.write("yolov5")

model = Family()
rows = [[*box[:4], box[4], box[5]] for box in SELECTED] + [[0] * 6] * 8
model.output("output0", [rows])
model.write("yolo_nms")

model = Family()
model.output("output0", [[0, box[5], box[4], *(side * SIDE for side in box[:4])] for box in SELECTED])
model.write("detection_output")

model = Family()
model.output("a", [[box[5] for box in SELECTED]])
model.output("b", [len(SELECTED)])
model.output("c", [[box[:4] for box in SELECTED]])
model.output("d", [[box[4] for box in SELECTED]])
model.write("yolov5_nms")

model = Family(Type.FLOAT32)
model.output("detected_boxes", [box[:4] for box in SELECTED])
model.output("detected_scores", [box[4] for box in SELECTED])
model.output("detected_classes", [box[5] for box in SELECTED])
model.write("custom_vision")

model = Family()
model.output("A:0", [[[0.5] * CLASSES] * 2])
model.output("A:1", [[[box[1], box[0], box[3], box[2]] for box in SELECTED]])
model.output("A:2", [[box[5] + 1 for box in SELECTED]])
model.output("A:3", [[box[4] for box in SELECTED]])
model.output("A:4", [len(SELECTED)])
model.output("A:5", [[[0.0] * 4] * 5])
model.write(
    "object_detection_server",
    names=["detection_multiclass_scores", "detection_boxes", "detection_classes", "detection_scores", "num_detections",
           "raw_detection_boxes"])

# Cells of 8 pixels: two that touch at a corner, and one alone.
cells = np.zeros((8, 8, CLASSES + 1))
cells[..., 0] = 1
for row, column, kind, score in ((1, 2, 2, 0.9), (2, 3, 2, 0.6), (6, 6, 1, 0.8)):
    cells[row, column, 0], cells[row, column, kind + 1] = 1 - score, score
model = Family()
logits = model.fixed("logits", np.log(np.maximum(cells, 1e-6))[None].astype(np.float32), model.zero)
probabilities = model.tensor("cells", [1, 8, 8, CLASSES + 1])
softmax = schema.SoftmaxOptionsT()
softmax.beta = 1.0
model.operator(Op.SOFTMAX, [logits], [probabilities], softmax)
model.outputs.append(probabilities)
model.write("fomo")
