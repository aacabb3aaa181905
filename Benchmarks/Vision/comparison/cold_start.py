"""From the start of a process to its first label, and the most memory it had."""

import os
import subprocess
import time

from harness.spread import summary


def once(command):
    """(seconds, KiB at most) of one process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    # Already waited for: Popen must not do it again.
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return seconds, usage.ru_maxrss


def measure(hearth, python, script, model, picture, rounds):
    commands = {
        "hearth": [str(hearth), "label", model.path, picture, "--max", "3"],
        "pillow": [python, str(script), model.file, picture, str(model.side)],
    }
    for command in commands.values():
        once(command)
    runs = [{name: once(command) for name, command in commands.items()} for _ in range(rounds)]
    result = {"model": model.name, "picture": picture}
    for place, what in enumerate(("seconds", "kibibytes")):
        result[what] = {name: summary([run[name][place] for run in runs]) for name in commands}
        result[what]["ratio"] = summary([run["hearth"][place] / run["pillow"][place] for run in runs])
    return result
