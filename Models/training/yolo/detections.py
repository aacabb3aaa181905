"""What the finished files find, as an app gets it: letterboxed, through LiteRT, without overlapping boxes."""

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from ..detection.detections import Detections, unsuppressed
from .lessons import as_shares
from .letterbox import Frame, letterboxed

OVERLAP = 0.45  # boxes of one digit that overlap by more are one
LEAST_SCORE = 0.05
CANDIDATES = 500  # the best of a picture, from which the overlapping ones are taken


class YoloDetector:
    """A loaded model, float32 or int8, used again for every picture."""

    def __init__(self, model: bytes):
        self._interpreter = Interpreter(model_content=model, num_threads=1)
        self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]
        self._output = self._interpreter.get_output_details()[0]

    def detections(self, picture: np.ndarray) -> Detections:
        """What it finds on a picture of any size, RGB uint8 [height, width, 3]."""
        side = int(self._input["shape"][1])
        values = self._run(letterboxed(picture, side))
        scores = values[:, 4:]
        least = max(LEAST_SCORE, np.partition(scores, -CANDIDATES, axis=None)[-CANDIDATES])
        found, digits = np.nonzero(scores > least)
        centres, sizes = values[found, 1::-1], values[found, 3:1:-1]  # y, x; height, width
        boxes = np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1)
        frame = Frame.around(picture.shape[1], picture.shape[0], side)
        return unsuppressed(Detections(frame.inward(boxes), digits, scores[found, digits]), OVERLAP, per_digit=True)

    def _run(self, rgb: np.ndarray) -> np.ndarray:
        """The output for RGB uint8 [side, side, 3], place by place: float32 [P, 14]."""
        self._interpreter.set_tensor(self._input["index"], self._as_input(as_shares(rgb))[None])
        self._interpreter.invoke()
        values = self._interpreter.get_tensor(self._output["index"])[0].T
        scale, zero_point = self._output["quantization"]
        return values if values.dtype == np.float32 else (values - np.float32(zero_point)) * np.float32(scale)

    def _as_input(self, shares: np.ndarray) -> np.ndarray:
        if self._input["dtype"] == np.float32:
            return shares
        scale, zero_point = self._input["quantization"]
        return np.clip(np.round(shares / scale) + zero_point, -128, 127).astype(np.int8)
