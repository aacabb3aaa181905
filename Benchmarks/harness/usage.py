"""What one program takes: time and memory."""

import pathlib
import subprocess
import sys

MEASURER = pathlib.Path(__file__).parent / "one_process.py"


def usage(command):
    """(seconds, KiB at most) of one process."""
    # Without its site packages, Python is the smallest parent: see one_process.py.
    measured = subprocess.run([sys.executable, "-I", "-S", MEASURER, *command], check=True, stdout=subprocess.PIPE, text=True)
    seconds, kibibytes = measured.stdout.split()
    return float(seconds), int(kibibytes)
