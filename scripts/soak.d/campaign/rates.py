"""How sure a measured rate is."""

import math


def bounds(count, total):
    """The rate, and Wilson's 95 % interval of it."""
    z, rate = 1.96, count / total
    middle = (rate + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    return rate, max(0.0, middle - half), middle + half
