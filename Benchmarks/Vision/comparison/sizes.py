"""Whether an answer depends on a photo's size and noise: labels of smaller and smaller copies of photos with a known first
label, with and without noise."""

import collections
import json
import pathlib
import subprocess
import tempfile

from comparison.accuracy import goldens
from harness.data import shared_data

WAYS = {"averaged": (), "plain": ("--no-antialias",)}
SCRIPT = pathlib.Path(__file__).resolve().parent / "make_copies.py"
# Made from other photos of the list, or too small.
LEFT_OUT = ("/exact/", "/exif/", "/variants/")


def measure(hearth, python, model):
    entries = [
        entry for entry in goldens(model) if entry["top1_agrees"] and not any(part in entry["image"] for part in LEFT_OUT)]
    known = {
        str(shared_data() / entry["image"]): {method[0]["index"] for method in entry["results"].values()}
        for entry in entries}
    with tempfile.TemporaryDirectory() as folder:
        command = [python, SCRIPT, folder, model.side, *known]
        copies = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout)
        copies = {photo: paths for photo, paths in copies.items() if len(paths) > 2}
        return {
            "model": model.name, "photos": len(copies), "copies": sum(map(len, copies.values())),
            "ways": {way: judge(known, copies, labels(hearth, model, copies, flags)) for way, flags in WAYS.items()}}


def labels(hearth, model, copies, flags):
    """By path, the score of each label, the first one first."""
    paths = [path for group in copies.values() for path in group]
    output = subprocess.run(
        [str(hearth), "label", model.path, *paths, "--json", "--max", "2000", *flags],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return {
        path: {label["index"]: label["confidence"] for label in json.loads(line)["labels"]}
        for path, line in zip(paths, output.splitlines(), strict=True)}


def judge(known, copies, found):
    """How many copies have a right first label, how many another one than most copies of their photo, and how far the score of
    that label moves, on average over the photos."""
    right = moved = 0
    spreads = []
    for photo, paths in copies.items():
        firsts = [next(iter(found[path])) for path in paths]
        usual = collections.Counter(firsts).most_common(1)[0][0]
        scores = [found[path].get(usual, 0) for path in paths]
        right += sum(first in known[photo] for first in firsts)
        moved += sum(first != usual for first in firsts)
        spreads.append(max(scores) - min(scores))
    return {"right": right, "moved": moved, "spread": sum(spreads) / len(spreads)}
