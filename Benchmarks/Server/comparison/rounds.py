"""Turns of contestants under load, alternating, and what they say as ratios within a round."""

import time

from comparison import wrk
from harness.spread import summary


class Contestant:
    """A server, where it is asked, and what."""

    def __init__(self, name, server, base, requests):
        self.name, self.server, self.base, self.requests = name, server, base, requests

    def turn(self, connections, seconds):
        before = self.server.process.processor_seconds()
        seen = wrk.run(self.base, self.requests, connections, seconds)
        # What a server still sends when wrk has had enough is over soon.
        time.sleep(0.05)
        seen["processor"] = (self.server.process.processor_seconds() - before) / seen["count"]
        return seen


def play(contestants, rounds, connections, seconds):
    """One dictionary of what was seen per round, the order turning from round to round."""
    results = []
    for number in range(rounds):
        shift = number % len(contestants)
        order = contestants[shift:] + contestants[:shift]
        results.append({contestant.name: contestant.turn(connections, seconds) for contestant in order})
    return results


def measure(title, figure, contestants, peer, rounds, connections, seconds):
    """Medians of each contestant; `figure` (answers or bytes per second) also as a ratio to the peer's."""
    seen = play(contestants, rounds, connections, seconds)
    rows = {}
    for contestant in contestants:
        name = contestant.name
        rows[name] = {
            key: summary([turn[name][key] for turn in seen]) for key in (figure, "p50", "p99", "processor")}
        rows[name]["ratio"] = summary([turn[name][figure] / turn[peer][figure] for turn in seen])
        rows[name]["resident_bytes"] = contestant.server.process.resident_bytes()
    return {"title": title, "figure": figure, "peer": peer, "connections": connections, "rows": rows}
