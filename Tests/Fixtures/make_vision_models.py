"""Makes the models of the tests of how images go in and what comes out, in Tests/Fixtures/vision.

Run with any Python that has TensorFlow (only its schema of the model file is used) and Pillow:

    python Tests/Fixtures/make_vision_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.

- `yolov8.tflite`: a float model of 4 x 4 pixels, each of which is a place where something may be. Red, green and blue,
  0 to 1, are the scores of three classes. It returns [1, 7, 16] and says nothing of it, as exporters of YOLO do.
- `gray.tflite`: a float model of 4 x 4 pixels with one channel, -1 to 1, which its image_processing.json says. It has two
  outputs with labels: whether the image is dark or bright (logits), and which of its four corners is the brightest.
- `gray_plain.tflite`: the same graph without a word about images and labels.
"""

import json
import pathlib

import numpy as np
from make_detection_models import PLACES, SIDE, Graph as DetectionGraph, Metadata, Op, schema
from PIL import Image

FOLDER = pathlib.Path(__file__).parent / "vision"
OPTIONS = {
    "FULLY_CONNECTED": schema.FullyConnectedOptionsT,
    "RESHAPE": schema.ReshapeOptionsT,
    "TRANSPOSE": schema.TransposeOptionsT,
    "CONCATENATION": schema.ConcatenationOptionsT,
}


class Graph(DetectionGraph):
    """A graph of float32 tensors."""

    def compute(self, name, inputs, output, shape, **options):
        """Adds an operator with one output, and gives the output's index."""
        made = OPTIONS[name]()
        for key, value in options.items():
            setattr(made, key, value)
        index = self.tensor(output, shape)
        self.operator(getattr(Op, name), inputs, [index], made)
        return index

    def reshape(self, input, name, shape):
        return self.compute(
            "RESHAPE", [input, self.constant(name + "_shape", np.array(shape, np.int32))], name, shape, newShape=shape)


def yolov8():
    graph = Graph()
    image = graph.tensor("images", [1, SIDE, SIDE, 3])
    places = graph.reshape(image, "places", [1, PLACES, 3])
    order = graph.constant("order", np.array([0, 2, 1], np.int32))
    scores = graph.compute("TRANSPOSE", [places, order], "scores", [1, 3, PLACES])
    rows, columns = np.divmod(np.arange(PLACES), SIDE)
    side = np.full(PLACES, 1 / SIDE)
    boxes = np.stack([(columns + 0.5) / SIDE, (rows + 0.5) / SIDE, side, side])[None].astype(np.float32)
    output = graph.compute(
        "CONCATENATION", [graph.constant("boxes", boxes), scores], "output0", [1, 7, PLACES], axis=1)
    graph.save(FOLDER / "yolov8.tflite", [image], [output], files={"labels.txt": "red\ngreen\nblue\n"})


def gray(name, files=None, description=None):
    graph = Graph()
    image = graph.tensor("pixels", [1, SIDE, SIDE, 1])
    flat = graph.reshape(image, "flat", [1, PLACES])

    def layer(name, weights):
        weights = np.array(weights, np.float32)
        return graph.compute(
            "FULLY_CONNECTED", [flat, graph.constant(name + "_weights", weights), -1], name, [1, len(weights)])

    brightness = layer("brightness", [[-0.25] * PLACES, [0.25] * PLACES])
    rows, columns = np.divmod(np.arange(PLACES), SIDE)
    corner = (rows >= SIDE // 2) * 2 + (columns >= SIDE // 2)
    corners = layer("corner", [(corner == place) / 4 for place in range(4)])
    graph.save(FOLDER / name, [image], [brightness, corners], description, files)


def picture(name, colour, size=SIDE):
    """A picture in which `colour(column, row)` gives each pixel."""
    image = Image.new("RGB", (size, size))
    for row in range(size):
        for column in range(size):
            image.putpixel((column, row), colour(column, row))
    image.save(FOLDER / name)


yolov8()
gray(
    "gray.tflite",
    {
        "image_processing.json": json.dumps(
            {"channels": "gray", "mean": [127.5], "standardDeviation": [127.5], "activation": "softmax"}),
        "brightness.txt": "dark\nbright\n",
        "corner.txt": "top left\ntop right\nbottom left\nbottom right\n",
    },
    # 2: labels by axis.
    Metadata.build([{0: name, 6: [{0: f"{name}.txt", 2: (8, 2)}]} for name in ("brightness", "corner")]))
gray("gray_plain.tflite")
picture("green_spot.png", lambda column, row: (0, 230, 0) if (column, row) == (1, 2) else (0, 0, 0))
picture("bright_corner.png", lambda column, row: (255,) * 3 if column > 1 and row < 2 else (160,) * 3)
