"""The network: a small backbone, three maps that share what they see, and one head for all of them."""

import keras
import numpy as np

from ..digits import LABELS
from .places import STRIDES

FILTERS = 64  # of each of the three maps
RARE = -4.6  # the first steps see a digit at one place in a hundred
SIDES = 4


def yolo_network() -> keras.Model:
    """RGB in 0 ... 1 to raw distances and scores: float32 [N, P, 4] and [N, P, 10], map by map, before any sigmoid."""
    picture = keras.Input((None, None, 3))
    features = _convolved(picture, 16, 2)
    features = _convolved(features, 24, 2)
    features = _convolved(features, 48, 2)
    fine = _deeper(_separated(features, 64, 1))
    middle = _deeper(_deeper(_separated(fine, 80, 2)))
    coarse = _deeper(_separated(middle, 80, 2))

    # What lies around tells a small digit from a part of a large one.
    coarse = _seen(coarse)
    middle = keras.layers.Add()([_seen(middle), keras.layers.UpSampling2D(2)(coarse)])
    fine = keras.layers.Add()([_seen(fine), keras.layers.UpSampling2D(2)(middle)])
    head = Head()
    outputs = [head(features) for features in (fine, middle, coarse)]
    assert len(outputs) == len(STRIDES)
    return keras.Model(picture, [keras.layers.Concatenate(axis=1)(maps) for maps in zip(*outputs)])


def _convolved(features, filters: int, stride: int, kernel: int = 3):
    features = keras.layers.Conv2D(filters, kernel, stride, padding="same", use_bias=False)(features)
    return keras.layers.ReLU()(keras.layers.BatchNormalization()(features))


def _separated(features, filters: int, stride: int):
    features = keras.layers.DepthwiseConv2D(3, stride, padding="same", use_bias=False)(features)
    features = keras.layers.ReLU()(keras.layers.BatchNormalization()(features))
    return _convolved(features, filters, 1, kernel=1)


def _deeper(features):
    return keras.layers.Add()([features, _separated(features, features.shape[-1], 1)])


def _seen(features):
    features = keras.layers.Conv2D(FILTERS, 1, use_bias=False)(features)
    return keras.layers.BatchNormalization()(features)


class Head:
    """The same weights look at every map: a digit looks the same on each, in strides.

    There is no normalisation, because the maps' statistics differ.
    """

    def __init__(self):
        self._layers = []
        for _ in range(2):
            self._layers.append(keras.layers.DepthwiseConv2D(3, padding="same", activation="relu"))
            self._layers.append(keras.layers.Conv2D(FILTERS, 1, activation="relu"))
        self._distances = keras.layers.Conv2D(SIDES, 1)
        start = keras.initializers.Constant(np.full(len(LABELS), RARE))
        self._scores = keras.layers.Conv2D(len(LABELS), 1, bias_initializer=start)

    def __call__(self, features):
        for layer in self._layers:
            features = layer(features)
        distances, scores = self._distances(features), self._scores(features)
        return keras.layers.Reshape((-1, SIDES))(distances), keras.layers.Reshape((-1, len(LABELS)))(scores)
