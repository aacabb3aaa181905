"""Boxes from the two outputs of a detector with anchors, in NumPy: offsets from the anchors, and a score for each class."""

import sys

import numpy

from harness.worker import ROOT

sys.path.append(str(ROOT / "Models"))

from training.detection.anchors import CENTRE_SCALE, SIZE_SCALE, anchor_boxes  # noqa: E402

OVERLAP = 0.3  # as MediaPipe does it: boxes of any classes that overlap by more are one


class AnchoredBoxes:
    def __init__(self, side, threshold):
        anchors = anchor_boxes(side)
        self.centres, self.sizes = anchors[:, :2], anchors[:, 2:]
        self.threshold = threshold

    def found(self, offsets, scores):
        """(class, score, box), best first; a box is top, left, bottom, right in 0 ... 1 of the photo."""
        places = numpy.unique(numpy.flatnonzero(scores.ravel() > self.threshold) // scores.shape[1])
        scores = scores[places]
        classes = scores.argmax(axis=1)
        scores = scores.max(axis=1)
        order = numpy.argsort(-scores, kind="stable")
        places, classes, scores = places[order], classes[order], scores[order]
        offsets, anchors = offsets[places], self.sizes[places]
        centres = self.centres[places] + offsets[:, :2] / CENTRE_SCALE * anchors
        halves = numpy.exp(offsets[:, 2:] / SIZE_SCALE) * anchors / 2
        boxes = numpy.concatenate([centres - halves, centres + halves], axis=1)
        return [(int(classes[i]), float(scores[i]), boxes[i]) for i in kept(boxes)]


def kept(boxes):
    """The places of the boxes that no better one overlaps; the best come first."""
    overlapping = overlaps(boxes) > OVERLAP
    is_dropped = numpy.zeros(len(boxes), bool)
    places = []
    for place in range(len(boxes)):
        if not is_dropped[place]:
            places.append(place)
            is_dropped |= overlapping[place]
    return places


def overlaps(boxes):
    """Intersection over union of each with each."""
    corners, others = boxes[:, :2], boxes[:, 2:]
    common = (numpy.minimum(others[:, None], others) - numpy.maximum(corners[:, None], corners)).clip(0).prod(axis=2)
    areas = (others - corners).prod(axis=1)
    return common / (areas[:, None] + areas - common)
