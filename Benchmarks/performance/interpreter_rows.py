"""The rows of the benchmark Interpreter, from what it prints as JSON."""

from performance.rows import Row, scaled, single

PEERS = {
    "c": ("LiteRT in C", "the same calls on LiteRT's C interface"),
    "python": ("LiteRT in Python", "LiteRT's Python interpreter"),
    "openvino": ("OpenVINO", "OpenVINO, which reads the same file"),
    "onnxruntime": ("ONNX Runtime", "ONNX Runtime, with the model converted to ONNX"),
}
WORKS = {
    "copies": ("copy, run, copy", "One call that copies the inputs in, runs the model and copies the outputs out"),
    "run": ("run", "One run of the model alone"),
}


def rows(results):
    return [row for model in results["models"] for row in (*times(model), *allocations(model))]


def times(model):
    for work, contestants in model["times"].items():
        for name, values in contestants.items():
            if name == "hearth":
                continue
            short, long = PEERS[name]
            yield Row(
                f"{title(model)}, {WORKS[work][0]}: {short}", f"{WORKS[work][1]}, beside {long}.", "s",
                scaled(contestants["hearth"]["nanoseconds"], 1e-9), scaled(values["nanoseconds"], 1e-9),
                values["hearth_ratio"])


def allocations(model):
    for work, counts in model["allocations"].items():
        ours, peer = (single(counts[name] * 1000 / model["calls_counted"]) for name in ("hearth", "c"))
        yield Row(
            f"{title(model)}, {WORKS[work][0]}: allocations",
            "Heap allocations of 1,000 such calls, beside LiteRT's C interface.", "calls", ours, peer)


def title(model):
    """The file's folder tells more than its name, which is often the same."""
    folder, _, name = model["model"].rpartition("/")
    return folder.rpartition("/")[2] if name == "model.tflite" else name.removesuffix(".tflite")
