"""From a photo's file to labels or boxes with Pillow and the Python interpreter of ai-edge-litert.

Its works: `file` decodes all of the photo, `draft` lets the decoder leave pixels out. Runs in a Python that has both
packages.
"""

import pathlib
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from harness.contestant import serve  # noqa: E402


class PillowContestant:
    def __init__(self, task, model, picture, threads, side):
        self.task, self.picture, self.side = task, picture, int(side)
        self.interpreter = Interpreter(model_path=model, num_threads=int(threads))
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.outputs = self.interpreter.get_output_details()

    def works(self):
        return {"file": lambda count: self.repeat(count, False), "draft": lambda count: self.repeat(count, True)}

    def repeat(self, count, draft):
        for _ in range(count):
            self.run(draft)

    def run(self, draft):
        size = (self.side, self.side)
        picture = Image.open(self.picture)
        if draft:
            picture.draft("RGB", size)
        pixels = numpy.asarray(picture.convert("RGB").resize(size, Image.Resampling.BILINEAR))[None]
        if self.input["dtype"] == numpy.float32:
            pixels = (pixels.astype(numpy.float32) - 127.5) / 127.5
        self.interpreter.set_tensor(self.input["index"], pixels)
        self.interpreter.invoke()
        results = [self.interpreter.get_tensor(output["index"]) for output in self.outputs]
        if self.task == "labels":
            return self.labels(results[0][0])
        boxes, classes, scores = (result[0] for result in results[:3])
        return [(int(classes[i]), float(scores[i]), boxes[i]) for i in range(len(scores)) if scores[i] > 0]

    def labels(self, scores):
        scale, zero_point = self.outputs[0]["quantization"]
        best = numpy.argpartition(scores, -3)[-3:]
        best = best[numpy.argsort(scores[best])[::-1]]
        return [(int(i), (scores[i].astype(float) - zero_point) * (scale or 1)) for i in best]

    def output(self):
        best = self.run(False)[0]
        return f"#{best[0]} {best[1]:.4f}"


serve(PillowContestant)
