"""Runs a model with the Python interpreter of ai-edge-litert, in a Python of its own that has the package."""

import pathlib
import sys

from ai_edge_litert.interpreter import Interpreter

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[place]) for place in (1, 2)]

from comparison.inputs import fill_input  # noqa: E402
from harness.contestant import serve  # noqa: E402


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

    def element(self):
        """The type of the output's elements, for who compares outputs of other engines with this one's."""
        return self.interpreter.get_output_details()[0]["dtype"].__name__

    def works(self):
        return {"copies": self.copies, "run": self.run}


serve(PythonContestant)
