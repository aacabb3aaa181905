#!/usr/bin/env python3
"""Trains the digits detector in the form of YOLO's exports, and writes its two models and their measured accuracy."""

import hashlib
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # a GPU would change the numbers

import numpy as np

from training import script
from training.detection.evaluation import held_out_pages, measured
from training.detection.examples import examined_examples
from training.detection.photos import training_photo
from training.detection.training import Recipe, Stage
from training.digits import Digits, split_digits
from training.network import make_deterministic
from training.yolo.conversion import SIDE, float_yolo, quantised_yolo
from training.yolo.detections import YoloDetector
from training.yolo.lessons import framed_pages, framed_picture
from training.yolo.training import trained_yolo

RECIPE = Recipe(stages=(Stage(side=160, pages=8000, steps=6500), Stage(side=SIDE, pages=1500, steps=600)), seed=1)
TYPICAL_PAGES = 200
THRESHOLD = 0.25  # the score that apps ask of these models

BUNDLE = "digits-yolo"
FLOAT_FILE, QUANTISED_FILE = "model.tflite", "model-int8.tflite"
EXAMPLES = "digits-detector/examples"


def main() -> None:
    options = script.options(__doc__, "steps of each training stage at most")
    make_deterministic(options.threads)
    train, held_out = split_digits()
    print(f"{len(train)} digits to train on, {len(held_out)} held out")

    network = trained_yolo(train, RECIPE.shortened(options.steps))
    print(f"  {network.count_params()} parameters")
    models = {
        FLOAT_FILE: float_yolo(network),
        QUANTISED_FILE: quantised_yolo(network, _typical_pictures(train)),
    }
    folder = options.output / BUNDLE
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in models.items():
        (folder / name).write_bytes(model)
    metrics = _metrics(models, network.count_params(), train, held_out)
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n")
    print(json.dumps({name: facts["held_out"] for name, facts in metrics["models"].items()}, indent=2))


def _typical_pictures(train: Digits) -> np.ndarray:
    """Training pages that show the converter which values the layers produce."""
    rng = np.random.default_rng(0)
    photo = training_photo()
    return np.stack([framed_picture(page, photo, rng) for page in framed_pages(train, TYPICAL_PAGES, rng, SIDE)])


def _metrics(models: dict[str, bytes], parameters: int, train: Digits, held_out: Digits) -> dict:
    pages = held_out_pages(held_out)
    examples = Path(__file__).parent / EXAMPLES
    return {
        "digits": {"train": len(train), "held_out": len(held_out)},
        "packages": script.package_versions(),
        "parameters": parameters,
        "models": {
            name: {
                "bytes": len(model),
                "sha256": hashlib.sha256(model).hexdigest(),
                "held_out": measured(YoloDetector(model), *pages, THRESHOLD),
                "examples": examined_examples(YoloDetector(model), examples, THRESHOLD),
            }
            for name, model in models.items()
        },
    }


if __name__ == "__main__":
    main()
