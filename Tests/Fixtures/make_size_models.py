"""Makes the models in Tests/Fixtures/sizes: outputs whose size the engine knows before a run, or only in it.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_size_models.py

The files are committed, so tests need neither Python nor TensorFlow. Same script, same bytes.
"""

import numpy as np
from flatbuffers import flexbuffers
from size_model import TYPES, Graph, Model, Type


def f32(*shape):
    """1.25, 1.5, 1.75 ...: neighbours differ, and logarithms and roots exist."""
    return (np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape) / 4 + 1).astype(np.float32)


def i32(*values):
    return np.array(values, np.int32)


def i64(*values):
    return np.array(values, np.int64)


def scalar(value, dtype=np.int32):
    return np.array(value, dtype)


def flags(*values):
    return np.array(values, np.bool_)


class Operators:
    """One subgraph for each way in which an operator's size is known or not.

    The shapes that the file states for outputs are all ones and open, so the engine has to find the sizes.
    """

    def __init__(self):
        self.model = Model()

    def add(self, name, inputs, outputs, places=(), stated=None, **options):
        """`inputs` are arrays, `outputs` pairs of rank and type, `places` the inputs that must be constants.

        `stated` is the shape of the output, for operators of which Hearth wants to see it.
        """
        for unknown in [None, *places]:
            graph = Graph(self.model, name + ("" if unknown is None else f", input {unknown} computed"))
            operands = [
                graph.constant(values) if place in places and place != unknown else graph.computed(values)
                for place, values in enumerate(inputs)
            ]
            results = [
                graph.tensor(f"y{n}", stated or [1] * rank, type, not stated) for n, (rank, type) in enumerate(outputs)
            ]
            graph.operator(name, operands, results, **options)
            graph.finish(results)

    def add_open(self, name, inputs, outputs, **options):
        """The first input is one of the subgraph's, with open sizes."""
        graph = Graph(self.model, f"{name}, open")
        operands = [graph.input("x", inputs[0].shape, TYPES[inputs[0].dtype], True)]
        operands += [graph.constant(values) for values in inputs[1:]]
        results = [graph.tensor(f"y{n}", [1] * rank, type, True) for n, (rank, type) in enumerate(outputs)]
        graph.operator(name, operands, results, **options)
        graph.finish(results)


