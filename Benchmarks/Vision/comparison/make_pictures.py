"""Makes the photos that are measured from one: the same scene in each size, as cameras save it.

    make_pictures.py PHOTO FOLDER [COUNT]

Prints the paths, one a line. With COUNT, makes that many files instead, for runs over many files: five different sizes
and qualities in turn. Runs in the Python that has Pillow.
"""

import pathlib
import shutil
import sys

import numpy
from PIL import Image

SIZES = [(500, 371), (1920, 1080), (4096, 3040)]
MANY = [(500, 371, 85), (640, 480, 90), (800, 600, 80), (1024, 768, 90), (1280, 720, 85)]


def scaled(photo, width, height):
    """The largest part of these proportions from the middle, at this size."""
    share = min(photo.width / width, photo.height / height)
    left, top = (photo.width - width * share) / 2, (photo.height - height * share) / 2
    box = (left, top, left + width * share, top + height * share)
    return photo.resize((width, height), Image.Resampling.LANCZOS, box=box)


def whole(photo, width, height):
    """All of it at this size; what the proportions leave free continues its edges."""
    share = max(photo.width / width, photo.height / height)
    margins = [round(length * share) - own for length, own in ((height, photo.height), (width, photo.width))]
    around = [(margin // 2, margin - margin // 2) for margin in margins]
    continued = numpy.pad(numpy.asarray(photo), (*around, (0, 0)), mode="edge")
    return Image.fromarray(continued).resize((width, height), Image.Resampling.LANCZOS)


def save(photo, width, height, quality, path):
    # Of a small one, such as a page of digits, nothing may be cut off.
    shaped = whole if photo.width < SIZES[-1][0] else scaled
    shaped(photo, width, height).save(path, quality=quality, subsampling="4:2:0")
    return path


def main():
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    photo = Image.open(source).convert("RGB")
    if len(sys.argv) > 3:
        kinds = [save(photo, *kind, folder / f"kind_{number}.jpg") for number, kind in enumerate(MANY)]
        for number in range(int(sys.argv[3])):
            print(shutil.copyfile(kinds[number % len(kinds)], folder / f"photo_{number:05}.jpg"))
        for path in kinds:
            path.unlink()
        return
    for width, height in SIZES:
        path = folder / f"{width}x{height}.jpg"
        print(shutil.copyfile(source, path) if photo.size == (width, height) else save(photo, width, height, 90, path))


main()
