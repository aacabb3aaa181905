"""From a photo's file to labels or boxes with MediaPipe Tasks, at its default settings except for a score that boxes need.

MediaPipe chooses the number of threads itself. Its work is `file`. Runs in a Python that has the package.

    mediapipe_contestant.py                       answers commands
    mediapipe_contestant.py bulk MODEL LIST       labels the files that LIST names, one a line; prints pictures a second
"""

import json
import pathlib
import sys
import time

import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[number]) for number in (1, 2)]

from comparison.job import Job  # noqa: E402
from harness.contestant import serve  # noqa: E402


class MediaPipeContestant:
    def __init__(self, *words):
        job = Job.of(*words)
        self.task, self.picture = job.task, job.picture
        options = BaseOptions(model_asset_path=job.model)
        if job.task == "labels":
            classifier = vision.ImageClassifier.create_from_options(
                vision.ImageClassifierOptions(base_options=options, max_results=3))
            self.find = lambda image: classifier.classify(image).classifications[0].categories
        else:
            stated = {} if job.threshold is None else {"score_threshold": job.threshold}
            detector = vision.ObjectDetector.create_from_options(vision.ObjectDetectorOptions(base_options=options, **stated))
            self.find = lambda image: detector.detect(image).detections

    def works(self):
        return {"file": self.repeat}

    def repeat(self, count):
        for _ in range(count):
            self.run(self.picture)

    def run(self, path):
        return self.find(mediapipe.Image.create_from_file(path))

    def output(self):
        found = self.run(self.picture)
        if self.task == "labels":
            return json.dumps([described(category) for category in found])
        return json.dumps([{**described(item.categories[0]), "box": sides(item.bounding_box)} for item in found])


def described(category):
    return {"index": category.index, "text": category.category_name, "score": category.score}


def sides(box):
    return [box.origin_x, box.origin_y, box.origin_x + box.width, box.origin_y + box.height]


def bulk(model, list_path):
    paths = pathlib.Path(list_path).read_text().split()
    contestant = MediaPipeContestant(*Job("labels", model, paths[0], 1, 0, "stretch", "bytes", None).words)
    contestant.repeat(3)
    started = time.perf_counter()
    for path in paths:
        contestant.run(path)
    print(len(paths) / (time.perf_counter() - started))


if sys.argv[1:2] == ["bulk"]:
    bulk(*sys.argv[2:])
else:
    serve(MediaPipeContestant)
