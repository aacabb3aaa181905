"""From a photo's file to boxes with OpenCV, NumPy and the Python interpreter of ai-edge-litert, for models whose output has the form
of YOLOv8's: for each of many places a box and a score for each class.

Its works: `file` decodes all of the photo, `reduced` at the smallest of 1, 1/2, 1/4 and 1/8 that covers the input; `invoke` is the
engine alone. Runs in a Python that has the packages.
"""

import json
import pathlib
import sys

import cv2
import numpy
from ai_edge_litert.interpreter import Interpreter

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[number]) for number in (1, 2)]

from comparison.job import Job  # noqa: E402
from harness.contestant import serve  # noqa: E402

GRAY = 114
OVERLAP = 0.45  # boxes of one class that overlap by more are one
REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


class OpenCVContestant:
    def __init__(self, *words):
        self.job = job = Job.of(*words)
        cv2.setNumThreads(job.threads)
        self.interpreter = Interpreter(model_path=job.model, num_threads=job.threads)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.output_details = self.interpreter.get_output_details()[0]
        self.as_input = self.shares if self.input["dtype"] == numpy.float32 else self.quantiser()
        # Found once: a program that reduces knows how large its photos are.
        self.size = cv2.imread(job.picture).shape[:2]
        most = max(self.size) / job.side
        self.reduction = max(factor for factor in REDUCED if factor == 1 or factor <= most)
        self.run(1)

    def works(self):
        return {
            "file": lambda count: self.repeat(count, 1), "reduced": lambda count: self.repeat(count, self.reduction),
            "invoke": self.invoke}

    def invoke(self, count):
        for _ in range(count):
            self.interpreter.invoke()

    def repeat(self, count, reduction):
        for _ in range(count):
            self.run(reduction)

    def run(self, reduction):
        photo = cv2.imread(self.job.picture, REDUCED[reduction])
        square, scale, corner = self.letterboxed(photo)
        self.interpreter.set_tensor(self.input["index"], self.as_input(square)[None])
        self.interpreter.invoke()
        boxes, classes, scores = self.boxes(self.interpreter.get_tensor(self.output_details["index"])[0])
        # Of the photo as it was before the reduction.
        boxes = (boxes - corner) / (scale / reduction)
        return boxes, classes, scores

    def letterboxed(self, photo):
        """RGB bytes of the input's size, how much the photo was scaled, and where it begins, twice."""
        side = self.job.side
        height, width = photo.shape[:2]
        scale = side / max(height, width)
        columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
        left, top = (side - columns) // 2, (side - rows) // 2
        photo = cv2.resize(photo, (columns, rows), interpolation=cv2.INTER_LINEAR)
        square = cv2.copyMakeBorder(
            photo, top, side - rows - top, left, side - columns - left, cv2.BORDER_CONSTANT, value=(GRAY, GRAY, GRAY))
        return cv2.cvtColor(square, cv2.COLOR_BGR2RGB), scale, numpy.array([left, top, left, top], numpy.float32)

    @staticmethod
    def shares(square):
        return numpy.multiply(square, numpy.float32(1 / 255), dtype=numpy.float32)

    def quantiser(self):
        """From bytes to shares of 255 as the input's scale and zero point say."""
        scale, zero_point = self.input["quantization"]
        values = numpy.arange(256, dtype=numpy.uint8)
        table = (numpy.round(values / 255 / scale) + zero_point).clip(-128, 127).astype(numpy.int8)
        # Mostly one flipped bit does it, which is faster.
        if numpy.array_equal(table, (values ^ 128).view(numpy.int8)):
            return lambda square: (square ^ 128).view(numpy.int8)
        return lambda square: cv2.LUT(square, table.view(numpy.uint8)).view(numpy.int8)

    def boxes(self, output):
        """Left, top, right and bottom in pixels of the input, classes and scores of what stands in the output [4 + classes, places]."""
        scale, zero_point = self.output_details["quantization"]
        is_quantised = output.dtype != numpy.float32
        threshold = self.job.threshold
        best = output[4:].max(axis=0)
        places = numpy.flatnonzero(best > (threshold / scale + zero_point if is_quantised else threshold))
        found = output[:, places]
        classes = found[4:].argmax(axis=0)
        if is_quantised:
            found = (found.astype(numpy.float32) - zero_point) * numpy.float32(scale)
        scores = found[4:].max(axis=0)
        centres, sizes = found[:2].T * self.job.side, found[2:4].T * self.job.side
        corners = centres - sizes / 2
        rectangles = numpy.concatenate([corners, sizes], axis=1)
        kept = cv2.dnn.NMSBoxesBatched(rectangles.tolist(), scores.tolist(), classes.tolist(), threshold, OVERLAP)
        kept = numpy.asarray(kept, numpy.intp)
        corners = corners[kept]
        return numpy.concatenate([corners, corners + sizes[kept]], axis=1), classes[kept], scores[kept]

    def output(self):
        height, width = self.size
        boxes, classes, scores = self.run(1)
        boxes = boxes.clip(0, [width, height, width, height])
        return json.dumps([
            {"index": int(index), "score": float(score), "box": box.tolist()} for box, index, score in zip(boxes, classes, scores)])


serve(OpenCVContestant)
