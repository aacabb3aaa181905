"""From a photo's file to labels or boxes with Pillow and the Python interpreter of ai-edge-litert.

Its works: `file` decodes all of the photo, `draft` lets the decoder leave pixels out, `invoke` is the engine alone. Runs in a
Python that has both packages.
"""

import json
import pathlib
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[number]) for number in (1, 2)]

from comparison.anchored import AnchoredBoxes  # noqa: E402
from comparison.job import Job  # noqa: E402
from harness.contestant import serve  # noqa: E402


class PillowContestant:
    def __init__(self, *words):
        job = Job.of(*words)
        self.task, self.picture, self.side = job.task, job.picture, job.side
        self.interpreter = Interpreter(model_path=job.model, num_threads=job.threads)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.outputs = self.interpreter.get_output_details()
        has_anchors = job.task == "boxes" and len(self.outputs) == 2
        self.anchored = AnchoredBoxes(job.side, job.threshold) if has_anchors else None
        self.run(False)

    def works(self):
        return {
            "file": lambda count: self.repeat(count, False), "draft": lambda count: self.repeat(count, True),
            "invoke": self.invoke}

    def invoke(self, count):
        for _ in range(count):
            self.interpreter.invoke()

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
        if self.anchored:
            return self.anchored.found(results[0][0], results[1][0])
        boxes, classes, scores = (result[0] for result in results[:3])
        return [(int(classes[i]), float(scores[i]), boxes[i]) for i in range(len(scores)) if scores[i] > 0]

    def labels(self, scores):
        scale, zero_point = self.outputs[0]["quantization"]
        best = numpy.argpartition(scores, -3)[-3:]
        best = best[numpy.argsort(scores[best])[::-1]]
        return [(int(i), (scores[i].astype(float) - zero_point) * (scale or 1)) for i in best]

    def output(self):
        width, height = Image.open(self.picture).size
        found = []
        for index, score, *boxes in self.run(False):
            found.append({"index": index, "score": float(score)})
            for top, left, bottom, right in boxes:
                found[-1]["box"] = [float(left) * width, float(top) * height, float(right) * width, float(bottom) * height]
        return json.dumps(found)


serve(PillowContestant)
