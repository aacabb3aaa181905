"""Runs a model with OpenVINO on the processor, which reads .tflite files, in a Python of its own that has the package."""

import pathlib
import sys

import openvino

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[place]) for place in (1, 2)]

from comparison.inputs import fill_input  # noqa: E402
from harness.contestant import serve  # noqa: E402


class OpenVINOContestant:
    def __init__(self, path, threads):
        # Its shortest time for one call at a time, and floats as precise as the others'.
        settings = {
            "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": int(threads), "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32"}
        self.request = openvino.Core().compile_model(path, "CPU", settings).create_infer_request()
        self.inputs = [(tensor.data, fill_input(tensor.shape, tensor.data.dtype)) for tensor in self.request.input_tensors]
        for target, data in self.inputs:
            target[:] = data

    def copies(self, count):
        request, inputs = self.request, self.inputs
        for _ in range(count):
            for target, data in inputs:
                target[:] = data
            request.infer()
            for tensor in request.output_tensors:
                tensor.data.copy()

    def run(self, count):
        infer = self.request.infer
        for _ in range(count):
            infer()

    def output(self):
        self.request.infer()
        return self.request.output_tensors[0].data.tobytes().hex()

    def works(self):
        return {"copies": self.copies, "run": self.run}


serve(OpenVINOContestant)
