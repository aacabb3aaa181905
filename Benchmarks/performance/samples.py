"""What the benchmarks print as JSON, as small as it can be, for the tests."""

MACHINE = {
    "processor": "Fast Processor", "processors": 2, "memory_bytes": 8 * 2**30, "kernel": "Linux 6.1",
    "compiler": "Swift version 6.2", "load": 0.25}


def around(value, share=0.1):
    return {"median": value, "low": value * (1 - share), "high": value * (1 + share)}


def timed(nanoseconds, ratio):
    return {"nanoseconds": around(nanoseconds), "hearth_ratio": around(ratio), "hearth_minus_nanoseconds": around(1)}


INTERPRETER = {
    "benchmark": "Interpreter", "machine": MACHINE, "settings": {"rounds": 15, "milliseconds": 20, "threads": 1},
    "left_out": ["ONNX Runtime, Python with Fixtures/add.tflite: it cannot be converted"],
    "models": [{
        "model": "somewhere/digits/model.tflite", "calls_counted": 500,
        "times": {
            "copies": {
                "hearth": {"nanoseconds": around(2e6)}, "c": timed(2e6, 1.0), "python": timed(4e6, 0.5),
                "openvino": timed(1e6, 2.0)},
            "run": {"hearth": {"nanoseconds": around(1500)}, "c": timed(1500, 1.0)}},
        "allocations": {"copies": {"hearth": 50, "c": 0}}}]}

CRASH_GUARD = {
    "benchmark": "CrashGuard", "machine": MACHINE, "settings": {"rounds": 15, "milliseconds": 20}, "left_out": [],
    "pairs": [{
        "name": "use that succeeds", "meaning": "One use, beside the marks alone.", "ours": around(150), "peer": around(15),
        "ratio": around(10), "difference": around(135)}]}

def outside(seconds, ratio):
    return {"seconds": around(seconds), "hearth_ratio": around(ratio)}


VISION = {
    "benchmark": "Vision", "machine": MACHINE, "settings": {"rounds": 5, "milliseconds": 60, "photos": 400}, "left_out": [],
    "accuracy": [
        {"model": "flowers", "task": "labels", "photos": [
            {"agrees": True, "usual_right": True}, {"agrees": True, "usual_right": False},
            {"agrees": False, "usual_right": False}]},
        {"model": "salad", "task": "boxes", "photos": [{"objects": 4, "usual": 3}, {"objects": 1, "usual": 1}]}],
    "sizes": [{
        "model": "flowers", "photos": 2, "copies": 12, "ways": {
            "averaged": {"right": 11, "moved": 1, "spread": 0.05}, "plain": {"right": 10, "moved": 3, "spread": 0.09}}}],
    "pictures": [{
        "model": "flowers", "picture": "somewhere/500x371.jpg", "threads": 2, "times": {
            "hearth-file": {"seconds": around(0.004), "hearth_ratio": around(1), "outside": outside(0.001, 1)},
            "pillow-file": {"seconds": around(0.008), "hearth_ratio": around(0.5), "outside": outside(0.004, 0.25)},
            "mediapipe-file": {"seconds": around(0.005), "hearth_ratio": around(0.8), "outside": outside(0.002, 0.5)},
            "opencv-file": {"seconds": around(0.004), "hearth_ratio": around(1), "outside": None},
            "floor": {"seconds": around(0.0039), "hearth_ratio": around(1.02), "outside": outside(0.0009, 1.1)}}}],
    "start": [{
        "model": "flowers", "seconds": {"hearth": around(0.02), "pillow": around(0.2), "ratio": around(0.1)},
        "kibibytes": {"hearth": around(40960), "pillow": around(81920), "ratio": around(0.5)}}],
    "bulk": [{
        "model": "flowers", "processes": 2, "rates": {
            "hearth": around(200), "floor": {**around(220), "hearth_ratio": around(0.9)}}}]}


def served(**figures):
    rows = {name: around(value) for name, value in figures.items()}
    return {**rows, "ratios": {name: around(0.5) for name in figures}, "resident_bytes": 2**24, "memory_ratio": 1.5}


SILENT = {"nothing": "no answer", "resident_bytes": 0}
FETCHES = {state: served(answers=9000, p50=1, p99=2, processor=1e-5) for state in ("304", "200")}

SERVER = {
    "benchmark": "Server", "machine": MACHINE, "settings": {"rounds": 5, "seconds": 2, "installations": 10000},
    "left_out": [],
    "answers": [{
        "title": ":download, TLS", "figure": "answers", "peer": "nginx", "connections": 64, "rows": {
            "Hearth, 304": served(answers=20000, p50=1000, p99=4000, processor=5e-5), "Hearth, 200": SILENT,
            "nginx": served(answers=40000, p50=500, p99=2000, processor=2e-5)}}],
    "bytes": [{
        "title": "bytes, TLS", "figure": "bytes", "peer": "nginx", "connections": 16, "rows": {
            "Hearth": served(bytes=1e9, p50=1000, p99=4000, processor=5e-2), "nginx": SILENT}}],
    "crowd": {"connections": 8, "rows": {
        "alone": served(p50=100, p99=300), "beside 1,000 idle connections": served(p50=100, p99=310)}},
    "size": {"connections": 8, "rows": {"hardly anything stored": served(p50=100, p99=300), "much": served(p50=110, p99=320)}},
    "configuration": {
        "connections": 64, "download": FETCHES, "conditions": {"10": {"bytes": 100, **FETCHES}},
        "experiments": {"1": {"bytes": 100, "304": SILENT, "200": FETCHES["200"]}},
        "compression": {"plain": {"bytes": 100, **FETCHES["200"]}, "gzip": {"bytes": 20, **FETCHES["200"]}}}}

ALL = {sample["benchmark"]: sample for sample in (INTERPRETER, CRASH_GUARD, VISION, SERVER)}
