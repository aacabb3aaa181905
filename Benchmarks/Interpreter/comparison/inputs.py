"""What the contestants in Python put into a model: the same bytes as the programs in Swift."""

import numpy


def fill_input(shape, dtype):
    places = numpy.arange(numpy.prod(shape, dtype=int) * numpy.dtype(dtype).itemsize)
    data = numpy.where(places % 4 == 3, 0x3F, places * 37 % 256).astype(numpy.uint8)
    return data.view(dtype).reshape(shape)
