"""From the start of a process to its first label, and the most memory it had."""

import pathlib
import subprocess
import sys

from harness.spread import summary

MEASURER = pathlib.Path(__file__).parent / "one_process.py"


def once(command):
    """(seconds, KiB at most) of one process."""
    # Without its site packages, Python is the smallest parent: see one_process.py.
    measured = subprocess.run([sys.executable, "-I", "-S", MEASURER, *command], check=True, stdout=subprocess.PIPE, text=True)
    seconds, kibibytes = measured.stdout.split()
    return float(seconds), int(kibibytes)


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
