"""Makes the small image labelers in `metadata/`, which differ in what their metadata says.

Run with any Python that has TensorFlow (only its schema of the model file is used):

    python Tests/Fixtures/make_metadata_models.py

Each passes its input on: the scores of a picture of one pixel are its red, green and blue. The files are committed, so
tests need no Python. Same script, same bytes.
"""

import io
import pathlib
import zipfile

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent / "metadata"
UINT8, INT32 = schema.TensorType.UINT8, schema.TensorType.INT32

LABELS, VALUE_LABELS, CALIBRATION = 2, 3, 4  # kinds of associated files
SCORE_CALIBRATION, SCORE_THRESHOLDING = 2, 3  # kinds of process units
IDENTITY, LOG, INVERSE_LOGISTIC = 0, 1, 2


class Metadata:
    """The metadata FlatBuffer: TensorFlow carries no writer for its schema. Field numbers are those of the format."""

    def __init__(self):
        self.builder = flatbuffers.Builder(256)

    def build(self, files=(), calibration=None, threshold=None, default_size=None, before=()):
        """Says it of one output, and `default_size` (width, height) of the only input.

        `files` are (name, kind, locale or None), `before` those of each output before it, `calibration` is (transformation,
        default score).
        """
        units = []
        if calibration:
            units.append(self.unit(SCORE_CALIBRATION, bytes_={0: calibration[0]}, floats={1: calibration[1]}))
        if threshold is not None:
            units.append(self.unit(SCORE_THRESHOLDING, floats={0: threshold}))
        output = self.table({4: self.vector(units), 6: self.vector([self.file(*file) for file in files])})
        image = self.table({3: self.image(default_size)} if default_size else {})
        others = [self.table({6: self.vector([self.file(*file) for file in files])} if files else {}) for files in before]
        subgraph = self.table({2: self.vector([image]), 3: self.vector(others + [output])})
        self.builder.Finish(self.table({3: self.vector([subgraph])}), b"M001")
        return bytes(self.builder.Output())

    def unit(self, kind, **options):
        return self.table({1: self.table(**options)}, bytes_={0: kind})

    def image(self, size):
        size = self.table(integers=dict(enumerate(size)))
        return self.table({1: self.table({1: size}, bytes_={0: 1})}, bytes_={0: 2})

    def file(self, name, kind, locale):
        texts = {0: self.builder.CreateString(name)}
        if locale:
            texts[3] = self.builder.CreateString(locale)
        return self.table(texts, bytes_={2: kind})

    def vector(self, tables):
        self.builder.StartVector(4, len(tables), 4)
        for table in reversed(tables):
            self.builder.PrependUOffsetTRelative(table)
        return self.builder.EndVector()

    def table(self, offsets={}, bytes_={}, floats={}, integers={}):
        self.builder.StartObject(10)
        for field, offset in offsets.items():
            self.builder.PrependUOffsetTRelativeSlot(field, offset, 0)
        for field, value in integers.items():
            self.builder.PrependUint32Slot(field, value, 0)
        for field, value in floats.items():
            self.builder.PrependFloat32Slot(field, value, 0)
        for field, value in bytes_.items():
            self.builder.PrependUint8Slot(field, value, 0)
        return self.builder.EndObject()


def tensor(name, shape, buffer, type=UINT8):
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer = name, shape, type, buffer
    if type == UINT8:
        made.quantization = schema.QuantizationParametersT()
        made.quantization.scale, made.quantization.zeroPoint = [1 / 256], [0]
    return made


def constant(values):
    buffer = schema.BufferT()
    buffer.data = np.frombuffer(np.array(values, np.int32).tobytes(), np.uint8)
    return buffer


def reshape(inputs, output, shape=(1, 3)):
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, inputs, [output]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.ReshapeOptions, schema.ReshapeOptionsT()
    operator.builtinOptions.newShape = list(shape)
    return operator


def mean(inputs, output):
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, inputs, [output]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.ReducerOptions, schema.ReducerOptionsT()
    return operator


