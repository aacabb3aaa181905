"""Operands and operations of models whose results have a size that values decide."""

import array
import struct

FORMATS = {"f32": "f", "i32": "i", "i64": "q", "bool": "b", "i8": "b"}
# A prime number of small values, exact in a float, so that no two rows are the same.
_VALUES = array.array("f", ((place * 37 % 127 - 63) / 64 for place in range(8209))).tobytes()


class Operand:
    """A tensor's values for two runs. `decides` where they decide the size of a result."""

    def __init__(self, kind, shape, first, second=None, decides=False):
        self.kind, self.shape, self.decides = kind, tuple(shape), decides
        self.runs = (first, first if second is None else second)

    def values(self, run):
        letter = FORMATS[self.kind]
        return list(struct.unpack(f"<{len(self.runs[run]) // struct.calcsize(letter)}{letter}", self.runs[run]))


class Operation:
    """`results`: the type of each, and its shape in the first and the second run when all operands change. `followed` is the
    result that other operators read."""

    def __init__(self, name, operands, results, options=None, version=1, followed=0):
        self.name, self.operands, self.options, self.version = name, operands, options, version
        self.results = [(kind, tuple(first), tuple(second)) for kind, first, second in results]
        self.followed = followed

    def add(self, _, graph, operands, results):
        """Adds it to a graph of the builder."""
        graph.add(self.name, operands, results, self.options, self.version)


def data(*shape):
    """Floats that decide nothing."""
    count = 4
    for length in shape:
        count *= length
    def values(start):
        return (_VALUES[start:] + _VALUES * (count // len(_VALUES) + 1))[:count]
    return Operand("f32", shape, values(0), values(400))


def integers(first, second=None, kind="i32"):
    """Whole numbers that decide nothing."""
    return sizes(first, second, kind, decides=False)


def sizes(first, second=None, kind="i32", decides=True):
    """Numbers that decide: one, a list, or a list of lists."""
    def flat(value):
        return [part for row in value for part in flat(row)] if isinstance(value, list) else [value]
    shape, inner = [], first
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0]
    def packed(value):
        return struct.pack(f"<{len(flat(value))}{FORMATS[kind]}", *flat(value))
    return Operand(kind, shape, packed(first), packed(first if second is None else second), decides)
