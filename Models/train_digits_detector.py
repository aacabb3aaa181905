#!/usr/bin/env python3
"""Trains the digits detector and writes its bundle, example pages and measured accuracy."""

import hashlib
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # a GPU would change the numbers

import numpy as np

from training import script
from training.detection.anchors import SIDE
from training.detection.conversion import INPUT_NAME, quantised_detector
from training.detection.detections import Detector
from training.detection.evaluation import held_out_pages, measured
from training.detection.examples import examined_examples, write_examples
from training.detection.lessons import training_pages, training_picture
from training.detection.photos import training_photo
from training.detection.postprocess import MAX_DETECTIONS, MODEL_OUTPUTS, OUTPUT_NAMES
from training.detection.training import Recipe, Stage, trained_detector
from training.digits import Digits, split_digits
from training.metadata import labels_text
from training.network import make_deterministic

RECIPE = Recipe(stages=(Stage(side=160, pages=8000, steps=4400), Stage(side=SIDE, pages=1500, steps=400)), seed=1)
TYPICAL_PAGES = 200

BUNDLE = "digits-detector"

# AutoML's description of a detection model, for the layout without a count of boxes.
DESCRIPTION = {
    "inferenceType": "QUANTIZED_UINT8",
    "inputShape": [1, SIDE, SIDE, 3],
    "inputTensor": INPUT_NAME,
    "maxDetections": MAX_DETECTIONS,
    "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences"],
    "outputTensors": OUTPUT_NAMES[:MODEL_OUTPUTS],
}


def main() -> None:
    options = script.options(__doc__, "steps of each training stage at most")
    make_deterministic(options.threads)
    train, held_out = split_digits()
    print(f"{len(train)} digits to train on, {len(held_out)} held out")

    network = trained_detector(train, RECIPE.shortened(options.steps))
    print(f"  {network.count_params()} parameters")
    model = quantised_detector(network, _typical_pictures(train))

    folder = options.output / BUNDLE
    _write_bundle(folder, model)
    write_examples(held_out, folder / "examples")
    metrics = _metrics(model, network.count_params(), train, held_out, folder / "examples")
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n")
    print(json.dumps(metrics["held_out"], indent=2))


def _typical_pictures(train: Digits) -> np.ndarray:
    """Training pages that show the converter which values the layers produce."""
    rng = np.random.default_rng(0)
    photo = training_photo()
    return np.stack([training_picture(page, photo, rng) for page in training_pages(train, TYPICAL_PAGES, rng)])


def _write_bundle(folder: Path, model: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.tflite").write_bytes(model)
    (folder / "dict.txt").write_text(labels_text())
    (folder / "tflite_metadata.json").write_text(json.dumps(DESCRIPTION, indent=2) + "\n")


def _metrics(model: bytes, parameters: int, train: Digits, held_out: Digits, examples: Path) -> dict:
    return {
        "digits": {"train": len(train), "held_out": len(held_out)},
        "packages": script.package_versions(),
        "model": {
            "bytes": len(model),
            "sha256": hashlib.sha256(model).hexdigest(),
            "parameters": parameters,
        },
        "held_out": measured(Detector(model), *held_out_pages(held_out)),
        "examples": examined_examples(Detector(model), examples),
    }


if __name__ == "__main__":
    main()
