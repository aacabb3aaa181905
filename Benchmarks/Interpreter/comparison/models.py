"""Which models are run."""

import os

from comparison.worker import ROOT

DIGITS = ROOT / "Models/digits-labeler/model.tflite"
# So small that the time of a call is nearly all overhead.
ONE_OPERATOR = ROOT / "Tests/Fixtures/models/add.tflite"


def photo_model():
    """A MobileNetV2 beside the checkout, where the tests look for it too; else a model of the package."""
    shared = os.environ.get("HEARTH_SHARED_DATA") or ROOT.parent / "shared/data"
    path = os.path.join(shared, "models/mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite")
    return path if os.path.isfile(path) else str(DIGITS)
