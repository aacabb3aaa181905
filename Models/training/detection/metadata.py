"""TFLite metadata of a detector with two outputs: where the boxes are, what the scores are for, and the anchors."""

from dataclasses import dataclass

import numpy as np

from ..conversion import aligned_vector
from ..digits import LABELS
from ..metadata import FEATURE_PROPERTIES, MIN_PARSER_VERSION, MetadataBuilder

# MediaPipe finds both by these names.
BOXES_NAME, SCORES_NAME = "location", "score"

ANCHORS_NAME = "DETECTOR_METADATA"
ANCHORS_IDENTIFIER = b"V001"

# Values of the metadata schema's enums and unions.
BOUNDING_BOX_PROPERTIES = 3
BOUNDARIES = 1

COORDINATES = 4  # numbers per box
VALUES_PER_KEY_POINT = 2  # there are no key points


@dataclass(frozen=True)
class Scales:
    """What a network's offsets are divided by: those of the centre, and those of the sizes' logarithms."""

    x: float
    y: float
    width: float
    height: float


class DetectorMetadata(MetadataBuilder):
    """What MediaPipe's ObjectDetector reads."""

    def build(
        self, name: str, description: str, version: str, input_name: str, side: int, anchors: np.ndarray, scales: Scales
    ) -> bytes:
        """`anchors` are float32 [A, 4]: centre y, centre x, height, width in 0 ... 1."""
        outputs = self.tables([self._boxes(), self._scores()])
        inputs = self.tables([self.picture_input(input_name, side)])
        custom = self.tables([self._custom(_anchors(anchors, scales))])
        return self.finished(name, description, version, self.table(10, {2: inputs, 3: outputs, 9: custom}))

    def _boxes(self) -> int:
        # Where left, top, right and bottom are among the four numbers, as MediaPipe's own writer has it.
        order = self.builder.CreateNumpyVector(np.array([1, 0, 3, 2], np.uint32))
        properties = self.table(3, {0: order}, int8={1: BOUNDARIES})
        content = self._per_place(BOUNDING_BOX_PROPERTIES, properties)
        return self.tensor(BOXES_NAME, "What each anchor's box is off by: y, x, height, width.", {3: content})

    def _scores(self) -> int:
        labels = self.labels()
        content = self._per_place(FEATURE_PROPERTIES, self.table(0))
        return self.tensor(
            SCORES_NAME, "One score per anchor and digit.", {3: content, 5: self.stats(0, 1), 6: self.tables([labels])}
        )

    def _per_place(self, kind: int, properties: int) -> int:
        every = self.table(2, int32={0: 2, 1: 2})  # each number along axis 2 is a value by itself
        return self.table(3, {1: properties, 2: every}, uint8={0: kind})

    def _custom(self, data: bytes) -> int:
        return self.table(2, {0: self.text(ANCHORS_NAME), 1: aligned_vector(self.builder, data)})


def _anchors(anchors: np.ndarray, scales: Scales) -> bytes:
    """The FlatBuffer of its own, after MediaPipe's object_detector_metadata_schema.fbs."""
    writer = MetadataBuilder()
    fixed = [writer.table(4, float32={0: x, 1: y, 2: width, 3: height}) for y, x, height, width in anchors.tolist()]
    ssd = writer.table(1, {0: writer.table(1, {0: writer.tables(fixed)})})
    decoding = writer.table(
        12,
        int32={0: len(LABELS), 1: len(anchors), 2: COORDINATES, 5: VALUES_PER_KEY_POINT},
        float32={6: scales.x, 7: scales.y, 8: scales.width, 9: scales.height},
        uint8={10: True, 11: False},  # sizes are logarithms; the scores are no logits
    )
    options = writer.table(3, {0: writer.text(MIN_PARSER_VERSION), 1: ssd, 2: decoding})
    writer.builder.Finish(options, ANCHORS_IDENTIFIER)
    return bytes(writer.builder.Output())
