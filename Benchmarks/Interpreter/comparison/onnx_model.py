"""Converts .tflite models for ONNX Runtime, with the package tflite2onnx: models in floats, of the operators that it knows.

It turns pictures from NHWC to NCHW, the usual order of ONNX. Other converters, which know more operators, need all of
TensorFlow.
"""

import contextlib
import functools
import logging
import pathlib
import sys
import tempfile

import numpy
import tflite2onnx

from comparison.inputs import fill_input
from harness.contestant import Unfit


@functools.cache
def converted(path):
    """The bytes of the ONNX model."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        target = pathlib.Path(folder) / "model.onnx"
        try:
            tflite2onnx.convert(str(path), str(target))
        except Exception as error:
            # The package has assertions for what it does not know.
            raise Unfit(f"tflite2onnx cannot convert it ({str(error) or type(error).__name__})") from error
        return target.read_bytes()


def fill(item):
    """The same values for an input of the converted model as the original's input gets."""
    if item.type != "tensor(float)":
        raise Unfit("only models in floats are converted")
    if len(item.shape) != 4:
        return fill_input(item.shape, numpy.float32)
    count, channels, height, width = item.shape
    return numpy.ascontiguousarray(fill_input((count, height, width, channels), numpy.float32).transpose(0, 3, 1, 2))
