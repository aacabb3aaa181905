#!/usr/bin/env python3
"""Makes what the rehearsal tests need: two digits labelers with a typical fault, and a set of held-out pictures.

Both labelers are trained like version 1 of the digits labeler, with fewer steps. `worse-class` saw almost no sevens.
`wrong-preprocessing` was trained on bytes divided by 255, and exported as if it took (byte - 127.5) / 127.5.
"""

import argparse
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # a GPU would change the numbers

import numpy as np
from PIL import Image

from training import network
from training.conversion import quantised_model
from training.digits import LABELS, Digits, split_digits
from training.evaluation import held_out_pictures, measured
from training.metadata import labels_text
from training.network import Recipe, make_deterministic, trained_network
from training.pictures import coloured_bytes, varied_ink

RECIPE = Recipe(filters=(16, 24, 40, 56), copies=12, steps=1500, seed=3)
RARE = LABELS.index("7")
RARE_COUNT = 3  # sevens that `worse-class` sees

PICTURES_PER_DIGIT = 20
PICTURE_SIDE = 96
PICTURE_SEED = 36


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=here.parent / "Tests/Fixtures/rehearsal", help="folder for all")
    options = parser.parse_args()
    make_deterministic(1)
    train, held_out = split_digits()
    rng = np.random.default_rng(0)
    typical = coloured_bytes(varied_ink(train.ink[:400], 1, rng), rng)
    _write_pictures(held_out, options.output / "images")
    models = {
        "worse-class": lambda: trained_network(_without_most(train), RECIPE),
        "wrong-preprocessing": lambda: _trained_on_other_input(train),
    }
    pictures = held_out_pictures(held_out)
    for name, trained in models.items():
        print(name, flush=True)
        model = quantised_model(trained(), typical)
        folder = options.output / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.tflite").write_bytes(model)
        (folder / "dict.txt").write_text(labels_text())
        manifest = {"modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt"}
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
        for kind, result in measured(model, pictures).items():
            print(f"  {kind:9} {result['accuracy']:.2%}  {result['confusions']}", flush=True)


def _without_most(digits: Digits) -> Digits:
    rare = np.flatnonzero(digits.labels == RARE)[RARE_COUNT:]
    kept = np.setdiff1d(np.arange(len(digits)), rare)
    return Digits(digits.ink[kept], digits.labels[kept])


def _trained_on_other_input(digits: Digits):
    right = network.normalised
    network.normalised = lambda rgb: rgb.astype(np.float32) / np.float32(255)
    try:
        return trained_network(digits, RECIPE)
    finally:
        network.normalised = right


def _write_pictures(held_out: Digits, folder: Path) -> None:
    """The same number of each digit, each in a folder of its name."""
    rng = np.random.default_rng(PICTURE_SEED)
    chosen = np.concatenate(
        [np.flatnonzero(held_out.labels == digit)[:PICTURES_PER_DIGIT] for digit in range(len(LABELS))]
    )
    rgb = coloured_bytes(varied_ink(held_out.ink[chosen], 1, rng), rng)
    for index, (picture, label) in enumerate(zip(rgb, held_out.labels[chosen])):
        place = folder / LABELS[label]
        place.mkdir(parents=True, exist_ok=True)
        large = Image.fromarray(picture).resize((PICTURE_SIDE, PICTURE_SIDE), Image.Resampling.BICUBIC)
        large.save(place / f"{index % PICTURES_PER_DIGIT:02}.jpg", quality=85)


if __name__ == "__main__":
    main()
