"""Runs a model with ONNX Runtime on the processor, in a Python of its own that has the package. The model is converted to ONNX
first; `comparison/onnx_model.py` tells how."""

import pathlib
import sys

import onnxruntime

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[place]) for place in (1, 2)]

from comparison.onnx_model import converted, fill  # noqa: E402
from harness.contestant import serve  # noqa: E402

class ONNXRuntimeContestant:
    def __init__(self, path, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(threads)
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(converted(path), options, providers=["CPUExecutionProvider"])
        self.inputs = {item.name: fill(item) for item in self.session.get_inputs()}
        # Both ends bound to memory, so that a run alone copies nothing.
        self.binding = self.session.io_binding()
        self.bound = {name: onnxruntime.OrtValue.ortvalue_from_numpy(data) for name, data in self.inputs.items()}
        for name, value in self.bound.items():
            self.binding.bind_ortvalue_input(name, value)
        for item in self.session.get_outputs():
            self.binding.bind_output(item.name, "cpu")

    def copies(self, count):
        run, inputs = self.session.run, self.inputs
        for _ in range(count):
            run(None, inputs)

    def run(self, count):
        run, binding = self.session.run_with_iobinding, self.binding
        for _ in range(count):
            run(binding)

    def output(self):
        return self.session.run(None, self.inputs)[0].tobytes().hex()

    def works(self):
        return {"copies": self.copies, "run": self.run}


serve(ONNXRuntimeContestant)
