"""What the results depend on besides the programs."""

import os


def processors():
    return len(os.sched_getaffinity(0))


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return {
        "processor": names[0] if names else "unknown processor", "processors": processors(),
        "load": os.getloadavg()[0],
    }


def header(machine):
    is_busy = machine["load"] > machine["processors"]
    return (
        f"{machine['processor']}, {machine['processors']} processors, load {machine['load']:.1f}"
        f"{': busy with something else, so expect the rounds to differ' if is_busy else ''}"
    )
