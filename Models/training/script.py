"""What the training scripts have in common: their options, and the packages that their numbers depend on."""

import argparse
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("tensorflow", "keras", "ai-edge-litert", "scikit-learn", "numpy", "pillow", "flatbuffers")


def options(description: str, steps: str) -> argparse.Namespace:
    """`steps` says whose steps the option counts. The script stands in the folder for its models."""
    models = Path(__file__).parents[1]
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path, default=models, help="folder for the models; this script's own if absent")
    parser.add_argument("--steps", type=int, help=f"{steps}; give a few to try the script")
    parser.add_argument("--threads", type=int, default=1, help="threads for training (1); more change the numbers")
    return parser.parse_args()


def package_versions() -> dict[str, str]:
    return {name: version(name) for name in PACKAGES}
