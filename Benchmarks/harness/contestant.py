"""What contestants written in Python have in common: they answer commands that come on standard input, one per line.

    open NAME ARGUMENT ...          ->  ok
    time NAME WORK CALLS BATCHES    ->  nanoseconds that CALLS calls took: the median of BATCHES times
    output NAME                     ->  what the contestant found
    element NAME                    ->  of which type its values are, if the contestant knows

Tabs separate the words. A contestant is a class: made from the arguments of `open`, with a method `works` that gives
the functions to time by name, each taking the number of calls, and a method `output`.
"""

import sys
import time


class Unfit(Exception):
    """The contestant does not take part with this model; the text says why, for people."""


def serve(contestant_type):
    contestant = None
    for line in sys.stdin:
        command, _, *words = line.rstrip("\n").split("\t")
        try:
            if command == "open":
                contestant = None
                contestant = contestant_type(*words)
                answer = "ok"
            elif command == "time":
                answer = timed(contestant.works()[words[0]], int(words[1]), int(words[2]))
            else:
                answer = {"output": contestant.output, "element": getattr(contestant, "element", None)}[command]()
        except Unfit as error:
            answer = f"error: {error}".replace("\n", " ")
        except Exception as error:  # Whatever it was, who asked must hear of it.
            answer = f"error: Python: {error!r}".replace("\n", " ")
        print(answer, flush=True)


def timed(work, calls, batches):
    """A tenth to warm up, then the median of the batches, as the programs in Swift do it."""
    work(calls * (batches // 10 + 1))
    times = []
    for _ in range(batches):
        started = time.perf_counter_ns()
        work(calls)
        times.append(time.perf_counter_ns() - started)
    return sorted(times)[batches // 2]
