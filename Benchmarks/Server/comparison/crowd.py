"""The part `crowd`: whether idle and slow connections change what the others wait."""

import json
import time

from comparison import hearth_server
from comparison.peers import IdlePeers, SlowPeers
from comparison.rounds import Contestant, row

IDLE, SLOW = 1000, 200


def measure(stage, rounds, seconds, connections=8):
    """Latency of `:download` with nobody else there, beside idle connections, and beside slow ones, in turns."""
    contestant = Contestant("Hearth, 304", stage.hearth, stage.hearth.base, stage.look_ups(stage.hearth, stage.hash))
    answer = json.loads(stage.ask(stage.hearth, *hearth_server.look_up(
        stage.keys, stage.tokens[0], model=hearth_server.LARGE))[1])
    target = "/" + answer["downloadUri"].split("/", 3)[3]
    alone, idle, slow = [], [], []
    for _ in range(rounds):
        alone.append(contestant.turn(connections, seconds))
        with IdlePeers(stage.hearth.host, IDLE):
            idle.append(contestant.turn(connections, seconds))
        with SlowPeers(stage.hearth.host, SLOW, target):
            # Until the kernel's buffers are full, the slow readers are fast ones.
            time.sleep(1)
            slow.append(contestant.turn(connections, seconds))
    rows = {"alone": alone, f"beside {IDLE:,} idle connections": idle, f"beside {SLOW} slow connections": slow}
    return {
        "rows": {name: row(turns, alone, ("answers", "p50", "p99")) for name, turns in rows.items()}, "connections": connections}
