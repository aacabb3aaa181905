"""What the finished file finds, as an app gets it: through LiteRT."""

from dataclasses import dataclass

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from ..pictures import stretched
from .anchors import SIDE


@dataclass(frozen=True)
class Detections:
    """Best first: float32 [N, 4] top, left, bottom, right in 0 ... 1; int64 [N] digits; float32 [N] scores."""

    boxes: np.ndarray
    digits: np.ndarray
    scores: np.ndarray

    def above(self, threshold: float) -> "Detections":
        """Those with a higher score."""
        kept = self.scores > threshold
        return Detections(self.boxes[kept], self.digits[kept], self.scores[kept])


class Detector:
    """A loaded model, used again for every picture."""

    def __init__(self, model: bytes):
        self._interpreter = Interpreter(model_content=model, num_threads=1)
        self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]["index"]
        self._outputs = [output["index"] for output in self._interpreter.get_output_details()]

    def detections(self, picture: np.ndarray) -> Detections:
        """All that the model tells about a picture, RGB uint8 [SIDE, SIDE, 3]; unused places have score 0."""
        self._interpreter.set_tensor(self._input, picture[None])
        self._interpreter.invoke()
        boxes, digits, scores = (self._interpreter.get_tensor(index)[0] for index in self._outputs)
        found = np.flatnonzero(scores > 0)
        return Detections(boxes[found], digits[found].astype(np.int64), scores[found])


def as_input(picture: np.ndarray) -> np.ndarray:
    """A picture of any size, RGB uint8 [height, width, 3], stretched to the model's input."""
    return (stretched(picture, SIDE) + 0.5).astype(np.uint8)


def overlaps(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of a box [4] with each of [N, 4]."""
    low = np.maximum(one[:2], others[:, :2])
    high = np.minimum(one[2:], others[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=1)
    areas = (others[:, 2:] - others[:, :2]).prod(axis=1)
    return shared / np.maximum((one[2:] - one[:2]).prod() + areas - shared, 1e-9)
