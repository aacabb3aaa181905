"""The results as text."""

import os

from harness.machine import header as machine_text

NAMES = {
    "hearth": "Hearth's Interpreter", "c": "LiteRT's C interface", "python": "LiteRT's Python interpreter",
    "openvino": "OpenVINO, Python", "onnxruntime": "ONNX Runtime, Python"}
WORKS = {"copies": "copy inputs, run, copy outputs", "run": "run only"}
SHORT_CALL = 100_000


def header(machine, settings):
    return (
        f"{machine_text(machine)}\n"
        f"{settings['rounds']} rounds, turns of {settings['milliseconds']} ms, {settings['threads']} "
        f"thread{'s' if settings['threads'] > 1 else ''}. Medians; in brackets, where the middle half of the rounds "
        "lies.\nThe last column is Hearth's time divided by that row's, in the same round: below 1, Hearth was faster."
    )


def text(result):
    lines = [f"\n{os.path.relpath(result['model'])}: {result['calls_per_turn']:,} calls a turn"]
    for work, times in result["times"].items():
        lines.append(f"  {WORKS[work]:<34}{'time per call':>15}   Hearth / row")
        lines += [row(name, values) for name, values in times.items()]
        lines += differences(times["c"])
    lines.append("  heap allocations per 1,000 calls, in the whole process")
    lines += [allocations(work, counts, result["calls_counted"]) for work, counts in result["allocations"].items()]
    lines += [f"  left out: {text}" for text in left_out(result)]
    return "\n".join(lines)


def left_out(result):
    model = "/".join(str(result["model"]).split("/")[-2:])
    return [f"{NAMES[name]} with {model}: {reason}" for name, reason in result["left_out"].items()]


def differences(values):
    """What Hearth adds, where a call is so short that this shows."""
    if values["nanoseconds"]["median"] > SHORT_CALL:
        return []
    added = values["hearth_minus_nanoseconds"]
    return [
        f"    {'Hearth minus C, per call':<32}{added['median']:>12,.0f} ns   "
        f"[{added['low']:,.0f} ... {added['high']:,.0f}] ns"
    ]


def row(name, values):
    line = f"    {NAMES[name]:<32}{duration(values['nanoseconds']['median']):>15}"
    if "hearth_ratio" in values:
        ratio = values["hearth_ratio"]
        line += f"   {ratio['median']:.3f} [{ratio['low']:.3f} ... {ratio['high']:.3f}]"
    return line


def allocations(work, counts, calls):
    hearth, c = (counts[name] * 1000 / calls for name in ("hearth", "c"))
    return f"    {WORKS[work]:<34}Hearth {hearth:,.0f}, C {c:,.0f}: Hearth adds {hearth - c:,.0f}"


def duration(nanoseconds):
    return f"{nanoseconds / 1e6:,.3f} ms" if nanoseconds >= 1e6 else f"{nanoseconds / 1e3:,.3f} us"
