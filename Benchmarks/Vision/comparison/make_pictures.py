"""Makes the photos that are measured from one large one: the same scene in each size, as cameras save it.

    make_pictures.py LARGE_PHOTO FOLDER [COUNT]

Prints the paths, one a line. With COUNT, makes that many files instead, for runs over many files: five different sizes
and qualities in turn. Runs in the Python that has Pillow.
"""

import pathlib
import shutil
import sys

from PIL import Image

SIZES = [(500, 371), (1920, 1080)]
MANY = [(500, 371, 85), (640, 480, 90), (800, 600, 80), (1024, 768, 90), (1280, 720, 85)]


def scaled(photo, width, height):
    """The largest part of these proportions from the middle, at this size."""
    share = min(photo.width / width, photo.height / height)
    left, top = (photo.width - width * share) / 2, (photo.height - height * share) / 2
    box = (left, top, left + width * share, top + height * share)
    return photo.resize((width, height), Image.Resampling.LANCZOS, box=box)


def save(photo, width, height, quality, path):
    scaled(photo, width, height).save(path, quality=quality, subsampling="4:2:0")
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
        print(save(photo, width, height, 90, folder / f"{width}x{height}.jpg"))
    print(shutil.copyfile(source, folder / f"{photo.width}x{photo.height}.jpg"))


main()
