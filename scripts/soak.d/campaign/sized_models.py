"""Models with results of a size that values decide, and what follows them, each with inputs for two runs."""

import functools
import itertools
import math
import random
import struct

from campaign import sized_operators, small_models
from campaign.model_builder import Builder
from campaign.sized_operands import data

# Rows and columns. Few; and so many that what is written past memory for few is felt.
SIZES = ((6, 4), (520, 64))
# Where an operand comes from: the file; the caller; an operator that calculates it; the shape of an input, which is known
# before the run; an operator whose own result has a size that values decide.
CONSTANT, INPUT, MADE, SHAPE, SIZED = "constant", "input", "made", "shape", "sized"
# How the file states the shape of a result: that of the first run; 1 for what the run decides, and that it is unknown; not.
RIGHT, UNKNOWN, UNRANKED = "right", "unknown", "unranked"
LARGEST_PRODUCT = 4_000_000
# What was once wrong comes first, with shapes stated as unknown: where the operands come from, what follows, and whether inputs
# have any length.
ONCE_WRONG = {
    "SEGMENT_SUM": ((INPUT, CONSTANT), "MUL and EXP", False), "MULTINOMIAL": ((INPUT, CONSTANT), "none", False),
    "TOPK_V2": ((INPUT, CONSTANT), "none", True), "RESHAPE": ((MADE, MADE), "none", False),
    "READ_VARIABLE": ((INPUT,), "ADD itself", False),
}


class SizedModel:
    """`runs`: for each run, the shape and bytes of each input; `rank`: how many dimensions a result has at most."""

    def __init__(self, title, operation, tree, runs):
        self.title, self.operation, self.tree, self.runs = title, operation.name, tree, runs
        self.rank = max(len(first) for _, first, _ in operation.results)

    @property
    def byte_count(self):
        """Of all constants, and of the inputs of all runs."""
        return sum(len(buffer.get(0, b"")) for buffer in self.tree[4]) + sum(len(data) for run in self.runs for _, data in run)


def all_models(seed, only=()):
    """What makes each model, in an order in which the first few are of many operators. Call one to get its model. `only` names
    operators, where others are left out."""
    chance = random.Random(seed)
    turns = {}
    found = []
    for rows, columns in SIZES:
        for operation in sized_operators.all_of(rows, columns):
            if only and operation.name not in only:
                continue
            choices = list(itertools.product(_sources(operation), ("none", *_FOLLOWERS)))
            chance.shuffle(choices)
            for sources, follower in choices:
                if not _fits(follower, operation.results[operation.followed]):
                    continue
                turn = turns[operation.name, rows] = turns.get((operation.name, rows), 0) + 1
                drawn = (
                    chance.choices((RIGHT, UNKNOWN, UNRANKED), (4, 4, 1))[0], chance.random() < 0.3, chance.random() < 0.25,
                    chance.random() < 0.5)
                if ONCE_WRONG.get(operation.name, ())[:2] == (sources, follower):
                    turn, drawn = 0, (UNKNOWN, False, ONCE_WRONG[operation.name][2], True)
                found.append((turn, chance.random(), (operation, sources, follower, *drawn)))
    found.sort(key=lambda entry: entry[:2])
    return [functools.partial(_make, *parts) for _, _, parts in found]


def without_stated_shapes(maker):
    """The same model as `maker` makes, with results whose shape it does not state."""
    operation, sources, follower, _, *drawn = maker.args
    return _make(operation, sources, follower, UNRANKED, *drawn)


def _sources(operation):
    """Where the operands come from, in each combination that matters."""
    operands = operation.operands
    deciding = [place for place, operand in enumerate(operands) if operand.decides]
    others = [place for place in range(len(operands)) if place not in deciding]
    found = []
    def add(*, decides, other=INPUT):
        found.append(tuple(decides.get(place, CONSTANT) if place in deciding else other for place in range(len(operands))))
    for kinds in itertools.product((CONSTANT, INPUT), repeat=len(deciding)):
        add(decides=dict(zip(deciding, kinds)))
    add(decides=dict.fromkeys(deciding, CONSTANT), other=CONSTANT)
    add(decides=dict.fromkeys(deciding, INPUT), other=CONSTANT)
    add(decides=dict.fromkeys(deciding, MADE))
    add(decides={place: SHAPE for place in deciding if _is_shape(operands[place])})
    add(decides=dict.fromkeys(deciding, MADE), other=MADE)
    sized = [place for place in others if operands[place].shape]
    for place in sized:
        found.append(tuple(
            SIZED if place == each else INPUT if each in others else CONSTANT for each in range(len(operands))))
    return list(dict.fromkeys(found))


