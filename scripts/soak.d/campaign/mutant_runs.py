"""Runs mutated models in processes that crash if the check of models lets a bad one through; used by several campaigns."""

import collections
import concurrent.futures
import hashlib
import math
import random
import struct
import threading
import time

from campaign import exerciser, model_changes, model_format, small_models

BATCH = 400
# So many crashes tell enough.
ENOUGH = 200
# Operators that trust values, and which of their inputs: see docs/engine-limits.md. The check sees only those in the file.
TRUSTING = {
    "BROADCAST_ARGS": (0, 1), "DILATE": (1,), "EMBEDDING_LOOKUP_SPARSE": (0, 1, 2), "RESIZE_NEAREST_NEIGHBOR": (1,),
    "REVERSE_SEQUENCE": (1,), "SOFTMAX": (0,), "TRANSPOSE": (1,),
}


class MutantRuns:
    """Mutants of models until enough have passed the check, and what has come of them.

    `chosen` has the campaign's `program`, `count`, `workers`, `seconds`, `seed` and the folder `keep` for models that crash.
    Most mutants are made from `made`, some from `found`; `environment` is the program's."""

    def __init__(self, campaign, chosen, made, found=(), environment=None):
        self.campaign, self.environment = campaign, environment
        self.chosen, self.made, self.found = chosen, made, found
        self.lock = threading.Lock()
        self.next, self.passed = 0, 0
        self.outcomes, self.crashes = collections.Counter(), []
        self.crashes_of_data = collections.Counter()
        self.begin = time.monotonic()

    def model(self, number):
        """The mutated model of a number, the same on every run."""
        chance = random.Random(self.chosen.seed * 1_000_003 + number)
        while True:
            base = chance.choice(self.found if self.found and chance.random() < 0.15 else self.made)
            try:
                return model_format.write(model_changes.mutate(chance, base, self.made))
            except (struct.error, IndexError, ValueError, KeyError, TypeError):
                # A change that no longer fits the change before it.
                continue

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.chosen.workers) as pool:
            for future in [pool.submit(self._work) for _ in range(self.chosen.workers)]:
                future.result()

    def summary(self):
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.most_common())
        of_data = ", ".join(f"{count} {name}" for name, count in sorted(self.crashes_of_data.items()))
        return f"{counts}; crashes that depend on values: {of_data or 'none'}"

    def _exerciser(self):
        return exerciser.Exerciser(self.chosen.program, self.chosen.seconds, self.environment)

    def _work(self):
        with self._exerciser() as worker:
            while (number := self.take()) is not None:
                data = self.model(number)
                try:
                    answer = worker.ask(data)
                    self.note(answer.split(" ")[0])
                    if len(worker.batch) >= BATCH:
                        worker.stop()
                except exerciser.TooSlow:
                    self.note("out of time")
                except exerciser.Crash as crash:
                    self.note("crash")
                    self.keep(number, worker.batch, str(crash))

    def take(self):
        with self.lock:
            if self.passed >= self.chosen.count or len(self.crashes) >= ENOUGH:
                return None
            self.next += 1
            return self.next - 1

    def note(self, outcome):
        with self.lock:
            self.outcomes[outcome] += 1
            if outcome == "refused":
                return
            self.passed += 1
            if self.passed % 1000 == 0:
                seconds = time.monotonic() - self.begin
                print(
                    f"{self.campaign}: {self.passed} of {self.chosen.count} passed the check, {len(self.crashes)} crashes, "
                    f"{seconds:.0f} s", flush=True)

    def keep(self, number, batch, text):
        found = exerciser.culprit(self.chosen.program, self.chosen.seconds, batch, self.environment)
        data, text = found or (batch[-1], f"{text} (not seen again)")
        if operators := self.depends_on_values(data):
            with self.lock:
                self.crashes_of_data[operators] += 1
            return
        self.chosen.keep.mkdir(parents=True, exist_ok=True)
        path = self.chosen.keep / f"{hashlib.sha256(data).hexdigest()[:12]}.tflite"
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(f"{text}\n{describe(data)}\n")
        with self.lock:
            settings = "".join(f"{name}={value} " for name, value in (self.environment or {}).items())
            self.crashes.append(f"input {number}: {text}; repeat: {settings}{self.chosen.program} {path}")

    def depends_on_values(self, data):
        """The operators whose calculated values crash a model, or None: with harmless constants there it passes the check and
        does not crash."""
        harmless = without_values(data)
        if not harmless:
            return None
        with self._exerciser() as worker:
            try:
                for _ in range(5):
                    if worker.ask(harmless[0]).startswith("refused"):
                        return None
            except exerciser.TooSlow:
                pass
            except exerciser.Crash:
                return None
        return harmless[1]


