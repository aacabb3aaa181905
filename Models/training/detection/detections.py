"""What a finished file finds, as an app gets it: through LiteRT."""

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
        return Detections(*(values[kept] for values in self.fields()))

    def fields(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Boxes, digits, scores."""
        return self.boxes, self.digits, self.scores


class Detector:
    """A loaded model, used again for every picture."""

    def __init__(self, model: bytes):
        self._interpreter = Interpreter(model_content=model, num_threads=1)
        self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]["index"]
        self._outputs = [output["index"] for output in self._interpreter.get_output_details()]

    def detections(self, picture: np.ndarray) -> Detections:
        """All that the model tells about a picture of any size, RGB uint8 [height, width, 3].

        Unused places have score 0.
        """
        self._interpreter.set_tensor(self._input, as_input(picture)[None])
        self._interpreter.invoke()
        boxes, digits, scores = (self._interpreter.get_tensor(index)[0] for index in self._outputs)
        found = np.flatnonzero(scores > 0)
        return Detections(boxes[found], digits[found].astype(np.int64), scores[found])


def as_input(picture: np.ndarray) -> np.ndarray:
    """A picture of any size, RGB uint8 [height, width, 3], stretched to the model's input."""
    return (stretched(picture, SIDE) + 0.5).astype(np.uint8)


def unsuppressed(found: Detections, overlap: float, per_digit: bool) -> Detections:
    """Best first, without those that overlap a better one by more than this: a better one of any digit, or only one of
    the same digit."""
    found = Detections(*(values[np.argsort(-found.scores, kind="stable")] for values in found.fields()))
    free = np.ones(len(found.scores), bool)
    for index in range(len(free)):
        if free[index]:
            near = overlaps(found.boxes[index], found.boxes[index + 1 :]) > overlap
            if per_digit:
                near &= found.digits[index + 1 :] == found.digits[index]
            free[index + 1 :] &= ~near
    return Detections(*(values[free] for values in found.fields()))


def overlaps(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of a box [4] with each of [N, 4]."""
    low = np.maximum(one[:2], others[:, :2])
    high = np.minimum(one[2:], others[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=1)
    areas = (others[:, 2:] - others[:, :2]).prod(axis=1)
    return shared / np.maximum((one[2:] - one[:2]).prod() + areas - shared, 1e-9)
