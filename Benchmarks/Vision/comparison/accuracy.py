"""What the smaller decode costs: labels and boxes of all golden photos, decoded whole and decoded at the smallest scale.

Both are sampled plainly, as for the goldens; the usual way stands beside them. A golden result holds the answers of several ways to
shrink a photo; an answer is compared with the nearest of them.
"""

import json
import statistics
import subprocess

from harness.data import shared_data

# What counts as right, for labels: how far scores may be from a golden one, and how far the smaller decode may move them.
SCORE_TOLERANCE = 0.08
SHIFT_P90, SHIFT_MAX = 0.08, 0.15
# For boxes: which golden objects must be found, and how well they must overlap.
SURE_SCORE, OVERLAP = 0.6, 0.75


def goldens(model):
    """The entries about photos whose transparency is treated as here: left out."""
    kind = "classify" if model.task == "labels" else "detect"
    entries = json.loads((shared_data() / f"goldens/{kind}_{model.name}.json").read_text())["images"]
    return [entry for entry in entries if entry.get("alpha", "drop") in ("drop", "dropped") and "/exact/" not in entry["image"]]


def answers(hearth, model, entries, *flags):
    """By photo, what `hearth` says."""
    command, labels = ("label", "labels") if model.task == "labels" else ("detect", "objects")
    paths = [str(shared_data() / entry["image"]) for entry in entries]
    output = subprocess.run(
        [str(hearth), command, model.path, *paths, "--json", "--max", "2000", *flags],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return [json.loads(line)[labels] for line in output.splitlines()]


def measure(hearth, model):
    entries = goldens(model)
    whole = answers(hearth, model, entries, "--full-decode", "--no-antialias")
    scaled = answers(hearth, model, entries, "--no-antialias")
    usual = answers(hearth, model, entries)
    judge = label_row if model.task == "labels" else box_row
    return {
        "model": model.name, "task": model.task,
        "photos": [judge(*found) for found in zip(entries, whole, scaled, usual, strict=True)],
    }


def label_row(entry, whole, scaled, usual):
    methods = list(entry["results"].values())
    tops = {method[0]["index"] for method in methods}

    def distance(found):
        """From the nearest method, in the score of that method's first label."""
        scores = {label["index"]: label["confidence"] for label in found}
        return min(abs(scores.get(method[0]["index"], 0) - method[0]["score"]) for method in methods)

    first = whole[0]
    scores = {label["index"]: label["confidence"] for label in scaled}
    return {
        "image": entry["image"], "agrees": entry["top1_agrees"],
        "whole_right": first["index"] in tops, "scaled_right": scaled[0]["index"] in tops,
        "usual_right": usual[0]["index"] in tops,
        "whole": [first["text"], first["confidence"]], "scaled": [scaled[0]["text"], scaled[0]["confidence"]],
        "distance": distance(whole), "shift": abs(scores.get(first["index"], 0) - first["confidence"]),
    }


def box_row(entry, whole, scaled, usual):
    """How many of the golden objects that all methods are sure of were found."""
    methods = [found for name, found in entry["results"].items() if name != "mediapipe"]
    wanted = [item for item in methods[0] if item["score"] >= SURE_SCORE]
    wanted = [item for item in wanted if all(any(is_same(item, other) for other in method) for method in methods)]

    def count(found):
        return sum(any(is_found(item, other, methods) for other in found) for item in wanted)

    return {"image": entry["image"], "objects": len(wanted), "whole": count(whole), "scaled": count(scaled), "usual": count(usual)}


def is_same(one, other):
    return one["class_index"] == other["class_index"] and overlap(one, other) >= OVERLAP


def is_found(item, found, methods):
    """Near enough to what one of the methods found there."""
    if found["index"] != item["class_index"]:
        return False
    near = [other for method in methods for other in method if is_same(item, other)]
    return any(overlap(other, found["box"]) >= OVERLAP for other in near)


def overlap(one, other):
    """Intersection over union."""
    width = min(one["right"], other["right"]) - max(one["left"], other["left"])
    height = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    common = max(0, width) * max(0, height)
    area = sum((box["right"] - box["left"]) * (box["bottom"] - box["top"]) for box in (one, other))
    return common / (area - common) if area > common else 0


def failures(result):
    """What is out of bounds, in words."""
    rows = result["photos"]
    if result["task"] == "boxes":
        return [
            f"{row['image']}: {row['objects'] - row[which]} objects missed ({which} decode)"
            for row in rows for which in ("whole", "scaled", "usual") if row[which] < row["objects"]
        ]
    wrong = [
        f"{row['image']}: another first label ({which} decode)"
        for row in rows if row["agrees"] for which in ("whole", "scaled", "usual") if not row[f"{which}_right"]
    ]
    wrong += [f"{row['image']}: {row['distance']:.3f} from the golden score" for row in rows if row["distance"] > SCORE_TOLERANCE]
    shifts = [row["shift"] for row in rows]
    if percentile_90(shifts) > SHIFT_P90 or max(shifts) > SHIFT_MAX:
        wrong.append(f"the smaller decode moves scores by {percentile_90(shifts):.3f} (p90), {max(shifts):.3f} (most)")
    return wrong


def percentile_90(values):
    return statistics.quantiles(values, n=10, method="inclusive")[8]
