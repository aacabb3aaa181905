"""How sure a measured rate is."""

import math


def bounds(count, total):
    """The rate, and Wilson's 95 % interval of it."""
    z, rate = 1.96, count / total
    middle = (rate + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    return rate, max(0.0, middle - half), middle + half


def at_least(count, total, rate):
    """The probability of `count` or more of `total`, where each happens with the probability `rate`."""
    def one(number):
        return math.exp(
            math.lgamma(total + 1) - math.lgamma(number + 1) - math.lgamma(total - number + 1)
            + number * math.log(rate) + (total - number) * math.log1p(-rate))

    return min(1.0, math.fsum(one(number) for number in range(count, total + 1)))
