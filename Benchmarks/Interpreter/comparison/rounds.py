"""Measures the contestants against each other, on one model.

Times drift: other programs come and go, and so does the processor's clock. So the contestants take short turns, each
round there and back again (A B C C B A) and beginning with another one, and only times of one round are compared. Each
round makes its interpreters anew, because where memory happens to lie changes speed by a percent or two.
"""

from comparison.spread import summary
from comparison.worker import WorkerError

WORKS = ("copies", "run")
# So that the end of a turn's first call, or a short interruption, does not weigh too much.
FEWEST_CALLS = 5


class Field:
    """The contestants, each with the worker that runs it."""

    def __init__(self, workers, model, threads):
        self.workers = workers
        self.model = model
        self.threads = threads

    def order(self, number):
        names = list(self.workers)
        shift = number % len(names)
        return names[shift:] + names[:shift]

    def open(self, number=0):
        for name in self.order(number):
            self.workers[name].ask("open", name, self.model, self.threads)

    def time(self, name, work, count):
        """Nanoseconds per call."""
        return int(self.workers[name].ask("time", name, work, count)) / count

    def check_outputs(self):
        outputs = {name: worker.ask("output", name) for name, worker in self.workers.items()}
        if len(set(outputs.values())) > 1:
            raise WorkerError(f"the outputs of {', '.join(outputs)} differ, so there is nothing to compare")

    def allocations(self, name, work, count):
        return int(self.workers[name].ask("allocations", name, work, count))


def calls_within(field, milliseconds):
    per_call = field.time("c", "copies", FEWEST_CALLS)
    return max(FEWEST_CALLS, round(milliseconds * 1e6 / per_call))


def play(field, number, work, count):
    """One round: nanoseconds per call of each contestant."""
    order = field.order(number)
    times = dict.fromkeys(order, 0.0)
    for name in order + order[::-1]:
        times[name] += field.time(name, work, count) / 2
    return times


def measure(field, rounds, milliseconds):
    """Everything about one model, as plain values."""
    field.open()
    count = calls_within(field, milliseconds)
    times = {work: [] for work in WORKS}
    for number in range(rounds):
        field.open(number)
        for work in WORKS:
            times[work].append(play(field, number, work, count))
    field.check_outputs()
    counted = min(1000, calls_within(field, 500))
    return {
        "model": str(field.model),
        "calls_per_turn": count,
        "times": {work: compare(list(field.workers), times[work]) for work in WORKS},
        "calls_counted": counted,
        "allocations": {
            work: {name: field.allocations(name, work, counted) for name in ("hearth", "c")} for work in WORKS
        },
    }


def compare(names, rounds):
    result = {}
    for name in names:
        result[name] = {"nanoseconds": summary([times[name] for times in rounds])}
        if name != "hearth":
            result[name]["hearth_ratio"] = summary([times["hearth"] / times[name] for times in rounds])
            result[name]["hearth_minus_nanoseconds"] = summary([times["hearth"] - times[name] for times in rounds])
    return result
