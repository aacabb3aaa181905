"""Medians, and how far the rounds lie apart."""

import statistics


def summary(values):
    """The median, and the quartiles, between which half of the values lie."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"median": middle, "low": low, "high": high}
