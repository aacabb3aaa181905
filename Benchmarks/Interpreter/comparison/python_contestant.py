"""Runs a model with the Python interpreter of ai-edge-litert, for whoever asks over standard input.

Knows the commands `open`, `time` and `output` of the benchmark program, in the same form; its contestant is `python`.
Runs in a Python of its own that has the package, and uses nothing else from this folder.
"""

import sys
import time

import numpy
from ai_edge_litert.interpreter import Interpreter


def fill_input(shape, dtype):
    """The same bytes as in the other contestants."""
    places = numpy.arange(numpy.prod(shape, dtype=int) * numpy.dtype(dtype).itemsize)
    data = numpy.where(places % 4 == 3, 0x3F, places * 37 % 256).astype(numpy.uint8)
    return data.view(dtype).reshape(shape)


class PythonContestant:
    def __init__(self, path, threads):
        self.interpreter = Interpreter(model_path=path, num_threads=threads)
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

    def time(self, work, calls, batches):
        """As in the benchmark program: a tenth to warm up, then the median of the batches."""
        work(calls * (batches // 10 + 1))
        times = []
        for _ in range(batches):
            started = time.perf_counter_ns()
            work(calls)
            times.append(time.perf_counter_ns() - started)
        return sorted(times)[batches // 2]


def main():
    contestant = None
    for line in sys.stdin:
        command, _, *words = line.rstrip("\n").split("\t")
        try:
            if command == "open":
                contestant = None
                contestant = PythonContestant(words[0], int(words[1]))
                answer = "ok"
            elif command == "time":
                work = {"copies": contestant.copies, "run": contestant.run}[words[0]]
                answer = contestant.time(work, int(words[1]), int(words[2]))
            else:
                answer = {"output": contestant.output}[command]()
        except Exception as error:  # Whatever it was, who asked must hear of it.
            answer = f"error: Python: {error!r}".replace("\n", " ")
        print(answer, flush=True)


main()
