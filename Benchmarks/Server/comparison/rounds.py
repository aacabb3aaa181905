"""Turns of contestants under load, alternating, and what they say as ratios within a round."""

import sys
import time

from comparison import wrk
from harness.spread import summary

# A turn without an answer is repeated with twice the time, up to this.
LONGEST_TURN_SECONDS = 32
NOTHING = (
    f"no answer in turns of up to {LONGEST_TURN_SECONDS} s: something else keeps the processors busy; run it again when they "
    "are free")


class Contestant:
    """A server, where it is asked, and what."""

    def __init__(self, name, server, base, requests):
        self.name, self.server, self.base, self.requests = name, server, base, requests
        # Once a turn had to be longer, the later ones begin so.
        self.seconds = 0

    def turn(self, connections, seconds):
        """What was seen; None where even the longest turn brought no answer."""
        self.seconds = max(self.seconds, seconds)
        while True:
            before = self.server.process.processor_seconds()
            seen = wrk.run(self.base, self.requests, connections, self.seconds)
            if seen:
                break
            longer = longer_turn(self.seconds)
            if not longer:
                print(f"bench: {self.name}: {NOTHING}", file=sys.stderr)
                return None
            print(f"bench: {self.name}: no answer within {self.seconds} s, trying {longer} s", file=sys.stderr)
            self.seconds = longer
        # What a server still sends when wrk has had enough is over soon.
        time.sleep(0.05)
        seen["processor"] = (self.server.process.processor_seconds() - before) / seen["count"]
        return seen


def longer_turn(seconds):
    """How long to try after a turn of so many seconds without an answer; None to give up."""
    return min(seconds * 2, LONGEST_TURN_SECONDS) if seconds < LONGEST_TURN_SECONDS else None


def play(contestants, rounds, connections, seconds):
    """One dictionary of what was seen per round, the order turning from round to round."""
    results = []
    for number in range(rounds):
        shift = number % len(contestants)
        order = contestants[shift:] + contestants[:shift]
        results.append({contestant.name: contestant.turn(connections, seconds) for contestant in order})
    return results


def row(turns, base, keys):
    """The figures `keys` of the turns, and their ratios to those of `base` in the same rounds. Turns without an answer, which
    are None, are left out; where all are, the row says so."""
    seen = [turn for turn in turns if turn]
    if not seen:
        return {"nothing": NOTHING}
    both = [(turn, other) for turn, other in zip(turns, base) if turn and other]
    ratios = {key: [turn[key] / other[key] for turn, other in both if other[key]] for key in keys}
    return {
        **{key: summary([turn[key] for turn in seen]) for key in keys},
        "ratios": {key: summary(values) for key, values in ratios.items() if values}}


def rows(seen, names, peer, keys):
    """A row for each of the names, from what `play` saw."""
    return {name: row([turns[name] for turns in seen], [turns[peer] for turns in seen], keys) for name in names}


def measure(title, figure, contestants, peer, rounds, connections, seconds):
    """Medians of each contestant; `figure` (answers or bytes per second) and others also as ratios to the peer's."""
    seen = play(contestants, rounds, connections, seconds)
    result = rows(seen, [contestant.name for contestant in contestants], peer, (figure, "p50", "p99", "processor"))
    for contestant in contestants:
        result[contestant.name]["resident_bytes"] = contestant.server.process.resident_bytes()
    return {"title": title, "figure": figure, "peer": peer, "connections": connections, "rows": result}
