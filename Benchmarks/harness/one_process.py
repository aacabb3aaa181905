"""Runs one program, and prints how long it took and the most memory it had: SECONDS KIBIBYTES.

    one_process.py PROGRAM [ARGUMENT ...]

A process of its own, and a small one: what Linux counts as the most memory of a program includes what its parent had when it
made it.
"""

import os
import sys
import time

output = os.open(os.devnull, os.O_WRONLY)
silence = [(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
started = time.perf_counter()
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silence)
_, status, usage = os.wait4(process, 0)
seconds = time.perf_counter() - started
if status != 0:
    sys.exit(f"{sys.argv[1]} ended with {os.waitstatus_to_exitcode(status)}")
print(seconds, usage.ru_maxrss)
