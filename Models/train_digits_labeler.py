#!/usr/bin/env python3
"""Trains the digits labeler and writes its bundles, example pictures and measured accuracy."""

import hashlib
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # a GPU would change the numbers

import numpy as np

from training import script
from training.conversion import float_model, quantised_model
from training.digits import Digits, split_digits
from training.evaluation import held_out_pictures, measured
from training.examples import labelled_examples, write_examples
from training.metadata import labels_text, with_metadata
from training.network import Recipe, make_deterministic, trained_network
from training.pictures import coloured_bytes, varied_ink

VERSION_1 = Recipe(filters=(16, 24, 40, 56), copies=16, steps=4000, seed=1)
VERSION_2 = Recipe(filters=(16, 32, 56, 80), copies=24, steps=6000, seed=2)

BUNDLE = "digits-labeler"
FLOAT_BUNDLE = "digits-labeler-float"
BUNDLE_2 = "digits-labeler-2"

MODEL_FILE = "model.tflite"
LABELS_FILE = "dict.txt"

DESCRIPTION = "Reads one handwritten digit that fills the picture, dark on light or light on dark."


def main() -> None:
    options = script.options(__doc__, "training steps of both versions")
    make_deterministic(options.threads)
    train, held_out = split_digits()
    print(f"{len(train)} digits to train on, {len(held_out)} held out")

    first = _trained("version 1", train, VERSION_1, options.steps)
    second = _trained("version 2", train, VERSION_2, options.steps)
    typical = _typical_pictures(train)
    models = {
        BUNDLE: quantised_model(first, typical),
        FLOAT_BUNDLE: with_metadata(float_model(first), "Digits labeler", DESCRIPTION, "1"),
        BUNDLE_2: quantised_model(second, typical),
    }
    for bundle, model in models.items():
        _write_bundle(options.output / bundle, model)

    examples = options.output / BUNDLE / "examples"
    write_examples(held_out, examples)
    metrics = _metrics(models, train, held_out, examples)
    (options.output / BUNDLE / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n")
    _print_table(metrics)


def _trained(name: str, train: Digits, recipe: Recipe, steps: int | None):
    if steps is not None:
        recipe = Recipe(recipe.filters, recipe.copies, steps, recipe.seed)
    print(f"{name}: {recipe}")
    network = trained_network(train, recipe)
    print(f"  {network.count_params()} parameters")
    return network


def _typical_pictures(train: Digits) -> np.ndarray:
    """Training pictures that show the converter which values the layers produce."""
    rng = np.random.default_rng(0)
    return coloured_bytes(varied_ink(train.ink[:400], 1, rng), rng)


def _write_bundle(folder: Path, model: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MODEL_FILE).write_bytes(model)
    (folder / LABELS_FILE).write_text(labels_text())
    manifest = {"modelType": "IMAGE_LABELING", "modelFile": MODEL_FILE, "labelsFile": LABELS_FILE}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def _metrics(models: dict[str, bytes], train: Digits, held_out: Digits, examples: Path) -> dict:
    pictures = held_out_pictures(held_out)
    return {
        "digits": {"train": len(train), "held_out": len(held_out)},
        "packages": script.package_versions(),
        "models": {
            bundle: {
                "bytes": len(model),
                "sha256": hashlib.sha256(model).hexdigest(),
                "held_out": measured(model, pictures),
                "examples": labelled_examples(model, examples),
            }
            for bundle, model in models.items()
        },
    }


def _print_table(metrics: dict) -> None:
    for bundle, facts in metrics["models"].items():
        print(f"{bundle}: {facts['bytes']} bytes")
        for name, result in facts["held_out"].items():
            right = f"{result['correct']:5} of {result['pictures']:5}"
            print(f"  {name:9} {right}  {result['accuracy']:.2%}  {result['confusions']}")


if __name__ == "__main__":
    main()
