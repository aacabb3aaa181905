"""Starts the processes of engines, and ends them when its owner ends, however that happens.

The keeper is a process of its own. Processes whose parent died become its children, so it finds all of them, stopped ones
too. It notices by the end of a pipe that its owner is gone, ends everything and removes the folder. A signal at the parent's
end alone would not do: Linux sends it at the end of the thread that started the process, and only to that process.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

PREFIX = "hearth-engines-"
LOCK = "lock"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Keeper:
    """Owns a temporary folder, below which the engines have theirs, and the processes. Any thread may use it."""

    def __init__(self, logs: pathlib.Path | None = None) -> None:
        """`logs` is where the output of each process goes, as NAME.log; without it, a folder that is removed in the end."""
        remove_leftovers()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX))
        # PostgreSQL refuses root, and another user must reach its folder.
        self.folder.chmod(0o711)
        self.logs = logs or self.folder / "logs"
        self.logs.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        # In a session of its own: an interrupt from the terminal must not end the engines before the tests.
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True)

    def start(self, name: str, command: list[str], user: str | None = None) -> int:
        """The new process. Its output is added to the log."""
        request = {"command": command, "user": user, "log": str(self.logs / f"{name}.log"), "folder": str(self.folder)}
        with self._lock:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            answer = json.loads(self._process.stdout.readline() or '{"error": "the keeper of the engines ended"}')
        if "error" in answer:
            raise RuntimeError(f"{name} does not start: {answer['error']}")
        return answer["process"]

    def close(self) -> None:
        """Ends everything and removes the folder."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def descendants(process: int) -> list[int]:
    """All processes below it, parents first; none that only waits to be reaped."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state, parent = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[:2]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(entry))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def send(number: int, processes: list[int]) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def remove_leftovers() -> None:
    """Removes the folders of keepers that were killed themselves."""
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            with open(folder / LOCK) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            # In use, just made, or another user's.
            pass


# --- the process ---------------------------------------------------------------------------------


def main(folder: pathlib.Path) -> None:
    lock = open(folder / LOCK, "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    # At once: PostgreSQL does not start over a folder whose last process was not reaped.
    signal.signal(signal.SIGCHLD, reap)
    # What asks the keeper to end must ask its owner.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        try:
            answer = {"process": launch(json.loads(line), libc)}
        except (OSError, KeyError, subprocess.SubprocessError) as error:
            answer = {"error": str(error)}
        try:
            print(json.dumps(answer), flush=True)
        except BrokenPipeError:
            break
    while left := descendants(os.getpid()):
        # Stopped first, so that none of them starts another in the meantime.
        send(signal.SIGSTOP, left)
        send(signal.SIGKILL, left)
        reap()
    shutil.rmtree(folder, ignore_errors=True)


def launch(request: dict, libc: ctypes.CDLL) -> int:
    # Nothing of the tests' own settings, such as a library to load first.
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": request["folder"], "LC_ALL": "C.UTF-8"}
    identity = {"user": request["user"], "group": request["user"], "extra_groups": []} if request["user"] else {}
    with open(request["log"], "ab") as log:
        return subprocess.Popen(
            request["command"], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment,
            cwd=request["folder"], start_new_session=True,
            # Should the keeper itself be killed. This process has one thread, so the call is safe here, and the thread stays.
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), **identity).pid


def reap(*_: object) -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
