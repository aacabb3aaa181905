"""Makes models of one subgraph or more, operator by operator; `model_format` writes them."""

from campaign import model_format, small_models


class Tensor:
    """A tensor of a graph under construction: its number, type and stated shape."""

    def __init__(self, number, kind, shape):
        self.number, self.kind, self.shape = number, kind, tuple(shape)


class Graph:
    """One subgraph. Operands are tensors of this graph; None leaves an input out."""

    def __init__(self, model, name):
        self.model = model
        self.inputs, self.outputs = [], []
        self.table = {0: [], 1: [], 2: [], 3: [], 4: name}

    def tensor(self, kind, shape, data=None, unknown=()):
        """A tensor; a constant where there is `data`. The dimensions in `unknown` are known at run time only: the file states
        1 for them, as converters do."""
        shape = tuple(1 if place in unknown else length for place, length in enumerate(shape))
        number = len(self.table[0])
        table = {0: list(shape), 1: small_models.TYPES[kind], 2: 0, 3: f"t{number}".encode(), 8: True}
        if unknown:
            table[7] = [-1 if place in unknown else length for place, length in enumerate(shape)]
        if data is not None:
            table[2] = len(self.model[4])
            self.model[4].append({0: data})
        self.table[0].append(table)
        return Tensor(number, kind, shape)

    def input(self, kind, shape, unknown=()):
        result = self.tensor(kind, shape, unknown=unknown)
        self.inputs.append(result)
        return result

    def add(self, name, operands, results, options=None, version=1):
        """`options`: the number of their type, then the fields that have a value; `+` before the number means the second list."""
        code = small_models.OPERATORS.index(name)
        operator = {
            0: len(self.model[1]), 1: [-1 if operand is None else operand.number for operand in operands],
            2: [result.number for result in results],
        }
        self.model[1].append({0: min(code, 127), 2: version, 3: code})
        if options:
            kind, fields = options
            field = 11 if str(kind).startswith("+") else 3
            operator |= {field: int(kind), field + 1: fields}
        self.table[3].append(operator)


class Builder:
    """A file; the first graph is the main one."""

    def __init__(self):
        self.model = {0: 3, 1: [], 2: [], 4: [{}]}
        self.graphs = []

    def graph(self, name=b"main"):
        self.graphs.append(Graph(self.model, name))
        return self.graphs[-1]

    def tree(self):
        """The model as `model_format` writes it."""
        for graph in self.graphs:
            graph.table[1] = [tensor.number for tensor in graph.inputs]
            graph.table[2] = [tensor.number for tensor in graph.outputs]
        return self.model | {2: [graph.table for graph in self.graphs]}

    def write(self):
        return model_format.write(self.tree())
