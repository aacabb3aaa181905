"""Runs a model with the Python interpreter of ai-edge-litert, in a Python of its own that has the package."""

import pathlib
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from harness.contestant import serve  # noqa: E402


def fill_input(shape, dtype):
    """The same bytes as in the other contestants."""
    places = numpy.arange(numpy.prod(shape, dtype=int) * numpy.dtype(dtype).itemsize)
    data = numpy.where(places % 4 == 3, 0x3F, places * 37 % 256).astype(numpy.uint8)
    return data.view(dtype).reshape(shape)


class PythonContestant:
    def __init__(self, path, threads):
        self.interpreter = Interpreter(model_path=path, num_threads=int(threads))
        self.interpreter.allocate_tensors()
        self.inputs = [
            (detail["index"], fill_input(detail["shape"], detail["dtype"]))
            for detail in self.interpreter.get_input_details()
        ]
        self.outputs = [detail["index"] for detail in self.interpreter.get_output_details()]
        for index, data in self.inputs:
            self.interpreter.set_tensor(index, data)

    def copies(self, count):
        interpreter, inputs, outputs = self.interpreter, self.inputs, self.outputs
        for _ in range(count):
            for index, data in inputs:
                interpreter.set_tensor(index, data)
            interpreter.invoke()
            for index in outputs:
                interpreter.get_tensor(index)

    def run(self, count):
        invoke = self.interpreter.invoke
        for _ in range(count):
            invoke()

    def output(self):
        return self.interpreter.get_tensor(self.outputs[0]).tobytes().hex()

    def works(self):
        return {"copies": self.copies, "run": self.run}


serve(PythonContestant)
