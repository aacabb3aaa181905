"""From a photo's file to labels or boxes with MediaPipe Tasks, at its default settings.

MediaPipe chooses the number of threads itself. Its work is `file`. Runs in a Python that has the package.

    mediapipe_contestant.py                       answers commands
    mediapipe_contestant.py bulk MODEL LIST       labels the files that LIST names, one a line; prints pictures a second
"""

import pathlib
import sys
import time

import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from harness.contestant import serve  # noqa: E402


class MediaPipeContestant:
    def __init__(self, task, model, picture, threads, side):
        self.picture = picture
        options = BaseOptions(model_asset_path=model)
        if task == "labels":
            classifier = vision.ImageClassifier.create_from_options(
                vision.ImageClassifierOptions(base_options=options, max_results=3))
            self.find = lambda image: classifier.classify(image).classifications[0].categories
        else:
            detector = vision.ObjectDetector.create_from_options(vision.ObjectDetectorOptions(base_options=options))
            self.find = lambda image: [found.categories[0] for found in detector.detect(image).detections]

    def works(self):
        return {"file": self.repeat}

    def repeat(self, count):
        for _ in range(count):
            self.run(self.picture)

    def run(self, path):
        return self.find(mediapipe.Image.create_from_file(path))

    def output(self):
        found = self.run(self.picture)
        return f"{found[0].category_name} {found[0].score:.4f}" if found else "nothing"


def bulk(model, list_path):
    paths = pathlib.Path(list_path).read_text().split()
    contestant = MediaPipeContestant("labels", model, paths[0], 1, 0)
    contestant.repeat(3)
    started = time.perf_counter()
    for path in paths:
        contestant.run(path)
    print(len(paths) / (time.perf_counter() - started))


if sys.argv[1:2] == ["bulk"]:
    bulk(*sys.argv[2:])
else:
    serve(MediaPipeContestant)
