"""Measures the contestants against each other, on one model.

Times drift: other programs come and go, and so does the processor's clock. So the contestants take short turns, each
round there and back again (A B C C B A) and beginning with another one, and only times of one round are compared. Each
round makes its interpreters anew, because where memory happens to lie changes speed by a percent or two.
"""

from dataclasses import dataclass

from harness.agreement import disagreement
from harness.spread import summary
from harness.worker import WorkerError

WORKS = ("copies", "run")
# Short enough that most batches end before another program interrupts them; long enough to be timed.
BATCH_NANOSECONDS = 50_000
FEWEST_BATCHES = 5


@dataclass(frozen=True)
class Pace:
    """A turn: so many batches of so many calls each."""

    calls: int
    batches: int

    @staticmethod
    def within(milliseconds, per_call):
        calls = max(1, round(BATCH_NANOSECONDS / per_call))
        return Pace(calls, max(FEWEST_BATCHES, round(milliseconds * 1e6 / (calls * per_call))))

    @property
    def total(self):
        return self.calls * self.batches


class Field:
    """The contestants, each with the worker that runs it. Those with the same engine must give the same answer to the byte;
    `others` have engines of their own, and take part in what they can read and answer alike."""

    def __init__(self, workers, others, model, threads):
        self.workers = dict(workers)
        self.others = others
        self.model = model
        self.threads = threads

    def admit(self):
        """Lets the other engines in that agree; says of the rest why they are left out."""
        left_out = {}
        if not self.others:
            return left_out
        self.open()
        for name in self.workers:
            self.time(name, "copies", Pace(1, 1))
        expected, element = (self.workers["python"].ask(question, "python") for question in ("output", "element"))
        for name, worker in self.others.items():
            try:
                worker.ask("open", name, self.model, self.threads)
                reason = disagreement(expected, worker.ask("output", name), element)
            except WorkerError as error:
                reason = str(error).removeprefix(f"{name}: ")
            if reason:
                left_out[name] = reason
            else:
                self.workers[name] = worker
        return left_out

    def order(self, number):
        names = list(self.workers)
        shift = number % len(names)
        return names[shift:] + names[:shift]

    def open(self, number=0):
        for name in self.order(number):
            self.workers[name].ask("open", name, self.model, self.threads)

    def time(self, name, work, pace):
        """Nanoseconds per call."""
        return int(self.workers[name].ask("time", name, work, pace.calls, pace.batches)) / pace.calls

    def check_outputs(self):
        outputs = {name: worker.ask("output", name) for name, worker in self.workers.items() if name not in self.others}
        if len(set(outputs.values())) > 1:
            raise WorkerError(f"the outputs of {', '.join(outputs)} differ, so there is nothing to compare")

    def allocations(self, name, work, count):
        return int(self.workers[name].ask("allocations", name, work, count))


def play(field, number, work, pace):
    """One round: nanoseconds per call of each contestant."""
    order = field.order(number)
    times = dict.fromkeys(order, 0.0)
    for name in order + order[::-1]:
        times[name] += field.time(name, work, pace) / 2
    return times


def measure(field, rounds, milliseconds):
    """Everything about one model, as plain values."""
    left_out = field.admit()
    field.open()
    per_call = field.time("c", "copies", Pace(1, 2 * FEWEST_BATCHES))
    pace = Pace.within(milliseconds, per_call)
    times = {work: [] for work in WORKS}
    for number in range(rounds):
        field.open(number)
        for work in WORKS:
            times[work].append(play(field, number, work, pace))
    field.check_outputs()
    counted = min(1000, Pace.within(500, per_call).total)
    return {
        "model": str(field.model),
        "calls_per_turn": pace.total,
        "left_out": left_out,
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