def write(name, code, subgraph, buffers, metadata, files):
    model = schema.ModelT()
    model.version, model.description, model.subgraphs = 3, "Made for Hearth's tests.", [subgraph]
    kind = schema.OperatorCodeT()
    kind.builtinCode = kind.deprecatedBuiltinCode = code
    kind.version = 1
    entry, block = schema.MetadataT(), schema.BufferT()
    entry.name, entry.buffer = b"TFLITE_METADATA", len(buffers)
    block.data = np.frombuffer(metadata, np.uint8)
    model.operatorCodes, model.buffers, model.metadata = [kind], buffers + [block], [entry]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    contents = io.BytesIO(bytes(builder.Output()))
    if files:
        with zipfile.ZipFile(contents, "a") as archive:
            for file, text in files.items():
                archive.writestr(zipfile.ZipInfo(file), text)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / name).write_bytes(contents.getvalue())


def labeler(name, packed={}, outputs=1, **metadata):
    """`packed` are the files in the model's zip, {name: text}; what is said of them is in `metadata`."""
    subgraph = schema.SubGraphT()
    subgraph.tensors = [tensor("image", [1, 1, 1, 3], 1), tensor("shape", [2], 2, INT32)]
    subgraph.tensors += [tensor(f"scores{index}", [1, 3], 3 + index) for index in range(outputs)]
    subgraph.inputs, subgraph.outputs = [0], list(range(2, 2 + outputs))
    subgraph.operators = [reshape([0, 1], output) for output in subgraph.outputs]
    buffers = [schema.BufferT() for _ in range(3 + outputs)]
    buffers[2] = constant([1, 3])
    write(name, schema.BuiltinOperator.RESHAPE, subgraph, buffers, Metadata().build(**metadata), packed)


def box_labeler(name, boxes, packed={}, **metadata):
    """The picture has 2 x 2 pixels. The first output has their 12 numbers as scores; as many as `boxes` have them as boxes."""
    subgraph = schema.SubGraphT()
    subgraph.tensors = [
        tensor("image", [1, 2, 2, 3], 1), tensor("row", [2], 2, INT32), tensor("sides", [3], 3, INT32),
        tensor("scores", [1, 12], 4)]
    subgraph.tensors += [tensor(f"boxes{index}", [1, 3, 4], 5 + index) for index in range(boxes)]
    subgraph.inputs, subgraph.outputs = [0], list(range(3, 4 + boxes))
    subgraph.operators = [reshape([0, 1], 3, (1, 12))]
    subgraph.operators += [reshape([0, 2], output, (1, 3, 4)) for output in subgraph.outputs[1:]]
    buffers = [schema.BufferT() for _ in range(5 + boxes)]
    buffers[2], buffers[3] = constant([1, 12]), constant([1, 3, 4])
    write(name, schema.BuiltinOperator.RESHAPE, subgraph, buffers, Metadata().build(**metadata), packed)


def embedding_labeler(name, packed, **metadata):
    """The first output is the picture twice, an embedding; the second one has the scores."""
    subgraph = schema.SubGraphT()
    subgraph.tensors = [
        tensor("image", [1, 1, 1, 3], 1), tensor("embedding", [1, 1, 1, 6], 2), tensor("scores", [1, 1, 1, 3], 3)]
    subgraph.inputs, subgraph.outputs = [0], [1, 2]
    subgraph.operators = []
    for inputs, output in [([0, 0], 1), ([0], 2)]:
        operator = schema.OperatorT()
        operator.opcodeIndex, operator.inputs, operator.outputs = 0, inputs, [output]
        operator.builtinOptionsType = schema.BuiltinOptions.ConcatenationOptions
        operator.builtinOptions = schema.ConcatenationOptionsT()
        operator.builtinOptions.axis = 3
        subgraph.operators.append(operator)
    buffers = [schema.BufferT() for _ in range(4)]
    write(name, schema.BuiltinOperator.CONCATENATION, subgraph, buffers, Metadata().build(**metadata), packed)


