"""The detector's network."""

import keras
import numpy as np

from ..digits import LABELS
from .anchors import LEVELS

CLASSES = 1 + len(LABELS)
HEAD_FILTERS = 96


def detector_network() -> keras.Model:
    """RGB in -1 ... 1 to offsets [N, A, 4] and class probabilities [N, A, 11], background first."""
    picture = keras.Input((None, None, 3))
    features = _convolved(picture, 16, 2)
    features = _convolved(features, 32, 2)
    features = _convolved(features, 48, 2)
    features = _convolved(features, 48, 1)
    fine = _separated(features, 64, 1)
    features = _convolved(fine, 96, 2)
    features = _separated(features, 128, 1)
    coarse = _separated(features, 128, 1)
    # What lies around tells a small digit from a part of a large one.
    surroundings = keras.layers.Conv2D(64, 1, padding="same", use_bias=False)(coarse)
    surroundings = keras.layers.UpSampling2D(2)(keras.layers.BatchNormalization()(surroundings))
    fine = keras.layers.Add()([fine, surroundings])
    heads = [_head(level, len(sides)) for level, (_, sides) in zip((fine, coarse), LEVELS, strict=True)]
    offsets, scores = (keras.layers.Concatenate(axis=1)(outputs) for outputs in zip(*heads))
    return keras.Model(picture, [offsets, keras.layers.Softmax()(scores)])


def _convolved(features, filters: int, stride: int, kernel: int = 3):
    features = keras.layers.Conv2D(filters, kernel, stride, padding="same", use_bias=False)(features)
    return keras.layers.ReLU()(keras.layers.BatchNormalization()(features))


def _separated(features, filters: int, stride: int):
    features = keras.layers.DepthwiseConv2D(3, stride, padding="same", use_bias=False)(features)
    features = keras.layers.ReLU()(keras.layers.BatchNormalization()(features))
    return _convolved(features, filters, 1, kernel=1)


def _head(features, anchors: int):
    features = _separated(features, HEAD_FILTERS, 1)
    offsets = keras.layers.Conv2D(anchors * 4, 1)(features)
    # Nearly every anchor shows background: starting from that keeps the first steps calm.
    start = keras.initializers.Constant(np.tile([4.0] + [0.0] * len(LABELS), anchors))
    scores = keras.layers.Conv2D(anchors * CLASSES, 1, bias_initializer=start)(features)
    return keras.layers.Reshape((-1, 4))(offsets), keras.layers.Reshape((-1, CLASSES))(scores)
