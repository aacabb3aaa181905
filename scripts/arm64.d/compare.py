#!/usr/bin/env python3
"""Compares what hearth finds in the pictures of the shared data with what Google's own interpreter found.

usage: scripts/arm64.d/compare.py RESULTS COMMAND ...
for example: scripts/arm64.d/compare.py goldens scripts/arm64 run .build/arm64/programs/hearth

RESULTS is what `goldens.py results` made on the processor on which COMMAND runs hearth. A lossless picture of the model's own
size becomes the same bytes on both sides, so each score and each box must be equal, bit by bit. A model that takes floats gets
them from two computations that differ in the last bit; its scores may differ by 1/100000. Other pictures are decoded and resized
by different libraries: there the table shows how far the answers are apart.

exit status: 0 equal where they must be; 1 not
"""

import json
import pathlib
import struct
import subprocess
import sys

METHOD = "half_pixel_bilinear"
FLOAT_TOLERANCE = 1e-5


def as_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def answers(command, data, golden, pictures):
    """What hearth says of the pictures, in their order."""
    is_labeler = golden["task"] == "image labeling"
    model, labels = data / golden["model"], data / golden["labels_file"]
    words = ["label", "--max", "100000", "--threshold", "0"] if is_labeler else ["detect", "--threshold", "0"]
    words += ["--json", "--full-decode", "--no-antialias", "--jobs", "2", "--labels", str(labels), str(model), "-"]
    paths = "".join(f"{data / picture}\n" for picture in pictures)
    answer = subprocess.run([*command, *words], input=paths, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def label_distance(entry, answer):
    expected = [as_float(score) for score in entry["scores"][METHOD]]
    found = {label["index"]: as_float(label["confidence"]) for label in answer["labels"]}
    return max(abs(found.get(index, 0) - score) for index, score in enumerate(expected))


def is_same_first(entry, answer):
    found = answer.get("labels", answer.get("objects"))
    expected = entry["results"][METHOD]
    if not found or not expected:
        return not found and not expected
    return found[0]["index"] == expected[0].get("index", expected[0].get("class_index"))


def box_distance(entry, answer):
    """The largest difference of a score among the objects of both, in their order; infinity if classes or places differ."""
    expected = entry["results"][METHOD]
    found = [item for item in answer["objects"] if item["confidence"] >= 0.25][:10]
    if len(found) != len(expected):
        return float("inf")
    most = 0.0
    for item, other in zip(found, expected):
        edges = [abs(item["box"][edge] - min(max(other[edge], 0), size)) for edge, size in
                 (("left", answer["width"]), ("top", answer["height"]), ("right", answer["width"]), ("bottom", answer["height"]))]
        if item["index"] != other["class_index"] or max(edges) > 0.002:
            return float("inf")
        most = max(most, abs(as_float(item["confidence"]) - as_float(other["score"])))
    return most


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    failed = []
    print(f"{'model':20} {'exact':>6} {'equal':>6} {'others':>7} {'equal':>6} {'same first':>11} {'most':>9}")
    for file in sorted((results / "goldens").glob("*.json")):
        if file.name.split("_")[0] not in ("classify", "detect"):
            continue
        golden = json.loads(file.read_text())
        entries = golden["images"]
        found = answers(command, results, golden, [entry["image"] for entry in entries])
        distance = label_distance if golden["task"] == "image labeling" else box_distance
        tolerance = FLOAT_TOLERANCE if golden["input"]["dtype"] == "float32" else 0
        rows = {True: [], False: []}
        firsts = 0
        for entry, answer in zip(entries, found, strict=True):
            if "error" in answer:
                sys.exit(f"compare: {entry['image']}: {answer['error']}")
            is_exact = "/exact/" in entry["image"]
            rows[is_exact].append(distance(entry, answer))
            if is_exact and rows[True][-1] > tolerance:
                failed.append(f"{file.stem}: {entry['image']} differs by {rows[True][-1]}")
            firsts += not is_exact and is_same_first(entry, answer)
        finite = [value for value in rows[False] if value != float("inf")]
        print(f"{file.stem.split('_', 1)[1]:20} {len(rows[True]):6} {rows[True].count(0):6} {len(rows[False]):7} {rows[False].count(0):6} "
              f"{firsts:11} {max(finite, default=0):9.6f}", flush=True)
    for line in failed:
        print(f"compare: {line}")
    sys.exit(1 if failed else 0)


main()