def open_labeler(name, **metadata):
    """Takes pictures of any size; the scores are the means of red, green and blue."""
    subgraph = schema.SubGraphT()
    image = tensor("image", [1, 1, 1, 3], 1)
    image.shapeSignature = [1, -1, -1, 3]
    subgraph.tensors = [image, tensor("axes", [2], 2, INT32), tensor("scores", [1, 3], 3)]
    subgraph.inputs, subgraph.outputs, subgraph.operators = [0], [2], [mean([0, 1], 2)]
    buffers = [schema.BufferT() for _ in range(4)]
    buffers[2] = constant([1, 2])
    write(name, schema.BuiltinOperator.MEAN, subgraph, buffers, Metadata().build(**metadata), {})


NAMES = "red\ngreen\nblue\n"
LABEL_FILE = ("labels.txt", LABELS, None)
CALIBRATION_FILE = ("calibration.txt", CALIBRATION, None)
# Green has no parameters, and blue only from 0.5 up.
SIGMOIDS = "1,4,-1\n\n0.5,2,0.25,0.5"


PACKED = {"labels.txt": NAMES, "calibration.txt": SIGMOIDS}
SAID = (LABEL_FILE, CALIBRATION_FILE)

labeler("calibrated.tflite", PACKED, files=SAID, calibration=(IDENTITY, 0.125))
labeler("calibrated_log.tflite", PACKED, files=SAID, calibration=(LOG, 0.125))
labeler("calibrated_inverse_logistic.tflite", PACKED, files=SAID, calibration=(INVERSE_LOGISTIC, 0.125))
labeler("calibrated_threshold.tflite", PACKED, files=SAID, calibration=(IDENTITY, 0.125), threshold=0.5)
labeler("calibration_without_labels.tflite", {"calibration.txt": SIGMOIDS}, files=(CALIBRATION_FILE,), calibration=(IDENTITY, 0))
labeler("calibration_not_named.tflite", PACKED, files=(LABEL_FILE,), calibration=(IDENTITY, 0))
labeler("calibration_not_there.tflite", {"labels.txt": NAMES}, files=SAID, calibration=(IDENTITY, 0))
labeler("calibration_long.tflite", PACKED | {"calibration.txt": SIGMOIDS + "\n"}, files=SAID, calibration=(IDENTITY, 0))
labeler("calibration_unknown.tflite", PACKED, files=SAID, calibration=(9, 0))

TWO_FILES = {"ids.txt": "/m/r\n/m/g\n/m/b\n", "names.txt": NAMES, "namen.txt": "rot\ngrün\nblau\n"}
LANGUAGES = (("ids.txt", LABELS, None), ("names.txt", LABELS, "en"), ("namen.txt", LABELS, "de"))
labeler("languages.tflite", TWO_FILES, files=LANGUAGES, threshold=0.5)
labeler("languages_uneven.tflite", TWO_FILES | {"names.txt": "red\ngreen\n"}, files=LANGUAGES)
labeler("languages_not_there.tflite", {"ids.txt": TWO_FILES["ids.txt"]}, files=LANGUAGES)
labeler("labels_too_few.tflite", {"labels.txt": "red\ngreen\n"}, files=(LABEL_FILE,))

labeler("two_heads.tflite", {"labels.txt": NAMES}, outputs=2, files=(LABEL_FILE,))
labeler(
    "classes_first.tflite", {"labels.txt": NAMES, "classes.txt": "one\ntwo\nthree\n"}, outputs=2, files=(LABEL_FILE,),
    before=[(("classes.txt", VALUE_LABELS, None),)])
TWELVE = "".join(f"{name} {pixel}\n" for pixel in range(4) for name in ("red", "green", "blue"))
box_labeler("box_beside.tflite", 1)
box_labeler("box_beside_labels.tflite", 1, {"labels.txt": TWELVE}, files=(LABEL_FILE,))
box_labeler("boxes_beside_labels.tflite", 2, {"labels.txt": TWELVE}, files=(LABEL_FILE,))
embedding_labeler(
    "embedding_first.tflite", PACKED, files=SAID, calibration=(IDENTITY, 0.125), threshold=0.25, before=[()])
open_labeler("open_size.tflite")
open_labeler("open_size_suggested.tflite", default_size=(8, 6))
