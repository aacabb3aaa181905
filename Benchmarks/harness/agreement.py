"""Whether two engines give the same answer to the same input, and two programs the same boxes of a photo.

Engines that round and add in another order differ in the last digits; what differs more is another computation, and its time
says nothing.
"""

import array

# By the type of an output's elements: Python's code for it, and how far two values may be apart. Of floats, as a share of the
# largest value; of bytes, in steps of the quantization.
ELEMENTS = {"float32": ("f", 1e-3), "uint8": ("B", 2), "int8": ("b", 2)}


def disagreement(expected, found, element):
    """Why the answers differ, for people; None where they agree. The answers are bytes in hexadecimal."""
    if element not in ELEMENTS:
        return None if expected == found else f"its output of {element} values differs"
    code, tolerance = ELEMENTS[element]
    if len(expected) != len(found):
        return f"its output takes {len(found) // 2} bytes, not {len(expected) // 2}"
    values, others = (array.array(code, bytes.fromhex(text)) for text in (expected, found))
    # A value that is no number is never within anything.
    largest = max((abs(value) for value in values), default=0) if code == "f" else 1
    apart = [abs(value - other) for value, other in zip(values, others)]
    if all(distance <= tolerance * max(largest, 1e-6) for distance in apart):
        return None
    return f"its output is {max(apart):.3g} away, and {tolerance * max(largest, 1e-6):.3g} is allowed"


# Programs shrink photos in different ways, which moves scores and sides a little.
SCORES_APART, LEAST_OVERLAP = 0.15, 0.7


def box_disagreement(expected, found):
    """Why a photo's boxes differ, for people; None where each has its like. A box is a dictionary: the class by its `index`, its
    `text` or both, a `score`, and `box`: left, top, right, bottom."""
    if len(found) != len(expected):
        return f"it finds {len(found)} boxes, not {len(expected)}"
    rest = list(found)
    for wanted in expected:
        alike = [other for other in rest if is_same_class(wanted, other)]
        nearest = max(alike, key=lambda other: overlap(wanted["box"], other["box"]), default=None)
        if nearest is None or overlap(wanted["box"], nearest["box"]) < LEAST_OVERLAP:
            return f"it has no {wanted['text']} at {', '.join(f'{side:.0f}' for side in wanted['box'])}"
        if abs(nearest["score"] - wanted["score"]) > SCORES_APART:
            return f"a {wanted['text']} has the score {nearest['score']:.2f}, not {wanted['score']:.2f}"
        rest.remove(nearest)
    return None


def is_same_class(one, other):
    """Some programs tell the text of a class, some its index."""
    key = "index" if other.get("text") is None else "text"
    return one[key] == other[key]


def overlap(one, other):
    """Intersection over union."""
    width, height = (min(one[side + 2], other[side + 2]) - max(one[side], other[side]) for side in (0, 1))
    common = max(0, width) * max(0, height)
    areas = sum((right - left) * (bottom - top) for left, top, right, bottom in (one, other))
    return common / (areas - common) if areas > common else 0
