"""Runs models in Google's interpreter, and answers as Tests/ModelExerciser/ModelRuns.swift does, to the same messages.

It is run by a Python that has ai-edge-litert; `scripts/soak run-time-sizes` makes one. With `--plain` the interpreter runs
everything with its own kernels, not some operators with XNNPACK.
"""

import base64
import struct
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter, OpResolverType

PLAIN = {"experimental_op_resolver_type": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES}


class Reader:
    def __init__(self, data):
        self.data, self.place = data, len(b"RUNS")

    def number(self):
        self.place += 4
        return struct.unpack_from("<I", self.data, self.place - 4)[0]

    def bytes(self):
        count = self.number()
        self.place += count
        return self.data[self.place - count:self.place]

    def list(self, element):
        return [element() for _ in range(self.number())]


def answer(message, choices):
    reader = Reader(message)
    model = reader.bytes()
    runs = reader.list(lambda: reader.list(lambda: (reader.list(reader.number), reader.bytes())))
    try:
        interpreter = Interpreter(model_content=model, num_threads=1, **choices)
    except (ValueError, RuntimeError) as error:
        return f"unloadable {one_line(error)}"
    try:
        return "ran" + "".join(f" | {run(interpreter, inputs)}" for inputs in runs)
    except (ValueError, RuntimeError) as error:
        return f"failed {one_line(error)}"


def run(interpreter, inputs):
    details = interpreter.get_input_details()
    for detail, (shape, _) in zip(details, inputs):
        if list(detail["shape"]) != shape:
            interpreter.resize_tensor_input(detail["index"], shape)
    interpreter.allocate_tensors()
    for detail, (shape, values) in zip(details, inputs):
        interpreter.set_tensor(detail["index"], numpy.frombuffer(values, detail["dtype"]).reshape(shape))
    interpreter.invoke()
    outputs = [value(interpreter, detail) for detail in interpreter.get_output_details()]
    return " ".join(
        f"{output.dtype.name}[{','.join(map(str, output.shape))}]:{base64.b64encode(output.tobytes()).decode()}"
        for output in map(numpy.asarray, outputs))


def value(interpreter, detail):
    if 0 in detail["shape"]:
        # `get_tensor` fails for some empty ones.
        return numpy.zeros(detail["shape"], detail["dtype"])
    return interpreter.get_tensor(detail["index"])


def one_line(error):
    return " ".join(str(error).split())


def main():
    choices = PLAIN if sys.argv[1:] == ["--plain"] else {}
    while len(head := sys.stdin.buffer.read(4)) == 4:
        message = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
        sys.stdout.write(answer(message, choices) + "\n")
        sys.stdout.flush()


main()
