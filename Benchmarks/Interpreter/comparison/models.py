"""Which models are run."""

from harness.data import shared_data
from harness.worker import ROOT

# In floats and with plain operators, so that other engines read it, too.
FLOATS = ROOT / "Models/digits-labeler-float/model.tflite"
DIGITS = ROOT / "Models/digits-labeler/model.tflite"
# So small that the time of a call is nearly all overhead.
ONE_OPERATOR = ROOT / "Tests/Fixtures/models/add.tflite"


def photo_models():
    """Two MobileNets beside the checkout, quantized and in floats, where the tests look for them too; else a model of the
    package."""
    folder = shared_data() / "models"
    paths = [
        folder / "mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite",
        folder / "mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite"]
    return [str(path) for path in paths if path.is_file()] or [str(DIGITS)]
