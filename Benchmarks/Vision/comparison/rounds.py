"""Measures the contestants against each other, from a photo's file to the result.

Times drift: other programs come and go, and so does the processor's clock. So the contestants take short turns, each
round there and back again (A B C C B A) and beginning with another one, and only times of one round are compared.
"""

import json

from comparison.job import Job
from harness.agreement import box_disagreement
from harness.spread import summary

HEARTH = ("hearth", "file")
# The floor's two works are measured apart and added: what any program has to do, and nothing between them.
FLOOR = (("floor", "decode"), ("floor", "invoke"))
BOTH = ("floor", "both")
WORKS = {
    "pillow": ("draft", "file", "invoke"), "opencv": ("reduced", "file", "invoke"), "mediapipe": ("file",),
}


def engine(name):
    """The turn that is the engine alone. Hearth has the floor's engine. MediaPipe cannot be asked, so the floor's counts for it,
    too, with as many threads as Hearth has."""
    return (name, "invoke") if "invoke" in WORKS.get(name, ()) else FLOOR[1]


def open_all(workers, model, picture, threads):
    """What each of them finds; text of the floor."""
    found = {}
    for name in ("hearth", "floor", *model.peers):
        if name in workers:
            path = model.path if name == "hearth" else model.file
            job = Job(model.task, path, picture, threads, model.side, model.placement, model.values, model.threshold)
            workers[name].ask("open", name, *job.words)
            answer = workers[name].ask("output", name)
            found[name] = answer if name == "floor" else json.loads(answer)
    return found


def disagreements(model, found):
    """By peer, why its boxes are not Hearth's. Answers that have goldens are compared with those instead."""
    if model.has_goldens:
        return {}
    reasons = {name: box_disagreement(found["hearth"], boxes) for name, boxes in found.items() if name not in ("hearth", "floor")}
    return {name: reason for name, reason in reasons.items() if reason}


def calls_within(workers, turn, milliseconds):
    """(calls, batches) that take about so long."""
    name, work = turn
    per_call = int(workers[name].ask("time", name, work, 1, 3))
    return 1, max(3, min(400, round(milliseconds * 1e6 / per_call)))


def measure(workers, model, picture, threads, rounds, milliseconds):
    """Seconds per picture of each contestant, in all and outside the engine, and Hearth's as ratios to them, as plain values. Peers
    that find something else are left out."""
    found = open_all(workers, model, picture, threads)
    left_out = disagreements(model, found)
    turns = [HEARTH, *FLOOR, *((name, work) for name in found if name not in left_out for work in WORKS.get(name, ()))]
    paces = {turn: calls_within(workers, turn, milliseconds) for turn in turns}
    times = [play(workers, turns, paces, number) for number in range(rounds)]
    results = {"-".join(turn): row(times, turn) for turn in turns if turn not in FLOOR and turn[1] != "invoke"}
    for time in times:
        time[BOTH] = sum(time[part] for part in FLOOR)
    results["floor"] = row(times, BOTH)
    return {
        "model": model.name, "picture": picture, "threads": threads, "times": results, "found": found, "left_out": left_out}


def row(times, turn):
    """`outside` leaves out rounds in which noise made a time shorter than that of its engine alone; None where most are so."""
    result = {
        "seconds": summary([time[turn] for time in times]), "hearth_ratio": summary([time[HEARTH] / time[turn] for time in times]),
        "outside": None}
    pairs = [(outside(time, HEARTH), outside(time, turn)) for time in times]
    pairs = [pair for pair in pairs if min(pair) > 0]
    if len(pairs) * 2 > len(times):
        result["outside"] = {
            "seconds": summary([rest for _, rest in pairs]), "hearth_ratio": summary([own / rest for own, rest in pairs])}
    return result


def outside(time, turn):
    """Seconds of a turn that are not the engine's."""
    return time[turn] - time[engine(turn[0])]


def play(workers, turns, paces, number):
    """One round: seconds per call of each turn."""
    shift = number % len(turns)
    order = turns[shift:] + turns[:shift]
    times = dict.fromkeys(order, 0.0)
    for name, work in order + order[::-1]:
        calls, batches = paces[name, work]
        times[name, work] += int(workers[name].ask("time", name, work, calls, batches)) / calls / 1e9 / 2
    return times
