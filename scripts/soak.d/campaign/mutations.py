"""Small random changes to files, for the campaigns that feed damaged ones.

Each takes a `random.Random`, the bytes to change in place, and all files that there are to take pieces from.
"""

import struct

BOUNDARIES = (0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF)


def mutate(chance, files, mutations):
    """One of `files` with a few changes, each one of `mutations`."""
    data = bytearray(chance.choice(files))
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        chance.choice(mutations)(chance, data, files)
    return bytes(data)


def flip_bit(chance, data, _):
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def set_byte(chance, data, _):
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def set_word(chance, data, _):
    """A boundary value where offsets and lengths are: at a multiple of four, and more often near the start."""
    if len(data) >= 4:
        words = len(data) // 4
        position = 4 * int(words * chance.random() ** chance.choice((1, 3)))
        struct.pack_into("<I", data, position, chance.choice(BOUNDARIES))


def shift_word(chance, data, _):
    """An offset, a length or a table entry that is a little wrong."""
    if len(data) >= 4:
        position = 2 * chance.randrange(len(data) // 2 - 1)
        value = struct.unpack_from("<I", data, position)[0] + chance.choice((-64, -8, -4, -1, 1, 4, 8, 64))
        struct.pack_into("<I", data, position, value & 0xFFFFFFFF)


def truncate(chance, data, _):
    del data[chance.randrange(len(data) + 1):]


def remove(chance, data, _):
    start = chance.randrange(len(data) + 1)
    del data[start:start + chance.randrange(1, 64)]


def clear(chance, data, _):
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.randrange(1, 256))
    data[start:end] = bytes(end - start)


def copy_within(chance, data, _):
    if data:
        source, target = chance.randrange(len(data)), chance.randrange(len(data))
        piece = data[source:source + chance.randrange(1, 64)]
        data[target:target + len(piece)] = piece


def splice(chance, data, files):
    other = chance.choice(files)
    data[chance.randrange(len(data) + 1):] = other[chance.randrange(len(other)):]
