"""Which rows of a later run lie outside the middle half of an earlier run's rounds."""

from performance.document import rows
from performance.page import measurement, ratio
from performance.rows import UNITS


def compare(before, now):
    """Lines for people, and whether a row is worse."""
    lines, is_worse = [], False
    for name, part in now["benchmarks"].items():
        if name not in before["benchmarks"]:
            lines.append(f"{name}: the earlier run has nothing of it")
            continue
        earlier = {row.name: row for row in rows(before["benchmarks"][name])}
        later = {row.name: row for row in rows(part)}
        moved = [found for row in later.values() if row.name in earlier and (found := verdict(earlier[row.name], row))]
        common = sum(row in earlier for row in later)
        lines.append(f"{name}: {len(moved)} of {common} rows lie outside the middle half of the earlier rounds")
        lines += [f"  {'worse ' if worse else 'better'}  {text}" for worse, text in moved]
        lines += [f"  new     {row}" for row in later if row not in earlier]
        lines += [f"  gone    {row}" for row in earlier if row not in later]
        is_worse = is_worse or any(worse for worse, _ in moved)
    lines += [f"{name}: the later run has nothing of it" for name in before["benchmarks"] if name not in now["benchmarks"]]
    return lines, is_worse


def verdict(before, now):
    """(whether it is worse, what to say of it); None where the row lies inside. Ratios are compared where both have them: they
    hold on a machine that is faster or slower today."""
    has_ratios = bool(before.ratio and now.ratio)
    old, new = (before.ratio, now.ratio) if has_ratios else (before.ours, now.ours)
    value = new["median"]
    if old["low"] <= value <= old["high"]:
        return None
    shown = ratio if has_ratios else lambda number: measurement(number, now.unit)
    is_higher = value > old["high"]
    return is_higher != UNITS[now.unit], (
        f"{now.name}: {shown(value)}, before {shown(old['median'])} [{shown(old['low'])} ... {shown(old['high'])}]")
