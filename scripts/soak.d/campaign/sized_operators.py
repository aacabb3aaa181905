"""The operators of LiteRT whose results have a size that values decide, with operands for two runs.

They are those whose kernels call a result dynamic while they prepare or run. A result is static again where the kernel knows
the deciding values before the run: constants, and for most kernels also what is calculated from shapes alone.
"""

from campaign import sized_subgraphs
from campaign.sized_operands import Operand, Operation, data, integers, sizes


def all_of(n, c):
    """Every operation, on data of n rows (even, 6 or more) and c columns (a power of two, 4 or more)."""
    x, half = data(n, c), n // 2
    yield from _reductions(x, n, c)
    yield from _shapes(x, n, c)
    yield from _pieces(x, n, c)
    yield from _images(n, c)
    yield from _segments(x, n, c)
    yield from _lookups(n, c)
    yield from sized_subgraphs.all_of(x, n, c)
    yield Operation("FILL", [sizes([n, c], [half, c]), data()], [("f32", (n, c), (half, c))])
    yield Operation("FILL", [sizes([n, c], [half, c], "i64"), integers(3, 4)], [("i32", (n, c), (half, c))])
    yield Operation("RANGE", [sizes(0, 1), sizes(n, 4 * n), sizes(1, 2)], [("i32", (n,), (2 * n,))])
    yield Operation(
        "RANGE", [sizes(0.0, .5, "f32"), sizes(float(n), n / 2.0, "f32"), sizes(.5, .25, "f32")],
        [("f32", (2 * n,), (2 * n - 2,))])
    yield Operation(
        "ONE_HOT", [integers([1, 0, 2, 3] * half), sizes(c, 2 * c), data(), data()], [("f32", (4 * half, c), (4 * half, 2 * c))],
        (61, {0: -1}))
    for name in ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"):
        yield Operation(name, [sizes([n, c], [half, c])], [("f32", (n, c), (half, c))], (114, {0: 1, 1: 2}))
    yield Operation("MULTINOMIAL", [x, sizes(3, 5)], [("i64", (n, 3), (n, 5))], (114, {0: 1, 1: 2}))


