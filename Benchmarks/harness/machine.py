"""What the results depend on besides the programs."""

import os
import platform
import subprocess


def processors():
    return len(os.sched_getaffinity(0))


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return {
        "processor": names[0] if names else "unknown processor", "processors": processors(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": f"{platform.system()} {platform.release()}", "compiler": compiler(), "load": os.getloadavg()[0],
    }


def compiler():
    """The version of Swift, without what the command says of itself."""
    try:
        text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if "Swift version" in line]
    return lines[0][lines[0].index("Swift version"):] if lines else "unknown compiler"


def header(machine):
    is_busy = machine["load"] > machine["processors"]
    return (
        f"{machine['processor']}, {machine['processors']} processors, load {machine['load']:.1f}"
        f"{': busy with something else, so expect the rounds to differ' if is_busy else ''}"
    )
