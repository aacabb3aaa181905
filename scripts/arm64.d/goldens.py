#!/usr/bin/env python3
"""Makes the golden results of the shared data again, with Google's own interpreter on this machine's processor.

usage: scripts/arm64.d/goldens.py inputs DATA INPUTS
       scripts/arm64.d/goldens.py results DATA INPUTS RESULTS

`inputs` makes the models' inputs of every picture (Pillow, OpenCV), and holds each against the hash that DATA's goldens have
of it. `results` runs the models (ai-edge-litert), writes the goldens to RESULTS, and prints how they differ from DATA's. The
two may run on different processors: an input is the same bytes everywhere, a result is not.
"""

import functools
import hashlib
import json
import pathlib
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy

METHODS = ("half_pixel_bilinear", "pillow_bilinear")
KINDS = ("classify", "detect")


def digest(data):
    return hashlib.sha256(data).hexdigest()


def golden_files(data, *kinds):
    for file in sorted((data / "goldens").glob("*.json")):
        if file.name.split("_")[0] in kinds:
            yield file, json.loads(file.read_text())


# --- inputs --------------------------------------------------------------------------------------


def upright(path):
    """The picture's RGB bytes, as the goldens' description says."""
    from PIL import Image, ImageOps

    with Image.open(path) as opened:
        picture = ImageOps.exif_transpose(opened)
        if picture.mode.startswith("I"):
            picture = Image.fromarray((numpy.asarray(picture).astype(numpy.uint32) >> 8).astype(numpy.uint8))
        if picture.mode == "P":
            picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
        return picture.convert("RGB")


def resized(picture, method, width, height):
    import cv2
    from PIL import Image

    if method == "pillow_bilinear":
        return numpy.asarray(picture.resize((width, height), Image.Resampling.BILINEAR))
    return cv2.resize(numpy.asarray(picture), (width, height), interpolation=cv2.INTER_LINEAR)


def make_inputs(data, folder):
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    made, other = 0, []
    for _, golden in golden_files(data, "track"):
        for frame in golden["engines"]["xnnpack"]:
            # The frames have the model's own size.
            content = (data / frame["image"]).read_bytes()
            (folder / digest(content)).write_bytes(Image.open(data / frame["image"]).convert("RGB").tobytes())
    for file, golden in golden_files(data, *KINDS):
        _, height, width, _ = golden["input"]["shape"]
        for entry in golden["images"]:
            if entry.get("alpha", "dropped") != "dropped":
                continue
            picture = upright(data / entry["image"])
            for method in METHODS:
                pixels = resized(picture, method, width, height)
                if golden["input"]["dtype"] == "float32":
                    pixels = (pixels.astype(numpy.float32) - numpy.float32(127.5)) / numpy.float32(127.5)
                content = pixels.tobytes()
                if digest(content) != entry["input_sha256"][method]:
                    other.append(f"{file.stem} {entry['image']} {method}")
                    continue
                (folder / digest(content)).write_bytes(content)
                made += 1
    print(f"goldens: {made} inputs are those of the goldens, {len(other)} are not")
    for line in other:
        print(f"goldens: another input: {line}")


# --- results -------------------------------------------------------------------------------------


@functools.cache
def interpreter(path, builtin):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES if builtin else OpResolverType.AUTO
    return Interpreter(model_path=str(path), num_threads=1, experimental_op_resolver_type=kind)


def outputs_of(model, content):
    """The outputs of a model with one input."""
    model.allocate_tensors()
    description = model.get_input_details()[0]
    model.set_tensor(description["index"], numpy.frombuffer(content, description["dtype"]).reshape(description["shape"]))
    model.invoke()
    return [model.get_tensor(output["index"]) for output in model.get_output_details()]


def labels_of(golden, outputs, names):
    raw = outputs[0].reshape(-1)
    described = golden["outputs"][0]
    is_quantized = described["dtype"] != "float32"
    if is_quantized:
        scale, zero = described["quantization"]["scale"], described["quantization"]["zero_point"]
        scores = [float(scale * (int(value) - zero)) for value in raw]
    else:
        scores = [float(value) for value in raw]
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    labels = [{"index": index, "label": names[index], "score": scores[index]} for index in order]
    if is_quantized:
        for label in labels:
            label["raw"] = int(raw[label["index"]])
    return labels


def boxes_of(outputs, width, height, names, least, has_offset):
    boxes, classes, scores, _ = (output.reshape(output.shape[1:]) if output.ndim > 1 else output for output in outputs)
    found = []
    for (top, left, bottom, right), number, score in zip(boxes.tolist(), classes.tolist(), scores.tolist()):
        if score < least or len(found) == 10:
            continue
        number = int(number)
        box = {"class_index": number, "label": names.get(number), "score": score, "left": round(left * width, 3),
               "top": round(top * height, 3), "right": round(right * width, 3), "bottom": round(bottom * height, 3)}
        if has_offset:
            box["label_offset_1"] = names.get(number + 1)
        found.append(box)
    return found


