"""Measures the pairs against each other.

As in the benchmark Interpreter, the works take short turns, each round there and back again and beginning with another one, and
only times of one round are compared.
"""

from dataclasses import dataclass

from harness.spread import summary

# Short enough that most batches end before another program interrupts them; so long that starting threads hardly counts.
BATCH_NANOSECONDS = 500_000
FEWEST_BATCHES = 5


@dataclass(frozen=True)
class Turn:
    """Some work on some threads."""

    work: str
    threads: int = 1

    def time(self, worker, calls, batches):
        """Nanoseconds per call."""
        return int(worker.ask("time", self.work, self.threads, calls, batches)) / calls


@dataclass(frozen=True)
class Pair:
    """What is guarded, and the same or the least without the guard."""

    name: str
    meaning: str
    ours: Turn
    peer: Turn


def pairs(processors):
    """Those that this machine can measure."""
    mark, use = Turn("mark"), Turn("use")
    found = [
        Pair(
            "run with Interpreter, in a use", "One run with `Interpreter` in a use of `beginUse(of:_:)`, beside the run alone.",
            Turn("run-in-use"), Turn("run")),
        Pair(
            "run with ModelInterpreter", "One run of a remote model with `ModelInterpreter`, beside the same file as a local model.",
            Turn("remote-model"), Turn("local-model")),
        Pair(
            "use that succeeds", "One use, from `beginUse(of:_:)` to `succeed()`, beside the marks alone, in C.", use, mark),
        Pair("use that fails", "One use, from `beginUse(of:_:)` to `fail()`, beside the marks alone.", Turn("failed-use"), mark),
        Pair(
            "use that succeeds, with reports", "One use in an app that reports health and times of its versions, beside one without.",
            Turn("reported-use"), use),
        Pair("use: run", "One use, beside a run of the model with `Interpreter`.", use, Turn("run")),
    ]
    if processors > 1:
        found.append(
            Pair(
                "use, 2 threads", "One use of a version that another thread uses too, beside one use on one thread.",
                Turn("use", 2), use))
    return found


def measure(worker, chosen, rounds, milliseconds):
    """For each pair, its times and what lies between them, as plain values."""
    turns = list(dict.fromkeys(turn for pair in chosen for turn in (pair.ours, pair.peer)))
    paces = {}
    for turn in turns:
        calls = max(1, round(BATCH_NANOSECONDS / turn.time(worker, 100, FEWEST_BATCHES)))
        paces[turn] = (calls, max(FEWEST_BATCHES, round(milliseconds * 1e6 / BATCH_NANOSECONDS)))
    played = []
    for number in range(rounds):
        order = turns[number % len(turns):] + turns[:number % len(turns)]
        times = dict.fromkeys(order, 0.0)
        for turn in order + order[::-1]:
            times[turn] += turn.time(worker, *paces[turn]) / 2
        played.append(times)
    return [
        {
            "name": pair.name, "meaning": pair.meaning,
            "ours": summary([times[pair.ours] for times in played]), "peer": summary([times[pair.peer] for times in played]),
            "ratio": summary([times[pair.ours] / times[pair.peer] for times in played]),
            "difference": summary([times[pair.ours] - times[pair.peer] for times in played]),
        } for pair in chosen]
