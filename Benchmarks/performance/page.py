"""The page for readers, made only from the document."""

from performance.document import rows

HEAD = """\
# Performance

`scripts/bench --report` measures everything on this page and writes it; edit nothing here by hand. Programs find the same
numbers in [performance.json](performance.json), and `scripts/bench --compare FILE` compares them with those of another run.

All contestants of a row run in turn on the same machine, in several rounds. *Ours* and *peer* are medians over the rounds. The
*ratio* is ours divided by the peer's in the same round, as a median. For times, memory and calls, below 1 is better; for work
per second, above 1. The *middle half* is where the ratio was in the middle half of the rounds; without a ratio, where ours
was. Compare only ratios between machines.
"""

ABOUT = {
    "Interpreter": "One call of a model through `Interpreter`, beside the same engine called from C and Python, and other engines.",
    "CrashGuard": "What it costs per run to guard a version of a model, after its trial. The model subtracts two numbers.",
    "Vision": (
        "From a photo's file to labels or boxes. The models and their photo are beside the checkout; those named digits, and the page "
        "of digits that they find, are in Models. *Outside the engine* is the time less that of a run of the engine alone."),
    "Server": "The server under load from wrk, which runs on the same processors.",
}

COLUMNS = ("row", "ours", "peer", "ratio", "middle half", "what it is")


def page(document):
    return "\n".join([HEAD, *(section(name, part) for name, part in document["benchmarks"].items())])


def section(name, part):
    lines = [f"## {name}", "", *([ABOUT[name], ""] if name in ABOUT else []), origin(part), ""]
    if part["left_out"]:
        lines += ["Left out:", "", *(f"- {text}" for text in part["left_out"]), ""]
    lines += [line(COLUMNS), "|---|--:|--:|--:|--:|---|", *(table_row(row) for row in rows(part)), ""]
    return "\n".join(lines)


def origin(part):
    machine = part["machine"]
    settings = ", ".join(f"{key} {value:,}" for key, value in part["settings"].items())
    return (
        f"Measured on {part['date']} at commit {part['commit']}, on {machine['processor']} with {machine['processors']} "
        f"processors and {machine['memory_bytes'] / 2**30:.0f} GiB of memory, {machine['kernel']}, {machine['compiler']}; "
        f"load at the start {machine['load']:.1f}. Settings: {settings}. It took {duration(part['seconds'])}, with the "
        "build.")


def duration(seconds):
    return f"{seconds} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"


def table_row(row):
    spread = row.ratio or row.ours
    number = ratio if row.ratio else lambda value: measurement(value, row.unit)
    is_measured_once = spread["low"] == spread["high"]
    return line((
        row.name, measurement(row.ours["median"], row.unit), measurement(row.peer["median"], row.unit) if row.peer else "",
        ratio(row.ratio["median"]) if row.ratio else "",
        "" if is_measured_once else f"{number(spread['low'])} ... {number(spread['high'])}", row.meaning))


def line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def ratio(value):
    return f"{value:.3f}" if value < 10 else f"{value:,.0f}"


def measurement(value, unit):
    if unit == "s":
        return time(value)
    if unit == "bytes":
        return f"{value / 2**20:,.1f} MiB"
    if unit == "bytes/s":
        return f"{value / 1e6:,.0f} MB/s"
    return f"{value:,.0f}" + (f" {unit}" if unit.endswith("/s") else "")


def time(seconds):
    """Three digits, in the unit that suits."""
    size, name = next((pair for pair in ((1, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "us"))
    value = seconds / size
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} {name}"