def as_listed(item):
    """DATA's goldens list eight decimals."""
    return {name: round(value, 8) if name == "score" else value for name, value in item.items()}


class Differences:
    """How one golden file differs from DATA's, for a line of the table."""

    def __init__(self):
        self.results = self.equal = self.firsts = 0
        self.most = 0.0
        self.notes = []

    def add(self, before, now):
        self.results += 1
        self.equal += before == [as_listed(item) for item in now]
        if not before or not now:
            if before != now:
                self.notes.append(f"{len(before)} found before, {len(now)} now")
            return
        key = "index" if "index" in now[0] else "class_index"
        if before[0][key] != now[0][key]:
            self.firsts += 1
        if key == "index":
            scores = {label["index"]: label["score"] for label in before}
            self.most = max(self.most, max(abs(scores.get(label["index"], 0) - label["score"]) for label in now))
        else:
            self.most = max(self.most, abs(before[0]["score"] - now[0]["score"]))
            if len(before) != len(now):
                self.notes.append(f"{len(before)} found before, {len(now)} now")


def is_background(golden):
    return any("label_offset_1" in box for entry in golden["images"] for boxes in entry["results"].values() for box in boxes)


def label_names(data, golden):
    return (data / golden["labels_file"]).read_text().splitlines()


def renew_images(data, inputs, file, golden, differences):
    model = interpreter(data / golden["model"], False)
    kept = []
    for entry in golden["images"]:
        if entry.get("alpha", "dropped") != "dropped":
            continue
        results, entry["scores"] = {}, {}
        for method in METHODS:
            content = inputs / entry["input_sha256"][method]
            before = entry["results"].get(method)
            if before is None or not content.exists():
                continue
            outputs = outputs_of(model, content.read_bytes())
            if file.name.startswith("classify"):
                everything = labels_of(golden, outputs, label_names(data, golden))
                results[method] = everything[:len(before)]
                entry["scores"][method] = [label["score"] for label in sorted(everything, key=lambda label: label["index"])]
                names = {label["index"]: label["label"] for label in before}
                for label in results[method]:
                    label["label"] = names.get(label["index"], label["label"])
            else:
                names = dict(enumerate(label_names(data, golden)))
                results[method] = boxes_of(outputs, *entry["upright_size"], names, 0.25, is_background(golden))
            differences.add(before, results[method])
        if len(results) < len(METHODS):
            continue
        entry["results"] = results
        if "top1_agrees" in entry:
            entry["top1_agrees"] = entry["top1_agrees"] and len({labels[0]["index"] for labels in results.values()}) == 1
        kept.append(entry)
    golden["images"] = kept


def value_by_rule(count, number, dtype):
    values = (7 * numpy.arange(count) + 13 * number) % 251
    if dtype == "uint8":
        return values.astype(numpy.uint8)
    if dtype == "bool":
        return values % 2 == 1
    if dtype == "int16":
        return ((values - 125) * 200).astype(numpy.int16)
    if dtype == "float32":
        return (values - 125).astype(numpy.float32) / numpy.float32(128)
    return (values - 125).astype(dtype)


def described(name, value):
    if value.dtype.kind in "OS":
        return {"name": name, "dtype": "string", "shape": list(value.shape), "values": [text.decode() for text in value.reshape(-1)]}
    return {"name": name, "dtype": str(value.dtype), "shape": list(value.shape), "sha256": digest(value.tobytes()),
            "first16": value.reshape(-1)[:16].tolist()}


def run_raw(path, run, builtin):
    """What the interpreter gives for one entry of raw_tensors.json: a list of outputs, or one of such lists for several runs."""
    model = interpreter(path, builtin)
    given = run.get("input_values", {})
    if "signature" in run:
        runner = model.get_signature_runner(run["signature"])
        inputs = {}
        for number, (name, detail) in enumerate(sorted(runner.get_input_details().items())):
            if name in given:
                inputs[name] = numpy.array([given[name]], dtype=object)
            else:
                dtype = numpy.dtype(detail["dtype"]).name
                inputs[name] = value_by_rule(int(numpy.prod(detail["shape"])), number, dtype).reshape(detail["shape"])
        answer = runner(**inputs)
        return [described(name, numpy.asarray(answer[name])) for name in sorted(answer)]
    details = model.get_input_details()
    for number, shape in run.get("resize_inputs_to", {}).items():
        model.resize_tensor_input(details[int(number)]["index"], shape)
    model.allocate_tensors()
    details = model.get_input_details()

    def once():
        for number, detail in enumerate(details):
            if str(number) in given:
                values = given[str(number)]
                value = numpy.array(values, dtype=object if isinstance(values[0], str) else detail["dtype"]).reshape(detail["shape"])
            else:
                dtype = numpy.dtype(detail["dtype"]).name
                value = value_by_rule(int(numpy.prod(detail["shape"])), number, dtype).reshape(detail["shape"])
            model.set_tensor(detail["index"], value)
        model.invoke()
        return [described(output["name"], numpy.asarray(model.get_tensor(output["index"]))) for output in model.get_output_details()]

    if "invokes" not in run:
        return once()
    several = [once(), once(), once()]
    model.reset_all_variables()
    return [*several, once()]


