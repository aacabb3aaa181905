"""The models that are run: real ones, which lie beside the checkout, and detectors of the project's own."""

import pathlib
from dataclasses import dataclass

from harness.data import shared_data
from harness.worker import ROOT


@dataclass(frozen=True)
class Model:
    name: str
    task: str  # labels or boxes
    path: str  # what Hearth opens: the file, or the folder of a bundle
    file: str  # the model file
    photo: str  # from which the photos that it is timed on are made
    side: int  # width and height of the input, in pixels
    peers: tuple[str, ...]  # that run it; MediaPipe runs no model without metadata
    values: str = "bytes"  # of the input: bytes, -1..1, 0..1, or int8, which are bytes less 128
    placement: str = "stretch"  # or letterbox: the whole photo in its proportions, on gray
    threshold: float | None = None  # boxes count above this score; None leaves it to the contestants
    is_timed: bool = True  # else only its answers are compared
    has_goldens: bool = True  # else its answers are compared with those of the peers

    @property
    def is_here(self):
        return all(pathlib.Path(path).exists() for path in (self.file, self.photo))


def models():
    return [*models_beside(), *own_models()]


def models_beside():
    folder = shared_data() / "models"

    def model(name, task, path, side, file=None, peers=("pillow", "mediapipe"), **more):
        return Model(
            name, task, str(folder / path), str(folder / (file or path)), str(shared_data() / "images/beach.jpg"), side, peers, **more)

    return [
        model("flowers_automl", "labels", "flowers_automl", 224, "flowers_automl/model.tflite", peers=("pillow",)),
        model("mobilenet_v2_quant", "labels", "mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite", 224),
        model("mobilenet_v1_float", "labels", "mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite", 224, values="-1..1"),
        model("mobilenet_v1_small", "labels", "mobilenet_v1_small/mobilenet_v1_0.25_128_quant.tflite", 128, is_timed=False),
        model("ssd_coco", "boxes", "ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", 300),
        model("salad_automl", "boxes", "salad_automl/salad1_automl.tflite", 320),
    ]


def own_models():
    """Detectors that leave it to the program to find the boxes among their numbers, and a page with something to find."""
    folder = ROOT / "Models"

    def model(name, path, **more):
        file = str(folder / path)
        page = str(folder / "digits-detector/examples/board.jpg")
        return Model(name, "boxes", file, file, page, 320, has_goldens=False, **more)

    yolo = {"placement": "letterbox", "peers": ("opencv",), "threshold": 0.25}
    return [
        model("digits_yolo", "digits-yolo/model.tflite", values="0..1", **yolo),
        model("digits_yolo_int8", "digits-yolo/model-int8.tflite", values="int8", **yolo),
        model("digits_anchors", "digits-detector-anchors/model.tflite", peers=("pillow", "mediapipe"), threshold=0.5),
    ]