def _is_shape(operand):
    if operand.kind not in ("i32", "i64") or len(operand.shape) != 1:
        return False
    return all(min(operand.values(run)) > 0 and math.prod(operand.values(run)) < 1 << 20 for run in (0, 1))


def _make(operation, sources, follower, stated, shown, free, signed):
    return _Making(stated, free).model(operation, sources, follower, shown, signed)


class _Making:
    """One model that is being made."""

    def __init__(self, stated, free):
        self.stated, self.free = stated, free
        self.builder = Builder()
        self.graph = self.builder.graph()
        self.runs = ([], [])

    def model(self, operation, sources, follower, shown, signed):
        operands = [self._operand(operand, source) for operand, source in zip(operation.operands, sources)]
        results = [self.result(*result) for result in operation.results]
        operation.add(self.builder, self.graph, operands, results)
        outputs = [result for place, result in enumerate(results) if place != operation.followed]
        followed = results[operation.followed]
        if follower == "none" or shown:
            outputs.insert(0, followed)
        if follower != "none":
            outputs.append(self._follow(follower, followed, operation.results[operation.followed]))
        if not self.graph.inputs:
            # Interpreters want at least one.
            spare = self.graph.tensor("f32", (2,))
            self.graph.add("RELU", [self._input("f32", ((2,), (2,)), (bytes(8), bytes(8)))], [spare])
            outputs.append(spare)
        self.graph.outputs = outputs
        tree = self.builder.tree()
        if signed:
            names = [[{0: tensor_name(tensor), 1: tensor.number} for tensor in part] for part in (self.graph.inputs, outputs)]
            tree[7] = [{0: names[0], 1: names[1], 2: b"serving_default", 4: 0}]
        title = (
            f"{operation.name}({', '.join(sources)}) of {operation.results[0][1]}, then {follower}; results stated {self.stated}"
            f"{', intermediate result is an output' if shown and follower != 'none' else ''}"
            f"{', inputs of any length' if self.free else ''}")
        return SizedModel(title, operation, tree, self.runs)

    def _input(self, kind, shapes, values, free=False):
        for run, shape, value in zip(self.runs, shapes, values):
            run.append((shape, value))
        return self.graph.input(kind, shapes[0], (0,) if free and shapes[0] else ())

    def _operand(self, operand, source):
        if source == CONSTANT:
            return self.graph.tensor(operand.kind, operand.shape, operand.runs[0])
        if source == SHAPE:
            shapes = [tuple(operand.values(run)) for run in (0, 1)]
            like = self._input("i8", shapes, [bytes(math.prod(shape)) for shape in shapes], free=True)
            result = self.graph.tensor(operand.kind, operand.shape)
            self.graph.add("SHAPE", [like], [result], (55, {0: small_models.TYPES[operand.kind]}))
            return result
        given = self._input(operand.kind, [operand.shape] * 2, operand.runs, self.free)
        if source == MADE:
            result = self.graph.tensor(operand.kind, operand.shape)
            # What changes nothing.
            name, options = ("LOGICAL_OR", None) if operand.kind == "bool" else ("MAXIMUM", (39, {}))
            self.graph.add(name, [given, given], [result], options)
            return result
        if source == SIZED:
            rank = len(operand.shape)
            size = struct.pack(f"<{rank}i", *operand.shape)
            taken = self._input("i32", [(rank,)] * 2, [size] * 2)
            result = self.result(operand.kind, operand.shape, (0,) + operand.shape[1:])
            self.graph.add("SLICE", [given, self.graph.tensor("i32", (rank,), bytes(4 * rank)), taken], [result], (48, {}))
            return result
        return given

    def result(self, kind, first, second):
        """The tensor of a result, its shape stated as this model does it."""
        if self.stated == UNRANKED:
            return self.graph.tensor(kind, ())
        unknown = [place for place in range(len(first)) if first[place] != second[place]]
        return self.graph.tensor(kind, first, unknown=unknown if self.stated == UNKNOWN else ())

    def _follow(self, follower, tensor, result):
        kind, *shapes = result
        if kind != "f32":
            real = self.result("f32", *shapes)
            if kind == "c64":
                self.graph.add("COMPLEX_ABS", [tensor], [real])
            else:
                self.graph.add("CAST", [tensor], [real], (37, {0: small_models.TYPES[kind], 1: 0}))
            tensor = real
        return _FOLLOWERS[follower](self, tensor, shapes)

    def add(self, name, operands, result, options=None):
        self.graph.add(name, operands, [result], options)
        return result

    def constant(self, *shape):
        return self.graph.tensor("f32", shape, data(*shape).runs[0])

    def numbers(self, *values):
        return self.graph.tensor("i32", (len(values),), struct.pack(f"<{len(values)}i", *values))


