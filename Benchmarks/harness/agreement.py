"""Whether two engines give the same answer to the same input.

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
