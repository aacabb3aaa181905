#!/usr/bin/env python3
"""Makes the digits detector with two outputs, as MediaPipe's are, from the bundle of the digits detector."""

import argparse
import hashlib
import json
import os
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

from training.detection.evaluation import held_out_pages, measured
from training.detection.examples import examined_examples
from training.detection.raw import RawDetector, without_postprocess
from training.digits import split_digits

SOURCE = "digits-detector"
BUNDLE = "digits-detector-anchors"
PACKAGES = ("tensorflow", "ai-edge-litert", "scikit-learn", "numpy", "pillow", "flatbuffers")


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=here, help="folder for the bundle; this script's own if absent")
    options = parser.parse_args()

    source = (here / SOURCE / "model.tflite").read_bytes()
    model, removed = without_postprocess(source)
    detector = RawDetector(model, removed)
    metrics = {
        "made_from": {"model": f"{SOURCE}/model.tflite", "sha256": hashlib.sha256(source).hexdigest()},
        "packages": {name: version(name) for name in PACKAGES},
        "model": {"bytes": len(model), "sha256": hashlib.sha256(model).hexdigest()},
        "held_out": measured(detector, *held_out_pages(split_digits()[1])),
        "examples": examined_examples(detector, here / SOURCE / "examples"),
    }
    folder = options.output / BUNDLE
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.tflite").write_bytes(model)
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n")
    print(json.dumps(metrics["held_out"], indent=2))


if __name__ == "__main__":
    main()