def operators():
    all = Operators()
    add = all.add
    F, I, L, B = Type.FLOAT32, Type.INT32, Type.INT64, Type.BOOL

    # Element by element
    for name in ("ABS CEIL COS ELU EXP FAKE_QUANT FLOOR GELU HARD_SWISH LEAKY_RELU LOG LOGISTIC NEG RELU RELU6 "
                 "RELU_0_TO_1 RELU_N1_TO_1 ROUND RSQRT SIGN SIN SQRT SQUARE TANH ZEROS_LIKE LOG_SOFTMAX SOFTMAX "
                 "L2_NORMALIZATION").split():
        options = {"SOFTMAX": {"beta": 1.0}, "FAKE_QUANT": {"min": 0.0, "max": 6.0, "numBits": 8}}.get(name, {})
        add(name, [f32(2, 3)], [(2, F)], **options)
    add("CAST", [f32(2, 3)], [(2, I)])
    add("BITCAST", [f32(2, 3)], [(2, I)])
    for name in ("COMPLEX_ABS", "IMAG", "REAL"):
        add(name, [f32(2, 3).astype(np.complex64)], [(2, F)])
    add("BUCKETIZE", [f32(2, 3)], [(2, I)], boundaries=[1.0, 2.0])
    add("LOGICAL_NOT", [flags(True, False)], [(1, B)])
    for name in "ADD SUB MUL DIV MAXIMUM MINIMUM POW SQUARED_DIFFERENCE FLOOR_DIV FLOOR_MOD PRELU".split():
        add(name, [f32(2, 3), f32(3) if name != "PRELU" else f32(1, 3)], [(2, F)])
    for name in ("ATAN2", "STABLEHLO_ADD", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY"):
        add(name, [f32(2, 3), f32(2, 3)], [(2, F)], stated=[2, 3])
    add("STABLEHLO_AND", [flags(True, False), flags(True, True)], [(1, B)], stated=[2])
    add("STABLEHLO_SHIFT_LEFT", [i32(1, 2), i32(1, 2)], [(1, I)], stated=[2])
    add("ADD_N", [f32(2, 3), f32(2, 3)], [(2, F)])
    add("BITWISE_XOR", [i32(1, 2, 3), i32(3, 2, 1)], [(1, I)])
    add("RIGHT_SHIFT", [i32(8, 9, 10), i32(1, 1, 2)], [(1, I)])
    for name in "EQUAL NOT_EQUAL LESS LESS_EQUAL GREATER GREATER_EQUAL".split():
        add(name, [f32(2, 3), f32(3)], [(2, B)])
    for name in ("LOGICAL_AND", "LOGICAL_OR"):
        add(name, [flags(True, False), flags(True, True)], [(1, B)])
    add("SELECT", [flags(True, False), f32(2), f32(2)], [(1, F)])
    add("SELECT_V2", [flags(True, False), f32(3, 2), f32(2)], [(2, F)])

    # Matrices and images
    pool = {"padding": 1, "strideW": 2, "strideH": 2, "filterWidth": 2, "filterHeight": 2}
    for name in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
        add(name, [f32(1, 4, 4, 2)], [(4, F)], **pool)
    stride = {"padding": 1, "strideW": 1, "strideH": 1}
    graph = Graph(all.model, "CONV_2D")
    x, y = graph.computed(f32(1, 4, 4, 2)), graph.tensor("y0", [1] * 4, F, True)
    graph.operator("CONV_2D", [x, graph.constant(f32(3, 2, 2, 2)), graph.constant(f32(3))], [y],
                   dilationWFactor=1, dilationHFactor=1, **stride)
    graph.finish([y])
    graph = Graph(all.model, "DEPTHWISE_CONV_2D")
    x, y = graph.computed(f32(1, 4, 4, 2)), graph.tensor("y0", [1] * 4, F, True)
    graph.operator("DEPTHWISE_CONV_2D", [x, graph.constant(f32(1, 2, 2, 2)), graph.constant(f32(2))], [y],
                   depthMultiplier=1, dilationWFactor=1, dilationHFactor=1, **stride)
    graph.finish([y])
    add("CONV_3D", [f32(1, 3, 3, 3, 1), f32(2, 2, 2, 1, 1)], [(5, F)], padding=1, strideD=1, strideW=1, strideH=1,
        dilationDFactor=1, dilationWFactor=1, dilationHFactor=1)
    add("BATCH_MATMUL", [f32(2, 2, 3), f32(2, 3, 2)], [(3, F)])
    add("FULLY_CONNECTED", [f32(2, 3), f32(4, 3)], [(2, F)])
    add("DEPTH_TO_SPACE", [f32(1, 2, 2, 4)], [(4, F)], blockSize=2)
    add("SPACE_TO_DEPTH", [f32(1, 4, 4, 1)], [(4, F)], blockSize=2)
    add("LOCAL_RESPONSE_NORMALIZATION", [f32(1, 2, 2, 2)], [(4, F)], radius=1, bias=1.0, alpha=1.0, beta=0.5)

    # Shapes, lookups and others
    add("BROADCAST_ARGS", [i32(2, 1), i32(1, 3)], [(1, I)])
    add("CONCATENATION", [f32(1, 3), f32(2, 3)], [(2, F)], axis=0)
    add("CUMSUM", [f32(2, 3), scalar(1)], [(2, F)])
    add("DYNAMIC_UPDATE_SLICE", [f32(2, 3), f32(1, 2), i32(1, 1)], [(2, F)])
    add("EMBEDDING_LOOKUP", [i32(1, 0, 1), f32(2, 3)], [(2, F)])
    add("GATHER", [f32(3, 2), i32(2, 0, 1, 1)], [(2, F)])
    add("GATHER_ND", [f32(3, 2), np.array([[2], [0], [1]], np.int32)], [(2, F)])
    add("HASHTABLE_LOOKUP", [i32(1, 2, 3), i32(1, 3), f32(2, 2)], [(2, F), (1, Type.UINT8)])
    add("LSH_PROJECTION", [f32(3, 2), i32(1, 2, 3)], [(1, I)], type=2)
    add("MATRIX_DIAG", [f32(2, 3)], [(3, F)])
    add("MATRIX_SET_DIAG", [f32(3, 3), f32(3)], [(2, F)])
    add("PACK", [f32(3), f32(3)], [(2, F)], valuesCount=2)
    add("RANK", [f32(2, 3)], [(0, I)])
    add("REVERSE_SEQUENCE", [f32(2, 3), i32(2, 3)], [(2, F)], seqDim=1, batchDim=0)
    add("REVERSE_V2", [f32(2, 3), i32(0)], [(2, F)])
    add("SHAPE", [f32(2, 3)], [(1, I)], outType=I)
    add("SQUEEZE", [f32(2, 1, 3)], [(2, F)], squeezeDims=[1])
    add("UNPACK", [f32(2, 3)], [(1, F), (1, F)], num=2)
    add("STABLEHLO_PAD", [f32(2, 2), scalar(0, np.float32)], [(2, F)], edgePaddingLow=i64(1, 0), edgePaddingHigh=i64(0, 1),
        interiorPadding=i64(0, 0))
    add("STABLEHLO_GATHER", [f32(3, 2), np.array([[2], [0]], np.int32)], [(2, F)], stated=[2, 2], offsetDims=i64(1),
        collapsedSliceDims=i64(0), startIndexMap=i64(0), indexVectorDim=1, sliceSizes=i64(1, 2))

    # The numbers of some operands determine the size.
    reduce = [f32(2, 3), i32(1)]
    for name in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"):
        add(name, reduce, [(1, F)], [1])
    for name in ("REDUCE_ALL", "REDUCE_ANY"):
        add(name, [np.array([[True, False], [True, True]]), i32(1)], [(1, B)], [1])
    for name in ("ARG_MAX", "ARG_MIN"):
        add(name, [f32(2, 3), scalar(1)], [(1, I)], [1], outputType=I)
    pads = np.array([[0, 1], [1, 0]], np.int32)
    add("BATCH_TO_SPACE_ND", [f32(4, 2, 2, 1), i32(2, 2), np.zeros((2, 2), np.int32)], [(4, F)], [1, 2])
    add("BROADCAST_TO", [f32(3), i32(2, 3)], [(2, F)], [1])
    add("CONV_3D_TRANSPOSE", [i32(1, 4, 4, 4, 1), f32(2, 2, 2, 1, 1), f32(1, 3, 3, 3, 1)], [(5, F)], [0], padding=1,
        strideD=1, strideW=1, strideH=1, dilationDFactor=1, dilationWFactor=1, dilationHFactor=1)
    add("DILATE", [f32(2, 2), i32(2, 1), scalar(0, np.float32)], [(2, F)], [1])
    add("EXPAND_DIMS", [f32(2, 3), scalar(1)], [(3, F)], [1])
    add("FILL", [i32(2, 3), scalar(7, np.float32)], [(2, F)], [0])
    add("MIRROR_PAD", [f32(2, 3), pads], [(2, F)], [1])
    add("MULTINOMIAL", [f32(2, 3), scalar(4)], [(2, L)], [0, 1], seed=1, seed2=2)
    boxes = np.array([[0, 0, 1, 1], [0, 0, 0.9, 1], [2, 2, 3, 3]], np.float32)
    nms = [boxes, np.array([0.9, 0.8, 0.7], np.float32), scalar(3), scalar(0.5, np.float32), scalar(0.1, np.float32)]
    add("NON_MAX_SUPPRESSION_V4", nms, [(1, I), (0, I)], [2])
    add("NON_MAX_SUPPRESSION_V5", [*nms, scalar(0.5, np.float32)], [(1, I), (1, F), (0, I)], [2])
    add("ONE_HOT", [i32(1, 0, 2), scalar(4), scalar(1, np.float32), scalar(0, np.float32)], [(2, F)], [1], axis=-1)
    add("PAD", [f32(2, 3), pads], [(2, F)], [1])
    add("PADV2", [f32(2, 3), pads, scalar(5, np.float32)], [(2, F)], [1])
    for name in ("RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM"):
        add(name, [i32(2, 3)], [(2, F)], [0], seed=1, seed2=2)
    add("RANGE", [scalar(1), scalar(9), scalar(2)], [(1, I)], [0, 1, 2])
    add("RESHAPE", [f32(2, 3), i32(3, 2)], [(2, F)], [1])
    for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
        add(name, [f32(1, 2, 2, 1), i32(3, 4)], [(4, F)], [1])
    add("RFFT2D", [f32(4, 4), i32(4, 4)], [(2, Type.COMPLEX64)], [1])
    add("SCATTER_ND", [np.array([[2], [0]], np.int32), f32(2, 3), i32(4, 3)], [(2, F)], [2])
    add("SEGMENT_SUM", [f32(4, 2), i32(0, 0, 1, 2)], [(2, F)], [0, 1])
    add("SLICE", [f32(2, 3), i32(0, 1), i32(2, 2)], [(2, F)], [1, 2])
    add("SPACE_TO_BATCH_ND", [f32(1, 4, 4, 1), i32(2, 2), np.zeros((2, 2), np.int32)], [(4, F)], [1, 2])
    add("SPARSE_TO_DENSE", [np.array([[1, 1], [2, 0]], np.int32), i32(3, 2), f32(2), scalar(0, np.float32)], [(2, F)], [1])
    add("SPLIT", [scalar(1), f32(2, 4)], [(2, F), (2, F)], [0], numSplits=2)
    add("SPLIT_V", [f32(2, 4), i32(1, 3), scalar(1)], [(2, F), (2, F)], [1, 2], numSplits=2)
    add("STRIDED_SLICE", [f32(3, 4), i32(0, 1), i32(3, 4), i32(2, 1)], [(2, F)], [1, 2, 3])
    add("TILE", [f32(1, 2), i32(3, 2)], [(2, F)], [1])
    add("TOPK_V2", [f32(2, 4), scalar(3)], [(2, F), (2, I)], [1])
    add("TRANSPOSE", [f32(2, 3), i32(1, 0)], [(2, F)], [1])
    add("TRANSPOSE_CONV", [i32(1, 4, 4, 2), f32(2, 2, 2, 1), f32(1, 3, 3, 1)], [(4, F)], [0], **stride)
    for name in "MAX MIN PROD SUM".split():
        add(f"UNSORTED_SEGMENT_{name}", [f32(3, 2), i32(2, 0, 2), scalar(4)], [(2, F)], [1, 2])
    add("WHERE", [np.array([1, 0, 3], np.float32)], [(2, L)], [0])
    all.add_open("SLICE", [f32(2, 3), i32(0, 1), i32(2, 2)], [(2, F)])
    all.add_open("TOPK_V2", [f32(2, 4), scalar(3)], [(2, F), (2, I)])

    # Never known before a run
    add("UNIQUE", [f32(4)], [(1, F), (1, I)], idxOutType=I)
    add("EMBEDDING_LOOKUP_SPARSE", [i32(1, 0), np.array([[0, 0], [1, 0]], np.int32), i32(2, 2), f32(2), f32(2, 3)], [(2, F)])
    all.model.save("operators.tflite")


def segments(count, name):
    """exp(x / 100), by way of a sum over segments of one row each. The file states one row."""
    model = Model()
    graph = Graph(model, "main")
    x = graph.input("x", [count, 8])
    sums, quotients, y = (graph.tensor(name, [1, 8], is_open=True) for name in ("sums", "quotients", "y"))
    graph.operator("SEGMENT_SUM", [x, graph.constant(np.arange(count, dtype=np.int32))], [sums])
    graph.operator("MUL", [sums, graph.constant(np.array([0.01], np.float32))], [quotients])
    graph.operator("EXP", [quotients], [y])
    graph.finish([y])
    model.save(name)


def chained_segments():
    """x, by way of two sums over segments of one row each. The file states the right shapes."""
    model = Model()
    graph = Graph(model, "main")
    x, sums, y = graph.input("x", [4, 8]), graph.tensor("sums", [4, 8]), graph.tensor("y", [4, 8])
    places = graph.constant(np.arange(4, dtype=np.int32))
    graph.operator("SEGMENT_SUM", [x, places], [sums])
    graph.operator("SEGMENT_SUM", [sums, places], [y])
    graph.finish([y])
    model.save("chained_segments.tflite")


def top_two():
    """exp(|v|) of the two largest numbers v of each row, of any number of rows."""
    model = Model()
    graph = Graph(model, "main")
    x = graph.input("x", [1, 5], is_open=True)
    values, absolute, y = (graph.tensor(name, [1, 2], is_open=True) for name in ("values", "absolute", "y"))
    places = graph.tensor("places", [1, 2], Type.INT32, is_open=True)
    graph.operator("TOPK_V2", [x, graph.constant(scalar(2))], [values, places])
    graph.operator("ABS", [values], [absolute])
    graph.operator("EXP", [absolute], [y])
    graph.finish([y])
    model.save("top_two.tflite")


def beside_places():
    """The places of the positive numbers; and beside it, computed later, exp(|x|) and the shape of x."""
    model = Model()
    graph = Graph(model, "main")
    x = graph.input("x", [4], is_open=True)
    mask, places = graph.tensor("mask", [4], Type.BOOL, True), graph.tensor("places", [1, 1], Type.INT64, True)
    absolute, y = graph.tensor("absolute", [4], is_open=True), graph.tensor("y", [4], is_open=True)
    shape = graph.tensor("shape", [1], Type.INT32)
    graph.operator("GREATER", [x, graph.constant(np.zeros(1, np.float32))], [mask])
    graph.operator("WHERE", [mask], [places])
    graph.operator("ABS", [x], [absolute])
    graph.operator("EXP", [absolute], [y])
    graph.operator("SHAPE", [x], [shape], outType=Type.INT32)
    graph.finish([places, y, shape])
    model.save("beside_places.tflite")


def beside_places_rank_8():
    """The places of the positive numbers of one input; and beside it, computed later, |x| of an input of 8 dimensions."""
    model = Model()
    graph = Graph(model, "main")
    numbers, x = graph.input("numbers", [4]), graph.input("x", [1] * 7 + [2])
    mask, places = graph.tensor("mask", [4], Type.BOOL), graph.tensor("places", [1, 1], Type.INT64, True)
    y = graph.tensor("y", [1] * 7 + [2])
    graph.operator("GREATER", [numbers, graph.constant(np.zeros(1, np.float32))], [mask])
    graph.operator("WHERE", [mask], [places])
    graph.operator("ABS", [x], [y])
    graph.finish([places, y])
    model.save("beside_places_rank_8.tflite")


def rotation():
    """A custom operator of the engine's, whose output keeps the shape that the file states: a Hadamard transform."""
    model = Model()
    graph = Graph(model, "main")
    x, y = graph.input("x", [2, 4]), graph.tensor("y", [2, 4])
    graph.operator("aeq.hadamard_rotation", [x], [y])
    options = flexbuffers.Builder()
    with options.Map():
        options.Key("hadamard_size")
        options.Int(4)
    graph.table.operators[0].customOptions = np.frombuffer(bytes(options.Finish()), np.uint8)
    graph.finish([y])
    model.save("rotation.tflite")


operators()
segments(4, "segments.tflite")
segments(2048, "many_segments.tflite")
chained_segments()
top_two()
beside_places()
beside_places_rank_8()
rotation()
