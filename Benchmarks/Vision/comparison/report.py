"""The results as text."""

import os
import statistics

from comparison.accuracy import percentile_90
from harness.machine import header as machine_text

NAMES = {
    "hearth-file": "Hearth", "floor": "floor: scaled decode + engine, alone", "pillow-draft": "LiteRT + Pillow, draft mode",
    "pillow-file": "LiteRT + Pillow", "opencv-reduced": "LiteRT + OpenCV, reduced decode", "opencv-file": "LiteRT + OpenCV",
    "mediapipe-file": "MediaPipe Tasks, its own threads", "hearth": "Hearth", "pillow": "LiteRT + Pillow",
    "opencv": "LiteRT + OpenCV", "mediapipe": "MediaPipe Tasks",
}


def header(machine, settings):
    return (
        f"{machine_text(machine)}\n"
        f"{settings['rounds']} rounds, turns of about {settings['milliseconds']} ms. Medians; in brackets, where the "
        "middle half of the rounds lies.\nRatios are Hearth's time divided by that row's, in the same round: below 1, "
        "Hearth was faster.\nOutside the engine is the time less that of a run of the engine alone: of LiteRT in Python its own run, of "
        "the others the\nfloor's. For MediaPipe, which does not tell, that is a guess: its number of threads is its own."
    )


def title(result):
    picture = os.path.basename(result["picture"]).removesuffix(".jpg")
    return f"{result['model']}, {picture}, {result['threads']} thread{'s' if result['threads'] > 1 else ''}"


def cell(result):
    lines = [f"\n{title(result):<41}{'per picture':>14}   {'Hearth / row':<25}{'outside the engine':>18}   Hearth / row"]
    for name, values in result["times"].items():
        line = f"  {NAMES[name]:<39}{timing(values, name)}"
        if values["outside"]:
            line += f"{timing(values['outside'], name)}"
        if name == "floor":
            line += f"   {result['found']['floor']}"
        lines.append(line.rstrip())
    found = "; ".join(f"{NAMES[name]}: {first(answer)}" for name, answer in result["found"].items() if name != "floor")
    left_out = [f"  LEFT OUT: {NAMES[name]}: {reason}" for name, reason in result["left_out"].items()]
    return "\n".join([*lines, f"  found first: {found}", *left_out])


def timing(values, name):
    ratio = "" if name == "hearth-file" else spread(values["hearth_ratio"], 3)
    return f"{values['seconds']['median'] * 1e3:>11.3f} ms   {ratio:<25}"


def first(found):
    """The best of what was found, and how many boxes there are."""
    if not found:
        return "nothing"
    best = max(found, key=lambda item: item["score"])
    boxes = [item for item in found if "box" in item]
    return f"{best.get('text') or '#' + str(best['index'])} {best['score']:.4f}{f', {len(boxes)} boxes' if boxes else ''}"


def sizes(result):
    lines = [
        f"\nlabels of {result['copies']} copies, in all sizes and half of them with noise, of {result['photos']} photos: "
        f"{result['model']}"]
    for way, found in result["ways"].items():
        lines.append(
            f"  {way:<12}{found['right']:>4} right, {found['moved']:>3} unlike most of their photo, score moves by "
            f"{found['spread']:.3f}")
    return "\n".join(lines)


def cold(result):
    picture = os.path.basename(result["picture"])
    lines = [f"\nfrom process start to the first label: {result['model']}, {picture}"]
    for name in ("hearth", "pillow"):
        seconds, memory = result["seconds"][name]["median"], result["kibibytes"][name]["median"]
        lines.append(f"  {NAMES[name]:<38}{seconds * 1e3:>12.1f} ms {memory / 1024:>10.1f} MiB at most")
    time, memory = spread(result["seconds"]["ratio"], 3), spread(result["kibibytes"]["ratio"], 3)
    return "\n".join([*lines, f"  {'Hearth / LiteRT + Pillow':<38}time {time}, memory {memory}"])


def bulk(result):
    lines = [f"\nmany files: {result['model']}, {result['pictures']:,} photos, {result['processes']} processors"]
    for name, rate in result["rates"].items():
        what = {
            "hearth": "hearth label FOLDER --json", "floor": f"{result['processes']} floor loops",
            "mediapipe": f"MediaPipe Tasks, {result['processes']} processes",
        }[name]
        line = f"  {what:<38}{rate['median']:>12,.0f} pictures/s"
        lines.append(line if name == "hearth" else f"{line}   Hearth / row {spread(rate['hearth_ratio'], 2)}")
    return "\n".join(lines)


def spread(ratio, digits):
    return f"{ratio['median']:.{digits}f} [{ratio['low']:.{digits}f} ... {ratio['high']:.{digits}f}]"


def accuracy(result, failures):
    lines = label_table(result) if result["task"] == "labels" else box_table(result)
    return "\n".join([*lines, *(f"  OUT OF BOUNDS: {text}" for text in failures)])


def label_table(result):
    rows = result["photos"]
    lines = [
        f"\nlabels of golden photos: {result['model']}",
        f"  {'photo':<34}{'decoded whole':<34}{'at the smallest scale':<34}{'off golden':>10}{'shift':>8}",
    ]
    for row in rows:
        name = row["image"].removeprefix("images/")
        whole, scaled = (f"{row[which][0][:24]} {row[which][1]:.3f}" for which in ("whole", "scaled"))
        note = "" if row["agrees"] else "  (methods disagree)"
        lines.append(f"  {name:<34}{whole:<34}{scaled:<34}{row['distance']:>10.3f}{row['shift']:>8.3f}{note}")
    agreed = [row for row in rows if row["agrees"]]
    shifts = [row["shift"] for row in rows]
    return [
        *lines,
        f"  first label right where all methods agree: {sum(row['whole_right'] for row in agreed)} and "
        f"{sum(row['scaled_right'] for row in agreed)} of {len(agreed)} photos; off the nearest golden score by "
        f"{max(row['distance'] for row in rows):.3f} at most",
        f"  shift by the smaller decode: median {statistics.median(shifts):.3f}, p90 "
        f"{percentile_90(shifts):.3f}, most {max(shifts):.3f}; {sum(shift > 0 for shift in shifts)} of {len(shifts)} photos "
        "moved",
    ]


def box_table(result):
    rows = result["photos"]
    totals = {key: sum(row[key] for row in rows) for key in ("objects", "whole", "scaled")}
    lines = [f"\nobjects in golden photos: {result['model']}", f"  {'photo':<34}{'sure objects':>13}{'whole':>8}{'scaled':>8}"]
    for row in rows:
        lines.append(f"  {row['image'].removeprefix('images/'):<34}{row['objects']:>13}{row['whole']:>8}{row['scaled']:>8}")
    return [*lines, f"  {'all':<34}{totals['objects']:>13}{totals['whole']:>8}{totals['scaled']:>8}"]
