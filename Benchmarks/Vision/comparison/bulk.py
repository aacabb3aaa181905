"""Many files: pictures a second, with all processors at work."""

import subprocess
import time

from harness.machine import processors
from harness.spread import summary


def shares(paths, folder):
    """Lists of files, one for each processor; their paths."""
    lists = []
    for number in range(processors()):
        path = folder / f"share_{number}.txt"
        path.write_text("\n".join(paths[number::processors()]) + "\n")
        lists.append(str(path))
    return lists


def together(commands):
    """Runs them at once; the sum of the numbers that they print."""
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for command in commands]
    outputs = [process.communicate()[0] for process in running]
    for process in running:
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)
    return sum(float(output) for output in outputs)


def hearth_rate(hearth, model, folder, count):
    """All of the process counts: its start and the listing of the folder, too."""
    started = time.perf_counter()
    subprocess.run(
        [str(hearth), "label", model.path, str(folder), "--json", "--max", "3"], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    return count / (time.perf_counter() - started)


def measure(hearth, program, mediapipe, model, paths, folder, lists, rounds):
    """`mediapipe`: its Python and script; None where it is left out."""
    contestants = {
        "hearth": lambda: hearth_rate(hearth, model, folder, len(paths)),
        "floor": lambda: together([[str(program), "bulk", model.file, str(model.side), share] for share in lists]),
    }
    if mediapipe and "mediapipe" in model.peers:
        contestants["mediapipe"] = lambda: together([[*map(str, mediapipe), "bulk", model.file, share] for share in lists])
    for run in contestants.values():
        run()
    rates = [{name: run() for name, run in contestants.items()} for _ in range(rounds)]
    result = {"model": model.name, "pictures": len(paths), "processes": len(lists), "rates": {}}
    for name in contestants:
        result["rates"][name] = summary([rate[name] for rate in rates])
        result["rates"][name]["hearth_ratio"] = summary([rate["hearth"] / rate[name] for rate in rates])
    return result
