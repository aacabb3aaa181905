"""Measures the contestants against each other, from a photo's file to the result.

Times drift: other programs come and go, and so does the processor's clock. So the contestants take short turns, each
round there and back again (A B C C B A) and beginning with another one, and only times of one round are compared.
"""

from harness.spread import summary

# The floor's two works are measured apart and added: what any program has to do, and nothing between them.
FLOOR = (("floor", "decode"), ("floor", "invoke"))


def contestants(workers, model):
    """Pairs of a contestant and its work."""
    turns = [("hearth", "file"), *FLOOR]
    if "pillow" in workers:
        turns += [("pillow", "draft"), ("pillow", "file")]
    if "mediapipe" in workers and model.has_metadata:
        turns.append(("mediapipe", "file"))
    return turns


def open_all(workers, model, picture, threads):
    for name, worker in workers.items():
        if name == "mediapipe" and not model.has_metadata:
            continue
        path = model.path if name == "hearth" else model.file
        worker.ask("open", name, model.task, path, picture, threads, model.side)


def calls_within(workers, turn, milliseconds):
    """(calls, batches) that take about so long."""
    name, work = turn
    per_call = int(workers[name].ask("time", name, work, 1, 3))
    return 1, max(3, min(400, round(milliseconds * 1e6 / per_call)))


def measure(workers, model, picture, threads, rounds, milliseconds):
    """Seconds per picture of each contestant, and Hearth's time as a ratio to it, as plain values."""
    open_all(workers, model, picture, threads)
    turns = contestants(workers, model)
    paces = {turn: calls_within(workers, turn, milliseconds) for turn in turns}
    times = [play(workers, turns, paces, number) for number in range(rounds)]
    results = {
        "-".join(turn): row([time[turn] for time in times], [time[turns[0]] / time[turn] for time in times])
        for turn in turns if turn not in FLOOR
    }
    floors = [sum(time[part] for part in FLOOR) for time in times]
    results["floor"] = row(floors, [time[turns[0]] / floor for time, floor in zip(times, floors)])
    results["floor"]["decode"] = summary([time[FLOOR[0]] for time in times])["median"]
    found = {name: workers[name].ask("output", name) for name in dict.fromkeys(name for name, _ in turns)}
    return {"model": model.name, "picture": picture, "threads": threads, "times": results, "found": found}


def row(times, ratios):
    return {"seconds": summary(times), "hearth_ratio": summary(ratios)}


def play(workers, turns, paces, number):
    """One round: seconds per call of each turn."""
    shift = number % len(turns)
    order = turns[shift:] + turns[:shift]
    times = dict.fromkeys(order, 0.0)
    for name, work in order + order[::-1]:
        calls, batches = paces[name, work]
        times[name, work] += int(workers[name].ask("time", name, work, calls, batches)) / calls / 1e9 / 2
    return times
