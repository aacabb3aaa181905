"""The models that are run: real ones, which lie beside the checkout."""

from dataclasses import dataclass

from harness.data import shared_data


@dataclass(frozen=True)
class Model:
    name: str
    task: str  # labels or boxes
    path: str  # what Hearth opens: the file, or the folder of a bundle
    file: str  # the model file
    side: int  # width and height of the input, in pixels
    has_metadata: bool  # MediaPipe runs no model without
    is_timed: bool  # else only its answers are compared


def models():
    folder = shared_data() / "models"

    def model(name, task, path, side, file=None, has_metadata=True, is_timed=True):
        return Model(name, task, str(folder / path), str(folder / (file or path)), side, has_metadata, is_timed)

    return [
        model("flowers_automl", "labels", "flowers_automl", 224, "flowers_automl/model.tflite", has_metadata=False),
        model("mobilenet_v2_quant", "labels", "mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite", 224),
        model("mobilenet_v1_float", "labels", "mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite", 224),
        model("mobilenet_v1_small", "labels", "mobilenet_v1_small/mobilenet_v1_0.25_128_quant.tflite", 128, is_timed=False),
        model("ssd_coco", "boxes", "ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", 300),
        model("salad_automl", "boxes", "salad_automl/salad1_automl.tflite", 320),
    ]