def tensor_name(tensor):
    return f"t{tensor.number}".encode()


def _fits(follower, result):
    """Whether an operator can follow such a result."""
    _, first, second = result
    rank = len(first)
    if follower in ("SUM", "SOFTMAX", "CONCATENATION", "RESHAPE", "SHAPE"):
        return rank > 0
    if follower in ("MEAN", "TRANSPOSE"):
        return rank > 1
    if follower == "FULLY_CONNECTED":
        return rank > 1 and first[-1] == second[-1]
    if follower == "CONV_2D":
        return rank == 4 and first[-1] == second[-1]
    if follower == "BATCH_MATMUL":
        return rank in (2, 3, 4) and all(math.prod(shape[:-1]) * shape[-2] < LARGEST_PRODUCT for shape in (first, second))
    return True


def _unary(name, options=None):
    return lambda making, x, shapes: making.add(name, [x], making.result("f32", *shapes), options)


def _reshaping(name, operands, change, options):
    """`change` gives the shape of the result from that of the operand."""
    return lambda making, x, shapes: making.add(
        name, operands(making, x), making.result("f32", *(change(tuple(shape)) for shape in shapes)), options)


def _chain(*names):
    """Several, so that the engine's faster library gets a piece of the graph to itself."""
    def add(making, x, shapes):
        for name in names:
            x = _FOLLOWERS[name](making, x, shapes)
        return x
    return add


# By name, what adds the operator behind a result.
_FOLLOWERS = {
    "EXP": _unary("EXP", (33, {})),
    "RELU": _unary("RELU"),
    "SOFTMAX": _unary("SOFTMAX", (9, {0: 1.0})),
    "MUL": _reshaping("MUL", lambda making, x: [x, making.constant()], lambda shape: shape, (21, {})),
    "MUL and EXP": _chain("MUL", "EXP"),
    "RELU, MUL, ADD and EXP": _chain("RELU", "MUL", "ADD", "EXP"),
    "ADD": _reshaping("ADD", lambda making, x: [x, making.constant()], lambda shape: shape, (11, {})),
    "ADD itself": _reshaping("ADD", lambda making, x: [x, x], lambda shape: shape, (11, {})),
    "SUM": _reshaping("SUM", lambda making, x: [x, making.numbers(0)], lambda shape: shape[1:], (27, {})),
    "MEAN": _reshaping("MEAN", lambda making, x: [x, making.numbers(-1)], lambda shape: shape[:-1] + (1,), (27, {0: True})),
    "FULLY_CONNECTED": lambda making, x, shapes: making.add(
        "FULLY_CONNECTED", [x, making.constant(3, shapes[0][-1]), None],
        making.result("f32", *(shape[:-1] + (3,) for shape in shapes)), (8, {2: True})),
    "BATCH_MATMUL": _reshaping(
        "BATCH_MATMUL", lambda making, x: [x, x], lambda shape: shape[:-1] + shape[-2:-1], (101, {1: True})),
    "CONV_2D": lambda making, x, shapes: making.add(
        "CONV_2D", [x, making.constant(2, 1, 1, shapes[0][-1]), making.constant(2)],
        making.result("f32", *(shape[:-1] + (2,) for shape in shapes)), (1, {0: 1, 1: 1, 2: 1})),
    "CONCATENATION": _reshaping(
        "CONCATENATION", lambda making, x: [x, x], lambda shape: (2 * shape[0],) + shape[1:], (10, {0: 0})),
    "TRANSPOSE": lambda making, x, shapes: making.add(
        "TRANSPOSE", [x, making.numbers(*reversed(range(len(shapes[0]))))],
        making.result("f32", *(shape[::-1] for shape in shapes)), (26, {})),
    "RESHAPE": _reshaping("RESHAPE", lambda making, x: [x, making.numbers(-1)], lambda shape: (math.prod(shape),), (17, {0: [-1]})),
    "SHAPE": lambda making, x, shapes: making.add(
        "SHAPE", [x], making.graph.tensor("i32", (len(shapes[0]),)), (55, {0: 2})),
}
