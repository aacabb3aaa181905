"""Operators whose subgraphs have results of a size that values decide, and variables, whose shape the file does not state."""

import struct

from campaign.sized_operands import Operand, Operation, data, sizes

# A map without members, as FlexBuffers write it.
_NO_ATTRIBUTES = bytes([0, 0, 1])


def all_of(x, n, c):
    """Every such operation, on data of n rows and c columns."""
    half = n // 2
    size = sizes([half, c], [n - 1, c])
    choice = Operand("bool", (), b"\1", b"\0", True)
    yield _Choice("IF", [choice, x, size], [("f32", (half, c), (n, c))])
    yield _Choice("STABLEHLO_CASE", [sizes(0, 1), x, size], [("f32", (half, c), (n, c))])
    yield _Composite("STABLEHLO_COMPOSITE", [x, size], [("f32", (half, c), (n - 1, c))])
    yield _Loop("WHILE", [sizes(0, 1), x], [("i32", (), ()), ("f32", (n + 3, c), (n + 2, c))], followed=1)
    yield _Variable("READ_VARIABLE", [x], [("f32", (n, c), (n, c))])
    yield _GrowingVariable("READ_VARIABLE", [x, size], [("f32", (half, c), (n - 1, c))])


def _add_slice(graph, x, size, result):
    begin = graph.tensor("i32", (2,), bytes(8))
    graph.add("SLICE", [x, begin, size], [result], (48, {}))


def _subgraph(builder, name, inputs, outputs):
    """A graph with inputs and outputs of these types and shapes; `None` for a dimension is one that the file does not state."""
    graph = builder.graph(name)
    def tensor(kind, shape):
        unknown = [place for place, length in enumerate(shape) if length is None]
        return graph.tensor(kind, [length or 1 for length in shape], unknown=unknown)
    graph.inputs = [tensor(*part) for part in inputs]
    graph.outputs = [tensor(*part) for part in outputs]
    return graph


class _Choice(Operation):
    """The first branch takes the first rows, the second all."""

    def add(self, builder, graph, operands, results):
        _, x, size = operands
        columns = self.operands[1].shape[1]
        parts = [("f32", self.operands[1].shape), ("i32", (2,))]
        first = _subgraph(builder, b"first", parts, [("f32", (None, columns))])
        _add_slice(first, *first.inputs, first.outputs[0])
        second = _subgraph(builder, b"second", parts, [("f32", self.operands[1].shape)])
        second.add("RELU", [second.inputs[0]], second.outputs)
        options = (92, {0: 1, 1: 2}) if self.name == "IF" else ("+23", {0: [1, 2]})
        graph.add(self.name, operands, results, options)


class _Composite(Operation):
    def add(self, builder, graph, operands, results):
        columns = self.operands[0].shape[1]
        inner = _subgraph(builder, b"inner", [("f32", self.operands[0].shape), ("i32", (2,))], [("f32", (None, columns))])
        _add_slice(inner, *inner.inputs, inner.outputs[0])
        graph.add(self.name, operands, results, ("+21", {0: b"part", 1: 1, 2: _NO_ATTRIBUTES, 3: 0, 4: 1}))


class _Loop(Operation):
    """Each turn adds a row, up to the third."""

    def add(self, builder, graph, operands, results):
        columns = self.operands[1].shape[1]
        parts = [("i32", ()), ("f32", (None, columns))]
        condition = _subgraph(builder, b"condition", parts, [("bool", ())])
        condition.add("LESS", [condition.inputs[0], condition.tensor("i32", (), struct.pack("<i", 3))], condition.outputs)
        body = _subgraph(builder, b"body", parts, parts)
        body.add("ADD", [body.inputs[0], body.tensor("i32", (), struct.pack("<i", 1))], body.outputs[:1], (11, {}))
        row = body.tensor("f32", (1, columns), data(1, columns).runs[0])
        body.add("CONCATENATION", [body.inputs[1], row], body.outputs[1:], (10, {0: 0}))
        graph.add("WHILE", operands, results, (93, {0: 1, 1: 2}))


class _Variable(Operation):
    def add(self, _, graph, operands, results):
        handle = graph.tensor("res", (1,))
        graph.add("VAR_HANDLE", [], [handle], (111, {0: b"container", 1: b"variable"}))
        graph.add("ASSIGN_VARIABLE", [handle, *operands], [])
        graph.add("READ_VARIABLE", [handle], results)


class _GrowingVariable(Operation):
    """In the second run the variable gets more rows than in the first."""

    def add(self, _, graph, operands, results):
        handle = graph.tensor("res", (1,))
        rows = graph.tensor("f32", (1, self.operands[0].shape[1]), unknown=[0])
        _add_slice(graph, *operands, rows)
        graph.add("VAR_HANDLE", [], [handle], (111, {0: b"container", 1: b"variable"}))
        graph.add("ASSIGN_VARIABLE", [handle, rows], [])
        graph.add("READ_VARIABLE", [handle], results)
