"""Accuracy as an app gets it: through LiteRT, from the finished file, on digits that training never saw."""

from collections import Counter

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from .digits import LABELS, Digits
from .network import normalised
from .pictures import coloured_bytes, plain_bytes, varied_ink

VARIED_COPIES = 10
VARIED_SEED = 7


def held_out_pictures(held_out: Digits) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The sets that every model is measured on: name -> (RGB bytes [N, side, side, 3], digits [N])."""
    rng = np.random.default_rng(VARIED_SEED)
    varied = coloured_bytes(varied_ink(held_out.ink, VARIED_COPIES, rng), rng)
    return {
        "plain": (plain_bytes(held_out.ink, inverted=False), held_out.labels),
        "inverted": (plain_bytes(held_out.ink, inverted=True), held_out.labels),
        "varied": (varied, np.repeat(held_out.labels, VARIED_COPIES)),
    }


def scores(model: bytes, rgb: np.ndarray) -> np.ndarray:
    """The model's scores, float32 [N, 10], for RGB bytes [N, side, side, 3], one picture at a time."""
    interpreter = Interpreter(model_content=model, num_threads=1)
    interpreter.allocate_tensors()
    source, target = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    pictures = rgb if source["dtype"] == np.uint8 else normalised(rgb)
    results = np.empty((len(rgb), len(LABELS)), np.float32)
    for index, picture in enumerate(pictures):
        interpreter.set_tensor(source["index"], picture[None])
        interpreter.invoke()
        results[index] = interpreter.get_tensor(target["index"])[0]
    if target["dtype"] == np.uint8:
        scale, zero_point = target["quantization"]
        results = (results - zero_point) * np.float32(scale)
    return results


def measured(model: bytes, pictures: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict:
    """Correct answers, accuracy and the most frequent mistakes on each set."""
    return {name: _summary(scores(model, rgb), digits) for name, (rgb, digits) in pictures.items()}


def _summary(found: np.ndarray, digits: np.ndarray) -> dict:
    best = found.argmax(axis=1)
    right = best == digits
    mistakes = Counter(f"{LABELS[true]} read as {LABELS[read]}" for true, read in zip(digits[~right], best[~right]))
    return {
        "pictures": len(digits),
        "correct": int(right.sum()),
        "accuracy": round(float(right.mean()), 4),
        "mean_score_when_correct": round(float(found.max(axis=1)[right].mean()), 3),
        "confusions": dict(sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))[:5]),
    }
