"""Makes the models that `small_models.txt` describes."""

import math
import pathlib
import re
import struct

from campaign import model_format

TYPES = {
    "f32": 0, "f16": 1, "i32": 2, "u8": 3, "i64": 4, "str": 5, "bool": 6, "i16": 7, "c64": 8, "i8": 9, "f64": 10,
    "c128": 11, "u64": 12, "res": 13, "var": 14, "u32": 15, "u16": 16, "i4": 17, "bf16": 18, "i2": 19,
}
BITS = {
    "f32": 32, "f16": 16, "i32": 32, "u8": 8, "i64": 64, "bool": 8, "i16": 16, "c64": 64, "i8": 8, "f64": 64, "c128": 128,
    "u64": 64, "u32": 32, "u16": 16, "i4": 4, "bf16": 16, "i2": 2,
}
LETTERS = {"f32": "f", "i32": "i", "u8": "B", "i64": "q", "i16": "h", "i8": "b", "f64": "d"}
TENSOR = re.compile(
    r"(?:%(?P<name>\w+):)?(?P<type>[a-z]+\d*)\[(?P<shape>[\d,-]*)\](?P<data>=[\d.,-]*)?(?P<sparse>##?)?(?P<variable>~)?"
    r"(?:@(?P<scale>[\d.]+)(?::(?P<zero>-?\d+))?)?")
OPERATORS = re.search(
    r'names: \[String\] = """(.*?)"""',
    (pathlib.Path(__file__).parents[3] / "Sources/Device/ModelFile/Graph/BuiltinOperator.swift").read_text(),
    re.DOTALL).group(1).split()


def lines():
    text = pathlib.Path(__file__).with_name("small_models.txt").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def make(line):
    """The model of one line."""
    model = {0: 3, 1: [], 2: [], 4: [{}]}
    for text in line.split(" // "):
        model[2].append(_Graph(model).read(text))
    return model


class _Graph:
    def __init__(self, model):
        self.model = model
        self.tensors, self.operators = [], []
        self.names, self.inputs, self.outputs = {}, [], []

    def read(self, text):
        for operator in text.split(" ; "):
            operator, _, unread = operator.partition("&")
            self._add_operator(operator)
            for word in unread.split():
                self._tensor(word, True)
        return {0: self.tensors, 1: self.inputs, 2: self.outputs, 3: self.operators, 4: b"main"}

    def _add_operator(self, text):
        body, _, options = text.partition("|")
        taken, _, given = body.partition(">")
        name, *taken = taken.split()
        name, _, version = name.partition(":")
        code = OPERATORS.index(name)
        operator = {0: len(self.model[1])}
        self.model[1].append({0: min(code, 127), 2: int(version or 1), 3: code})
        operator[1] = [self._tensor(word, True) for word in taken]
        operator[2] = [self._tensor(word, False) for word in given.split()]
        if options.strip():
            self._add_options(operator, *options.split())
        self.operators.append(operator)

    def _tensor(self, word, is_input):
        if word == "-":
            return -1
        if word[1:] in self.names:
            return self.names[word[1:]]
        parts = TENSOR.fullmatch(word)
        shape = [int(length) for length in parts["shape"].split(",") if length]
        number = len(self.tensors)
        tensor = {0: shape, 1: TYPES[parts["type"]], 2: 0, 3: f"t{number}".encode(), 8: True}
        if parts["scale"]:
            tensor[4] = {2: [float(parts["scale"])], 3: [int(parts["zero"] or 0)]}
        if parts["data"]:
            tensor[2] = len(self.model[4])
            self.model[4].append({0: _constant(parts["type"], shape, parts["data"][1:])})
            if parts["sparse"]:
                # Row by row, no dimension compressed.
                tensor[6] = {0: list(range(len(shape))), 2: [{0: 0, 1: length} for length in shape]}
            if parts["sparse"] == "##":
                # The first value of each row.
                rows = math.prod(shape[:-1])
                tensor[6][2][-1] = {0: 1, 2: 1, 3: {0: list(range(rows + 1))}, 4: 1, 5: {0: [0] * rows}}
        elif parts["variable"]:
            tensor[5] = True
        elif is_input:
            self.inputs.append(number)
        elif not parts["type"].startswith("res"):
            self.outputs.append(number)
        if parts["name"]:
            self.names[parts["name"]] = number
        self.tensors.append(tensor)
        return number

    @staticmethod
    def _add_options(operator, kind, *values):
        union, field = ("Options2", 11) if kind.startswith("+") else ("Options", 3)
        operator[field] = int(kind)
        fields = model_format.UNIONS[union].get(int(kind), "").split()
        operator[field + 1] = {
            number: _value(letter, value) for number, (letter, value) in enumerate(zip(fields, values)) if value != "."
        }


def _value(kind, text):
    if kind == "s":
        return text.encode()
    if kind == "[B":
        return bytes(int(part) for part in text.split(","))
    if kind[0] == "[":
        return [_value(kind[1], part) for part in text.split(",")]
    return float(text) if kind in "fd" else int(text)


def _constant(kind, shape, text):
    count = 1
    for length in shape:
        count *= length
    if text:
        values = [float(part) if kind[0] == "f" else int(part) for part in text.split(",")]
        return struct.pack(f"<{len(values)}{LETTERS[kind]}", *values)
    # Small numbers, so that scales and the like which are calculated of them are none that do harm.
    return bytes((count * BITS[kind] + 7) // 8)
