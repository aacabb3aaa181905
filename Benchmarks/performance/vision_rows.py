"""The rows of the benchmark Vision, from what it prints as JSON."""

import os

from performance.rows import Row, scaled, single

PEERS = {
    "floor": ("floor", "the fastest decode that covers the model's input and a run of the engine, each alone, in C"),
    "pillow-draft": ("LiteRT + Pillow, draft", "LiteRT in Python with Pillow's smaller decode"),
    "pillow-file": ("LiteRT + Pillow", "LiteRT in Python with Pillow, which decodes the whole photo"),
    "opencv-reduced": ("LiteRT + OpenCV, reduced", "LiteRT in Python with OpenCV's smaller decode"),
    "opencv-file": ("LiteRT + OpenCV", "LiteRT in Python with OpenCV, which decodes the whole photo"),
    "mediapipe-file": ("MediaPipe", "MediaPipe Tasks with its own number of threads"),
}


def rows(results):
    makers = (("accuracy", accuracy), ("sizes", sizes), ("pictures", pictures), ("start", start), ("bulk", bulk))
    return [row for part, maker in makers for result in results.get(part, []) for row in maker(result)]


def accuracy(result):
    photos = result["photos"]
    if result["task"] == "labels":
        agreed = [row for row in photos if row["agrees"]]
        counts = (sum(row["usual_right"] for row in agreed), len(agreed))
        what = "Photos with a known first label that get it, of all of them, as images are treated by default."
    else:
        counts = (sum(row["usual"] for row in photos), sum(row["objects"] for row in photos))
        what = "Known objects that are found, of all of them, as images are treated by default."
    yield Row(f"{result['model']}: answers", what, "photos", single(counts[0]), single(counts[1]))


def sizes(result):
    copies, plain, averaged = result["copies"], result["ways"]["plain"], result["ways"]["averaged"]
    yield Row(
        f"{result['model']}: answers at all sizes",
        f"Copies of photos, half of them with noise, that get their known first label, of {copies}, beside sampling without "
        "averaging.", "photos", single(averaged["right"]), single(plain["right"]))
    yield Row(
        f"{result['model']}: same answer at all sizes",
        f"The same copies whose first label is that of most copies of their photo, of {copies}, beside sampling without averaging.",
        "photos", single(copies - averaged["moved"]), single(copies - plain["moved"]))


def pictures(result):
    picture = os.path.basename(result["picture"]).removesuffix(".jpg")
    threads = f"{result['threads']} thread{'s' if result['threads'] > 1 else ''}"
    ours = result["times"]["hearth-file"]
    for name, values in result["times"].items():
        if name == "hearth-file":
            continue
        short, long = PEERS[name]
        title = f"{result['model']}, {picture}, {threads}: {short}"
        yield Row(
            title, f"From a photo's file to the result, beside {long}.", "s", ours["seconds"], values["seconds"],
            values["hearth_ratio"])
        # Beside the floor, that is the decode.
        if values["outside"] and name != "floor":
            guess = "; of MediaPipe, the floor's engine is taken off" if name == "mediapipe-file" else ""
            yield Row(
                f"{title}, outside the engine", f"The same without the run of the engine, beside {long}{guess}.", "s",
                ours["outside"]["seconds"], values["outside"]["seconds"], values["outside"]["hearth_ratio"])


def start(result):
    yield Row(
        f"{result['model']}: start", "From the start of the program to the first label, beside LiteRT in Python with Pillow.",
        "s", result["seconds"]["hearth"], result["seconds"]["pillow"], result["seconds"]["ratio"])
    memory = result["kibibytes"]
    yield Row(
        f"{result['model']}: memory", "The most memory until the first label, beside LiteRT in Python with Pillow.", "bytes",
        scaled(memory["hearth"], 1024), scaled(memory["pillow"], 1024), memory["ratio"])


def bulk(result):
    peers = {
        "floor": ("floors", f"{result['processes']} floor loops, one for each processor"),
        "mediapipe": ("MediaPipe", f"{result['processes']} processes of MediaPipe Tasks"),
    }
    for name, rate in result["rates"].items():
        if name == "hearth":
            continue
        short, long = peers[name]
        yield Row(
            f"{result['model']}, many photos: {short}", f"One `hearth label FOLDER` on all processors, beside {long}.",
            "images/s", result["rates"]["hearth"], rate, rate["hearth_ratio"])
