"""TFLite metadata: the description inside a model file, and the label file in the zip at its end."""

import io
import zipfile

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

from .conversion import INPUT_NAME, OUTPUT_NAME, packed
from .digits import LABELS
from .network import MEAN, STD
from .pictures import SIDE

METADATA_NAME = b"TFLITE_METADATA"
METADATA_IDENTIFIER = b"M001"
MIN_PARSER_VERSION = "1.0.0"
LABELS_FILE = "labels.txt"

# Values of the metadata schema's enums and unions.
NORMALIZATION_OPTIONS = 1
FEATURE_PROPERTIES = 1
IMAGE_PROPERTIES = 2
RGB = 1
TENSOR_AXIS_LABELS = 2

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # a fixed time keeps the file's bytes the same


def labels_text() -> str:
    """One label per line, in the order of the scores."""
    return "".join(f"{label}\n" for label in LABELS)


def with_metadata(model: bytes, name: str, description: str, version: str) -> bytes:
    """The model with its normalisation and labels inside, so that it is usable without any other file."""
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    graph.description = name
    return with_metadata_and_labels(graph, _LabelerMetadata().build(name, description, version))


def with_metadata_and_labels(graph: schema.ModelT, metadata: bytes) -> bytes:
    """The model with a metadata FlatBuffer, and the labels in a zip at its end."""
    buffer, entry = schema.BufferT(), schema.MetadataT()
    buffer.data = np.frombuffer(metadata, np.uint8)
    entry.name, entry.buffer = METADATA_NAME, len(graph.buffers)
    graph.buffers.append(buffer)
    graph.metadata = [*(graph.metadata or []), entry]
    return with_file(packed(graph), LABELS_FILE, labels_text())


def with_file(model: bytes, name: str, text: str) -> bytes:
    """The model with a zip at its end that holds one file."""
    file = io.BytesIO()
    file.write(model)
    # Appending makes every offset in the zip count from the start of the file, as TFLite readers expect.
    with zipfile.ZipFile(file, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), text)
    return file.getvalue()


class MetadataBuilder:
    """Writes the metadata FlatBuffer field by field: TensorFlow itself carries no writer for this schema."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1024)

    def finished(self, name: str, description: str, version: str, subgraph: int) -> bytes:
        """The whole, around a description of the graph."""
        model = self.table(
            8,
            {
                0: self.text(name),
                1: self.text(description),
                2: self.text(version),
                3: self.tables([subgraph]),
                7: self.text(MIN_PARSER_VERSION),
            },
        )
        self.builder.Finish(model, METADATA_IDENTIFIER)
        return bytes(self.builder.Output())

    def picture_input(self, name: str, side: int) -> int:
        """An input of RGB pictures, side x side, normalised to -1 ... 1."""
        size = self.table(2, uint32={0: side, 1: side})
        content = self.content(IMAGE_PROPERTIES, self.table(2, {1: size}, int8={0: RGB}))
        normalisation = self.table(2, {0: self.floats([MEAN]), 1: self.floats([STD])})
        unit = self.table(2, {1: normalisation}, uint8={0: NORMALIZATION_OPTIONS})
        return self.tensor(
            name,
            "The picture, stretched to the input size.",
            {
                3: content,
                4: self.tables([unit]),
                5: self.stats(low=-MEAN / STD, high=(255 - MEAN) / STD),
            },
        )

    def labels(self) -> int:
        """The file that names what each score is for."""
        return self.table(
            5,
            {0: self.text(LABELS_FILE), 1: self.text("The digit that each score is for.")},
            int8={2: TENSOR_AXIS_LABELS},
        )

    def tensor(self, name: str, description: str, fields: dict[int, int]) -> int:
        return self.table(7, {0: self.text(name), 1: self.text(description), **fields})

    def content(self, kind: int, properties: int) -> int:
        return self.table(3, {1: properties}, uint8={0: kind})

    def stats(self, low: float, high: float) -> int:
        return self.table(2, {0: self.floats([high]), 1: self.floats([low])})

    def text(self, text: str) -> int:
        return self.builder.CreateString(text)

    def floats(self, values: list[float]) -> int:
        return self.builder.CreateNumpyVector(np.array(values, np.float32))

    def tables(self, tables: list[int]) -> int:
        self.builder.StartVector(4, len(tables), 4)
        for table in reversed(tables):
            self.builder.PrependUOffsetTRelative(table)
        return self.builder.EndVector()

    def table(
        self,
        field_count: int,
        offsets: dict[int, int] | None = None,
        uint32: dict[int, int] | None = None,
        int8: dict[int, int] | None = None,
        uint8: dict[int, int] | None = None,
        int32: dict[int, int] | None = None,
        float32: dict[int, float] | None = None,
    ) -> int:
        """A table of the given fields, by field id; everything they refer to is already written."""
        self.builder.StartObject(field_count)
        for field, offset in (offsets or {}).items():
            self.builder.PrependUOffsetTRelativeSlot(field, offset, 0)
        for field, value in (uint32 or {}).items():
            self.builder.PrependUint32Slot(field, value, 0)
        for field, value in (int8 or {}).items():
            self.builder.PrependInt8Slot(field, value, 0)
        for field, value in (uint8 or {}).items():
            self.builder.PrependUint8Slot(field, value, 0)
        for field, value in (int32 or {}).items():
            self.builder.PrependInt32Slot(field, value, 0)
        for field, value in (float32 or {}).items():
            self.builder.PrependFloat32Slot(field, value, 0)
        return self.builder.EndObject()


class _LabelerMetadata(MetadataBuilder):
    def build(self, name: str, description: str, version: str) -> bytes:
        subgraph = self.table(
            10, {2: self.tables([self.picture_input(INPUT_NAME, SIDE)]), 3: self.tables([self._output()])}
        )
        return self.finished(name, description, version, subgraph)

    def _output(self) -> int:
        labels = self.labels()
        return self.tensor(
            OUTPUT_NAME,
            "One score per digit; together they make 1.",
            {
                3: self.content(FEATURE_PROPERTIES, self.table(0)),
                5: self.stats(low=0, high=1),
                6: self.tables([labels]),
            },
        )