def trusting_operators(model):
    """The names of the operators that trust calculated values, each with the tensors that hold them."""
    found = []
    for graph in model.get(2, []):
        for operator in graph.get(3, []):
            code = model[1][operator.get(0, 0)]
            number = max(code.get(0, 0), code.get(3, 0))
            name = small_models.OPERATORS[number] if number < len(small_models.OPERATORS) else ""
            places = [
                place for place in TRUSTING.get(name, ())
                if not model[4][graph[0][operator[1][place]].get(2, 0)].get(0)]
            if places and name == "EMBEDDING_LOOKUP_SPARSE":
                # They go together: harmless lengths are so for harmless indices only.
                places = TRUSTING[name]
            if places:
                found.append((name, graph, operator, places))
    return found


def without_values(data):
    """The model with harmless constants where such an operator reads calculated values, and the operators' names; None where
    it has none."""
    model = model_format.read(data)
    found = trusting_operators(model)
    for name, graph, operator, places in found:
        for place in places:
            number = operator[1][place]
            # Nothing is reversed; of what SOFTMAX (float32) reads, only the size matters; all other values are lengths or
            # sizes, or indices below them.
            value = 0 if name == "REVERSE_SEQUENCE" or name == "EMBEDDING_LOOKUP_SPARSE" and place < 2 else 1
            tensor = {key: kept for key, kept in graph[0][number].items() if key in (0, 1, 3, 8)}
            # No shape says that it is known in the run only; of a constant it would say that it is a scalar.
            tensor[0] = tensor.get(0) or [1]
            width = 8 if tensor.get(1) == small_models.TYPES["i64"] else 4
            count = math.prod(max(length, 0) for length in tensor[0])
            tensor[2] = len(model[4])
            # Dimensions stay where they are.
            values = range(count) if name == "TRANSPOSE" else [value] * count
            model[4].append({0: b"".join(each.to_bytes(width, "little") for each in values)})
            operator[1][place] = len(graph[0])
            graph[0].append(tensor)
    return (model_format.write(model), "+".join(sorted({name for name, *_ in found}))) if found else None


def describe(data):
    """The operators of a model with their operands, for study."""
    model = model_format.read(data)
    names = {number: name for name, number in small_models.TYPES.items()}
    lines = []
    for graph in model.get(2, []):
        def text(number, graph=graph):
            if number < 0:
                return "-"
            tensor = graph[0][number]
            buffer = model[4][tensor.get(2, 0)].get(0, b"")
            constant = f"={buffer[:24].hex()}" if buffer else "~" if tensor.get(5) else ""
            scales = tensor.get(4, {}).get(2)
            place = "in:" if number in graph.get(1, []) else ""
            scale = f"@{scales[0]:g}:{tensor[4].get(3)}x{len(scales)}" if scales else ""
            return f"{place}{names.get(tensor.get(1, 0), tensor.get(1))}{tensor.get(0, [])}{constant}{scale}".replace(" ", "")
        for operator in graph.get(3, []):
            code = model[1][operator.get(0, 0)]
            number = max(code.get(0, 0), code.get(3, 0))
            lines.append(
                f"{small_models.OPERATORS[number] if number < len(small_models.OPERATORS) else number}"
                f":{code.get(2, 1)} {' '.join(map(text, operator.get(1, [])))} > {' '.join(map(text, operator.get(2, [])))}"
                f" | {operator.get(3, operator.get(11, ''))} {operator.get(4, operator.get(12, ''))}")
        lines.append("//")
    return "\n".join(lines)