def _reductions(x, n, c):
    for name in ("SUM", "MEAN", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN"):
        yield Operation(name, [x, sizes([1], [0])], [("f32", (n,), (c,))], (27, {}))
    yield Operation("SUM", [x, sizes([1], [0])], [("f32", (n, 1), (1, c))], (27, {0: True}))
    flags = Operand("bool", (n, c), bytes([0, 1, 1, 1]) * (n * c // 4), bytes([0, 0, 1, 0]) * (n * c // 4))
    for name in ("REDUCE_ANY", "REDUCE_ALL"):
        yield Operation(name, [flags, sizes([1], [0])], [("bool", (n,), (c,))], (27, {}))
    for name, options in (("ARG_MAX", 40), ("ARG_MIN", 57)):
        yield Operation(name, [x, sizes(1, 0)], [("i32", (n,), (c,))], (options, {0: 2}))
    yield Operation("TOPK_V2", [x, sizes(2, 3)], [("f32", (n, 2), (n, 3)), ("i32", (n, 2), (n, 3))])
    pairs, threes = [place / 2 // 1 for place in range(n)], [place % 3 * 1.0 for place in range(n)]
    yield Operation("UNIQUE", [sizes(pairs, threes, "f32")], [("f32", (n // 2,), (3,)), ("i32", (n,), (n,))], (80, {0: 2}))
    flags = Operand("bool", (n, c), bytes([0, 1] * (n * c // 2)), bytes([0, 0, 1, 0] * (n * c // 4)), True)
    yield Operation("WHERE", [flags], [("i64", (n * c // 2, 2), (n * c // 4, 2))])
    yield Operation("WHERE", [sizes([1.5] * n, [0.0] * n, "f32")], [("i64", (n, 1), (0, 1))])


def _shapes(x, n, c):
    yield Operation("RESHAPE", [x, sizes([n // 2, 2 * c], [n * 2, c // 2])], [("f32", (n // 2, 2 * c), (n * 2, c // 2))])
    yield Operation("RESHAPE", [x, sizes([-1, c], [-1, 2 * c])], [("f32", (n, c), (n // 2, 2 * c))])
    ones = [1] * 6
    yield Operation(
        "RESHAPE", [x, sizes([*ones, n, c], [*ones, n // 2, 2 * c])], [("f32", (*ones, n, c), (*ones, n // 2, 2 * c))])
    yield Operation("EXPAND_DIMS", [x, sizes(0, 2)], [("f32", (1, n, c), (n, c, 1))])
    yield Operation("TRANSPOSE", [data(n, 3, c), sizes([2, 0, 1], [1, 2, 0])], [("f32", (c, n, 3), (3, c, n))])
    yield Operation("TRANSPOSE", [x, sizes([1, 0], [0, 1])], [("f32", (c, n), (n, c))])
    yield Operation("TILE", [x, sizes([2, 1], [3, 1])], [("f32", (2 * n, c), (3 * n, c))])
    yield Operation("TILE", [x, sizes([2, 1], [1, 2], "i64")], [("f32", (2 * n, c), (n, 2 * c))])
    yield Operation("BROADCAST_TO", [data(1, c), sizes([n, c], [n + 3, c])], [("f32", (n, c), (n + 3, c))], (104, {}), 2)
    yield Operation("BROADCAST_TO", [data(1, c), sizes([n, c], [n + 3, c], "i64")], [("f32", (n, c), (n + 3, c))], (104, {}), 2)
    for name, options in (("PAD", 22), ("MIRROR_PAD", 77)):
        yield Operation(name, [x, sizes([[1, 2], [0, 0]], [[3, 0], [1, 1]])], [("f32", (n + 3, c), (n + 3, c + 2))], (options, {}))
    yield Operation(
        "PADV2", [x, sizes([[1, 2], [0, 0]], [[3, 0], [0, 0]], "i64"), data(1)], [("f32", (n + 3, c), (n + 3, c))], (43, {}))
    yield Operation("DILATE", [x, sizes([2, 1], [3, 1]), data()], [("f32", (2 * n - 1, c), (3 * n - 2, c))], ("+18", {}))


def _pieces(x, n, c):
    half = n // 2
    yield Operation("SLICE", [x, sizes([0, 0], [1, 0]), sizes([half, c], [n - 1, c])], [("f32", (half, c), (n - 1, c))], (48, {}))
    yield Operation(
        "SLICE", [x, sizes([1, 0], [0, 1], "i64"), sizes([-1, c], [0, 1], "i64")], [("f32", (n - 1, c), (0, 1))], (48, {}))
    yield Operation(
        "STRIDED_SLICE", [x, sizes([0, 0], [1, 0]), sizes([half, c], [n, c]), sizes([1, 1], [2, 1])],
        [("f32", (half, c), (half, c))], (32, {}))
    yield Operation(
        "STRIDED_SLICE", [x, sizes([1], [0]), sizes([n], [half]), sizes([2], [1])], [("f32", (half, c), (half, c))],
        (32, {0: 1}))
    yield Operation("SPLIT", [sizes(0, 1), x], [("f32", (half, c), (n, c // 2))] * 2, (35, {0: 2}))
    yield Operation(
        "SPLIT_V", [x, sizes([1, n - 1], [n - 2, 2]), sizes(0)], [("f32", (1, c), (n - 2, c)), ("f32", (n - 1, c), (2, c))],
        (79, {0: 2}))


def _images(n, c):
    image = data(1, n, 4, c)
    for name, options in (("RESIZE_BILINEAR", 15), ("RESIZE_NEAREST_NEIGHBOR", 74)):
        yield Operation(name, [image, sizes([n, 8], [n + 2, 2])], [("f32", (1, n, 8, c), (1, n + 2, 2, c))], (options, {}))
    yield Operation(
        "SPACE_TO_BATCH_ND", [image, sizes([2, 2], [1, 4]), sizes([[0, 0], [0, 0]], [[1, 0], [2, 2]])],
        [("f32", (4, n // 2, 2, c), (4, n + 1, 2, c))], (25, {}))
    yield Operation(
        "BATCH_TO_SPACE_ND", [data(4, n, 2, c), sizes([2, 2], [4, 1]), sizes([[0, 0], [0, 0]], [[1, 0], [0, 1]])],
        [("f32", (1, 2 * n, 4, c), (1, 4 * n - 1, 1, c))], (24, {}))
    yield Operation(
        "TRANSPOSE_CONV", [sizes([1, 2 * n, 8, 3], [1, 2 * n - 1, 7, 3]), data(3, 2, 2, c), image, data(3)],
        [("f32", (1, 2 * n, 8, 3), (1, 2 * n - 1, 7, 3))], (49, {1: 2, 2: 2}), 3)
    yield Operation(
        "CONV_3D_TRANSPOSE", [sizes([1, n, 4, 4, 3], [1, n - 1, 3, 3, 3]), data(2, 2, 2, 3, 2), data(1, n // 2, 2, 2, 2), data(3)],
        [("f32", (1, n, 4, 4, 3), (1, n - 1, 3, 3, 3))], (106, {1: 2, 2: 2, 3: 2, 5: 1, 6: 1, 7: 1}))
    yield Operation("RFFT2D", [data(n, 4, c), sizes([4, c], [2, 4])], [("c64", (n, 4, c // 2 + 1), (n, 2, 3))])


def _segments(x, n, c):
    half = n // 2
    each, pairs = list(range(n)), [place // 2 for place in range(n)]
    yield Operation("SEGMENT_SUM", [x, sizes(each, pairs)], [("f32", (n, c), (half, c))])
    yield Operation("SEGMENT_SUM", [x, sizes(pairs, each)], [("f32", (half, c), (n, c))])
    numbers = integers([[place % 7] * c for place in range(n)], [[place % 5] * c for place in range(n)])
    yield Operation("SEGMENT_SUM", [numbers, sizes(each, pairs)], [("i32", (n, c), (half, c))])
    for kind in ("SUM", "PROD", "MAX", "MIN"):
        yield Operation(
            f"UNSORTED_SEGMENT_{kind}", [x, sizes(pairs[::-1]), sizes(n, half)], [("f32", (n, c), (half, c))])


def _lookups(n, c):
    half = n // 2
    yield Operation(
        "SCATTER_ND", [integers([[place] for place in range(half)]), data(half, c), sizes([n, c], [half, c])],
        [("f32", (n, c), (half, c))])
    yield Operation(
        "SPARSE_TO_DENSE", [integers([[place, 1] for place in range(half)]), sizes([n, c], [half, c]), data(half), data()],
        [("f32", (n, c), (half, c))], (50, {}))
    yield Operation(
        "EMBEDDING_LOOKUP_SPARSE",
        [integers([place % 4 for place in range(half)]), sizes([[place, 0] for place in range(half)]), sizes([n, 2], [n - 1, 2]),
         data(half), data(4, c)],
        [("f32", (n, c), (n - 1, c))], (20, {}))
    corners = [[float(place), 0.0, place + 1.0, 1.0] for place in range(n)]
    boxes = sizes(corners, corners, "f32", decides=False)
    limits = [sizes(.5, .5, "f32", False), sizes(-2.0, -2.0, "f32", False)]
    yield Operation(
        "NON_MAX_SUPPRESSION_V4", [boxes, data(n), sizes(3, half + 1), *limits], [("i32", (3,), (half + 1,)), ("i32", (), ())])
    yield Operation(
        "NON_MAX_SUPPRESSION_V5", [boxes, data(n), sizes(3, half + 1), *limits, sizes(0.0, 0.0, "f32", False)],
        [("i32", (3,), (half + 1,)), ("f32", (3,), (half + 1,)), ("i32", (), ())])
    yield Operation(
        "BROADCAST_ARGS", [sizes([n, 1], [half, 1]), sizes([1, c], [1, c])], [("i32", (2,), (2,))])
