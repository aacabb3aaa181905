"""From the start of a process to its first label, and the most memory it had."""

from harness.spread import summary
from harness.usage import usage


def measure(hearth, python, script, model, picture, rounds):
    commands = {
        "hearth": [str(hearth), "label", model.path, picture, "--max", "3"],
        "pillow": [python, str(script), model.file, picture, str(model.side)],
    }
    for command in commands.values():
        usage(command)
    runs = [{name: usage(command) for name, command in commands.items()} for _ in range(rounds)]
    result = {"model": model.name, "picture": picture}
    for place, what in enumerate(("seconds", "kibibytes")):
        result[what] = {name: summary([run[name][place] for run in runs]) for name in commands}
        result[what]["ratio"] = summary([run["hearth"][place] / run["pillow"][place] for run in runs])
    return result
