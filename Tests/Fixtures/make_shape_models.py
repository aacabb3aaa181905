"""Makes models in Tests/Fixtures/sizes that the engine gives wrong shapes: reshaped by data, of ranks that are not stated, with
variables, with a composite.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_shape_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import numpy as np
from size_model import Graph, Model, Type


def reshaped():
    """|x| in the shape that an input says, and exp(|x|) in this shape."""
    model = Model()
    graph = Graph(model, "main")
    x, shape = graph.input("x", [2, 6]), graph.input("shape", [2], Type.INT32)
    absolute, computed = graph.tensor("absolute", [2, 6]), graph.tensor("computed", [2], Type.INT32)
    reshaped, y = (graph.tensor(name, [1, 1], is_open=True) for name in ("reshaped", "y"))
    graph.operator("ABS", [x], [absolute])
    graph.operator("MAXIMUM", [shape, shape], [computed])
    graph.operator("RESHAPE", [absolute, computed], [reshaped])
    graph.operator("EXP", [reshaped], [y])
    graph.finish([reshaped, y])
    model.save("reshaped.tflite")


def reshaped_by_shape():
    """exp(|x|) in one row; the operator that reshapes computes with the shape of x, which is known before a run."""
    model = Model()
    graph = Graph(model, "main")
    x = graph.input("x", [2, 6], is_open=True)
    shape, count = graph.tensor("shape", [2], Type.INT32), graph.tensor("count", [1], Type.INT32)
    absolute = graph.tensor("absolute", [2, 6], is_open=True)
    row, y = (graph.tensor(name, [1], is_open=True) for name in ("row", "y"))
    graph.operator("ABS", [x], [absolute])
    graph.operator("SHAPE", [x], [shape], outType=Type.INT32)
    graph.operator("REDUCE_PROD", [shape, graph.constant(np.zeros(1, np.int32))], [count], keepDims=True)
    graph.operator("RESHAPE", [absolute, count], [row])
    graph.operator("EXP", [row], [y])
    graph.finish([y])
    model.save("reshaped_by_shape.tflite")


def variable(stated, name, kind=Type.FLOAT32):
    """2x, by way of a variable that is read into a tensor of the stated shape and type, and added to itself."""
    model = Model()
    graph = Graph(model, "main")
    x, handle = graph.input("x", [2, 3]), graph.tensor("handle", [1], Type.RESOURCE)
    read, y = graph.tensor("read", stated, kind), graph.tensor("y", stated, kind)
    graph.operator("VAR_HANDLE", [], [handle], container="c", sharedName="v")
    graph.operator("ASSIGN_VARIABLE", [handle, x], [])
    graph.operator("READ_VARIABLE", [handle], [read])
    graph.operator("ADD", [read, read], [y])
    graph.finish([y])
    model.save(name)


def counter():
    """Adds x to a variable in each run, and gives the sum."""
    model = Model()
    graph = Graph(model, "main")
    x, handle = graph.input("x", [3]), graph.tensor("handle", [1], Type.RESOURCE)
    old, new = graph.tensor("old", [3]), graph.tensor("new", [3])
    graph.operator("VAR_HANDLE", [], [handle], container="c", sharedName="v")
    graph.operator("READ_VARIABLE", [handle], [old])
    graph.operator("ADD", [old, x], [new])
    graph.operator("ASSIGN_VARIABLE", [handle, new], [])
    graph.finish([new])
    model.save("counter.tflite")


def kept_sizes():
    """One signature keeps a list of sizes; the other makes a tensor of 1 in the shape of these sizes and its own."""
    model = Model()
    keep = Graph(model, "keep")
    sizes, handle, same = keep.input("sizes", [1], Type.INT32), keep.tensor("handle", [1], Type.RESOURCE), keep.tensor("same", [1], Type.INT32)
    keep.operator("VAR_HANDLE", [], [handle], container="c", sharedName="v")
    keep.operator("ASSIGN_VARIABLE", [handle, sizes], [])
    keep.operator("ABS", [sizes], [same])
    keep.finish([same])
    fill = Graph(model, "fill")
    more, handle = fill.input("more", [1], Type.INT32), fill.tensor("handle", [1], Type.RESOURCE)
    kept, shape = fill.tensor("kept", [1], Type.INT32, is_open=True), fill.tensor("shape", [2], Type.INT32, is_open=True)
    ones, y = (fill.tensor(name, [1, 1], is_open=True) for name in ("ones", "y"))
    fill.operator("VAR_HANDLE", [], [handle], container="c", sharedName="v")
    fill.operator("READ_VARIABLE", [handle], [kept])
    fill.operator("CONCATENATION", [kept, more], [shape], axis=0)
    fill.operator("FILL", [shape, fill.constant(np.ones((), np.float32))], [ones])
    fill.operator("ADD", [ones, ones], [y])
    fill.finish([y])
    model.save("kept_sizes.tflite")


def composite():
    """The first rows of x, as many as an input says, by way of a subgraph. Its caller states two rows."""
    model = Model()
    graph = Graph(model, "main")
    x, size, y = graph.input("x", [4, 2]), graph.input("size", [2], Type.INT32), graph.tensor("y", [2, 2])
    graph.operator("STABLEHLO_COMPOSITE", [x, size], [y], name="rows", decompositionSubgraphIndex=1,
                   compositeAttributes=np.frombuffer(b"\0\0\1", np.uint8))
    graph.finish([y])
    inner = Graph(model, "rows")
    x, size, y = inner.input("x", [4, 2]), inner.input("size", [2], Type.INT32), inner.tensor("y", [1, 2], is_open=True)
    inner.operator("SLICE", [x, inner.constant(np.zeros(2, np.int32)), size], [y])
    inner.finish([y], is_called=True)
    model.save("composite.tflite")


def wrong_rank():
    """1 in the shape that an input of 16 numbers says, and the double of it. The file states that two numbers say it."""
    model = Model()
    graph = Graph(model, "main")
    x, sizes = graph.input("x", [16], Type.INT32), graph.tensor("sizes", [2], Type.INT32)
    ones, y = (graph.tensor(name, [1, 1], is_open=True) for name in ("ones", "y"))
    graph.operator("MAXIMUM", [x, x], [sizes])
    graph.operator("FILL", [sizes, graph.constant(np.ones((), np.float32))], [ones])
    graph.operator("ADD", [ones, ones], [y])
    graph.finish([y])
    model.save("wrong_rank.tflite")


def filled():
    """1 in the shape that an input of two numbers says, and the double of it."""
    model = Model()
    graph = Graph(model, "main")
    x = graph.input("x", [2], Type.INT32)
    ones, y = (graph.tensor(name, [1, 1], is_open=True) for name in ("ones", "y"))
    graph.operator("FILL", [x, graph.constant(np.ones((), np.float32))], [ones])
    graph.operator("ADD", [ones, ones], [y])
    graph.finish([y])
    model.save("filled.tflite")


reshaped()
reshaped_by_shape()
wrong_rank()
filled()
counter()
kept_sizes()
variable([2, 3], "variable.tflite")
variable([64, 64], "smaller_variable.tflite")
variable([2, 3], "mixed_variable.tflite", Type.INT32)
composite()
