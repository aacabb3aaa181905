"""Which models are run."""

from harness.data import shared_data
from harness.worker import ROOT

DIGITS = ROOT / "Models/digits-labeler/model.tflite"
# So small that the time of a call is nearly all overhead.
ONE_OPERATOR = ROOT / "Tests/Fixtures/models/add.tflite"


def photo_model():
    """A MobileNetV2 beside the checkout, where the tests look for it too; else a model of the package."""
    path = shared_data() / "models/mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite"
    return str(path if path.is_file() else DIGITS)
