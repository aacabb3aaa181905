"""Makes the metadata blocks in `metadata/blocks/`, with the code that MediaPipe generated from the formats' own schemas.

Run with any Python that has MediaPipe 1.2:

    python Tests/Fixtures/make_metadata_blocks.py

The files are committed, so tests need no Python. Same script, same bytes.
"""

import pathlib

import flatbuffers
import numpy as np
from mediapipe.tasks.metadata import metadata_schema_py_generated as schema
from mediapipe.tasks.metadata import object_detector_metadata_schema_py_generated as detector

FOLDER = pathlib.Path(__file__).parent / "metadata/blocks"


def made(kind, **fields):
    object_ = kind()
    for name, value in fields.items():
        assert hasattr(object_, name), name
        setattr(object_, name, value)
    return object_


def packed(object_, identifier):
    builder = flatbuffers.Builder(1024)
    builder.Finish(object_.Pack(builder), identifier)
    return bytes(builder.Output())


def file(name, kind, **fields):
    return made(schema.AssociatedFileT, name=name, type=kind, **fields)


def content(kind, properties, **fields):
    return made(schema.ContentT, contentPropertiesType=kind, contentProperties=properties, **fields)


def unit(kind, options):
    return made(schema.ProcessUnitT, optionsType=kind, options=options)


def of_tensor(**fields):
    """Metadata that describes one input."""
    subgraph = made(schema.SubGraphMetadataT, inputTensorMetadata=[made(schema.TensorMetadataT, **fields)])
    return packed(made(schema.ModelMetadataT, name="model", subgraphMetadata=[subgraph]), b"M001")


def detector_block():
    anchors = [
        made(detector.FixedAnchorT, xCenter=(place + 0.5) / 4, yCenter=0.25, width=0.5, height=0.125 * (place + 1))
        for place in range(4)]
    decoding = made(
        detector.TensorsDecodingOptionsT, numClasses=3, numBoxes=4, numCoords=8, keypointCoordOffset=4, numKeypoints=2,
        numValuesPerKeypoint=2, xScale=10, yScale=20, wScale=5, hScale=2.5, applyExponentialOnBoxSize=True, sigmoidScore=True)
    options = made(
        detector.ObjectDetectorOptionsT, minParserVersion="1.0.0", tensorsDecodingOptions=decoding,
        ssdAnchorsOptions=made(
            detector.SsdAnchorsOptionsT, fixedAnchorsSchema=made(detector.FixedAnchorsSchemaT, anchors=anchors)))
    return packed(options, b"V001")


def full_block(custom):
    """Everything that Hearth keeps."""
    kinds, units = schema.ContentProperties, schema.ProcessUnitOptions
    image = made(
        schema.ImagePropertiesT, colorSpace=schema.ColorSpaceType.RGB,
        defaultSize=made(schema.ImageSizeT, width=224, height=192))
    boxes = made(
        schema.BoundingBoxPropertiesT, index=[1, 0, 3, 2], type=schema.BoundingBoxType.BOUNDARIES,
        coordinateType=schema.CoordinateType.PIXEL)
    image = made(
        schema.TensorMetadataT, name="image", description="what to look at", dimensionNames=["batch", "height"],
        content=content(kinds.ImageProperties, image, range=made(schema.ValueRangeT, min=-1, max=2)),
        processUnits=[unit(units.NormalizationOptions, made(schema.NormalizationOptionsT, mean=[127.5], std=[1, 2, 4]))],
        stats=made(schema.StatsT, max=[1], min=[-1, 0]))
    sound = made(
        schema.TensorMetadataT, name="sound", content=content(kinds.AudioProperties, schema.AudioPropertiesT()))
    scores = made(
        schema.TensorMetadataT, name="score", content=content(kinds.FeatureProperties, schema.FeaturePropertiesT()),
        processUnits=[
            unit(units.ScoreCalibrationOptions, made(
                schema.ScoreCalibrationOptionsT, scoreTransformation=schema.ScoreTransformationType.LOG, defaultScore=0.25)),
            unit(units.ScoreThresholdingOptions, made(schema.ScoreThresholdingOptionsT, globalScoreThreshold=0.5))],
        associatedFiles=[
            file("labels.txt", schema.AssociatedFileType.TENSOR_AXIS_LABELS, description="names", locale="en", version="2"),
            file("calibration.txt", schema.AssociatedFileType.TENSOR_AXIS_SCORE_CALIBRATION)])
    location = made(schema.TensorMetadataT, name="location", content=content(kinds.BoundingBoxProperties, boxes))
    threshold = unit(units.ScoreThresholdingOptions, schema.ScoreThresholdingOptionsT())
    subgraph = made(
        schema.SubGraphMetadataT, name="main", description="finds things", inputTensorMetadata=[image, sound],
        outputTensorMetadata=[scores, location],
        associatedFiles=[file("words.txt", schema.AssociatedFileType.VOCABULARY)], inputProcessUnits=[threshold],
        outputProcessUnits=[threshold],
        inputTensorGroups=[made(schema.TensorGroupT, name="senses", tensorNames=["image", "sound"])],
        outputTensorGroups=[made(schema.TensorGroupT, name="result", tensorNames=["score", "location"])],
        customMetadata=[
            made(schema.CustomMetadataT, name="DETECTOR_METADATA", data=np.frombuffer(custom, np.uint8)),
            made(schema.CustomMetadataT, name="OTHER", data=np.frombuffer(b"\x01\x02\x03", np.uint8))])
    return packed(made(
        schema.ModelMetadataT, name="Finder", description="Finds things. \u00fc", version="v2", author="Ada", license="Apache-2.0",
        subgraphMetadata=[subgraph, schema.SubGraphMetadataT()],
        associatedFiles=[file("index.bin", schema.AssociatedFileType.SCANN_INDEX_FILE)], minParserVersion="1.5.0"), b"M001")


def main():
    FOLDER.mkdir(exist_ok=True)
    kinds, units = schema.ContentProperties, schema.ProcessUnitOptions
    custom = detector_block()
    vocabulary = [file("words.txt", schema.AssociatedFileType.VOCABULARY)]
    blocks = {
        "detector": custom,
        "full": full_block(custom),
        "audio": of_tensor(content=content(
            kinds.AudioProperties, made(schema.AudioPropertiesT, sampleRate=16000, channels=1))),
        "bert": of_tensor(processUnits=[unit(
            units.BertTokenizerOptions, made(schema.BertTokenizerOptionsT, vocabFile=vocabulary))]),
        "pieces": of_tensor(processUnits=[unit(
            units.SentencePieceTokenizerOptions, made(schema.SentencePieceTokenizerOptionsT, vocabFile=vocabulary))]),
        "regex": of_tensor(processUnits=[unit(
            units.RegexTokenizerOptions, made(schema.RegexTokenizerOptionsT, delimRegexPattern="x"))]),
        "latin": of_tensor(description="gr\u00fcn".encode("latin-1")),
    }
    for name, block in blocks.items():
        (FOLDER / f"{name}.bin").write_bytes(block)


main()
