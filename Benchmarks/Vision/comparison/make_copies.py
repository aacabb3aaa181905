"""Makes smaller and smaller copies of photos, without loss, so that nothing but the size differs; and each once more with
noise as of a camera.

    make_copies.py FOLDER SIDE PHOTO...

Prints a JSON object: for each photo the paths of its copies, none smaller than SIDE. Runs in the Python that has Pillow.
"""

import json
import pathlib
import sys

import numpy
from PIL import Image

SHARES = (1, 0.71, 0.5, 0.35, 0.25, 0.18, 0.125, 0.09)
# Larger ones would take most of the time, and show nothing that this does not.
MOST_PIXELS = 2_000_000
# Standard deviation of each channel, of 255: a phone's camera indoors.
NOISE = 8


def main():
    folder, side = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    made = {}
    random = numpy.random.default_rng(1)
    for name in sys.argv[3:]:
        photo = Image.open(name).convert("RGB")
        largest = min(1, (MOST_PIXELS / (photo.width * photo.height)) ** 0.5)
        sizes = [(round(photo.width * largest * share), round(photo.height * largest * share)) for share in SHARES]
        made[name] = []
        for number, size in enumerate(size for size in sizes if min(size) >= side):
            path = folder / f"{pathlib.Path(name).stem}-{number}.png"
            copy = photo.resize(size, Image.Resampling.LANCZOS)
            noisy = numpy.asarray(copy) + random.normal(0, NOISE, (copy.height, copy.width, 3))
            for picture, kind in ((copy, "clean"), (Image.fromarray(noisy.clip(0, 255).astype(numpy.uint8)), "noisy")):
                file = path.with_stem(f"{path.stem}-{kind}")
                picture.save(file, compress_level=1)
                made[name].append(str(file))
    print(json.dumps(made))


main()
