"""The rows of the benchmark CrashGuard, from what it prints as JSON."""

from performance.rows import Row, scaled


def rows(results):
    return [
        Row(pair["name"], pair["meaning"], "s", scaled(pair["ours"], 1e-9), scaled(pair["peer"], 1e-9), pair["ratio"])
        for pair in results["pairs"]]