def renew_raw(data, golden, differences):
    for run in golden["runs"]:
        for engine in ("xnnpack", "builtin"):
            before = run.get("outputs", {}).get(engine)
            if not isinstance(before, list):
                continue
            differences.results += 1
            try:
                # In a process of its own, because an engine may crash.
                with ProcessPoolExecutor(1) as process:
                    now = process.submit(run_raw, data / run["model"], run, engine == "builtin").result()
            except BrokenProcessPool:
                differences.notes.append(f"{run['model'].split('/')[-1]} {engine}: Google's interpreter crashed")
                continue
            hashes = [[output.get("sha256") for output in group] for group in (before if isinstance(before[0], list) else [before])]
            renewed = [[output.get("sha256") for output in group] for group in (now if isinstance(now[0], list) else [now])]
            differences.equal += hashes == renewed
            if hashes != renewed:
                differences.notes.append(f"{run['model'].split('/')[-1]} {engine}")
            run["outputs"][engine] = now


def renew_track(data, inputs, golden, differences):
    names = {}
    for engine, frames in golden["engines"].items():
        model = interpreter(data / golden["model"], engine == "builtin")
        model.allocate_tensors()
        details = model.get_input_details()
        state = {}
        for frame in frames:
            names |= {box["class_index"]: box["label"] for box in frame["detections"]}
            content = (inputs / digest((data / frame["image"]).read_bytes())).read_bytes()
            pixels = numpy.frombuffer(content, numpy.uint8).reshape(256, 256, 3)
            for detail in details:
                if detail["shape"][-1] == 3:
                    model.set_tensor(detail["index"], pixels[None])
                else:
                    kind = "lstm_c" if "lstm_c" in detail["name"] or detail["name"].endswith("c") else "lstm_h"
                    model.set_tensor(detail["index"], state.get(kind, numpy.zeros(detail["shape"], detail["dtype"])))
            model.invoke()
            boxes = [model.get_tensor(output["index"]) for output in model.get_output_details() if output["shape"][-1] != 320]
            states = [model.get_tensor(output["index"]) for output in model.get_output_details() if output["shape"][-1] == 320]
            state = dict(zip(("lstm_c", "lstm_h"), states))
            before = frame["detections"]
            frame["detections"] = boxes_of(boxes, 256, 256, names, 0.3, False)
            differences.add(before, frame["detections"])


def make_results(data, inputs, folder):
    (folder / "goldens").mkdir(parents=True, exist_ok=True)
    for entry in ("images", "models"):
        shutil.copytree(data / entry, folder / entry, dirs_exist_ok=True)
    print(f"{'goldens':30} {'results':>8} {'equal':>6} {'most':>9} {'other first':>12}")
    for file in sorted((data / "goldens").glob("*.json")):
        golden = json.loads(file.read_text())
        differences = Differences()
        kind = file.name.split("_")[0]
        if kind in KINDS:
            renew_images(data, inputs, file, golden, differences)
        elif kind == "raw":
            renew_raw(data, golden, differences)
        elif kind == "track":
            renew_track(data, inputs, golden, differences)
        (folder / "goldens" / file.name).write_text(json.dumps(golden, ensure_ascii=False))
        print(f"{file.stem:30} {differences.results:8} {differences.equal:6} {differences.most:9.6f} {differences.firsts:12}", flush=True)
        for note in sorted(set(differences.notes)):
            print(f"    {note}", flush=True)
    # Last, because whoever looks for the results looks for this file.
    (folder / "README.md").write_bytes((data / "README.md").read_bytes())


def main():
    match sys.argv[1:]:
        case ["inputs", data, inputs]:
            make_inputs(pathlib.Path(data), pathlib.Path(inputs))
        case ["results", data, inputs, results]:
            make_results(pathlib.Path(data), pathlib.Path(inputs), pathlib.Path(results))
        case _:
            sys.exit(__doc__)


main()
