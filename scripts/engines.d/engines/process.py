"""One process of an engine, with everything that it started; and waiting for it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import select
import signal
import socket
import time
from collections.abc import Callable

from engines.keeper import Keeper, descendants, send

HOST = "127.0.0.1"
# How long an engine may take for a step on a busy machine. What takes longer hangs.
DEADLINE_SECONDS = 60.0


class Process:
    """Starts and ends one program as often as needed. One thread at a time may use it."""

    def __init__(
        self, keeper: Keeper, name: str, command: list[str], user: str | None = None, stop_signal: int = signal.SIGTERM,
    ) -> None:
        self.keeper, self.name, self.command, self.user, self.stop_signal = keeper, name, command, user, stop_signal
        self.log = keeper.logs / f"{name}.log"
        self.process: int | None = None
        self._descriptor: int | None = None

    def start(self) -> None:
        if self.is_running():
            raise RuntimeError(f"{self.name} runs already")
        self._forget()
        self.process = self.keeper.start(self.name, self.command, self.user)
        with contextlib.suppress(ProcessLookupError):
            self._descriptor = os.pidfd_open(self.process)

    def is_running(self) -> bool:
        return self._descriptor is not None and not select.select([self._descriptor], [], [], 0)[0]

    def processes(self) -> list[int]:
        return [self.process, *descendants(self.process)] if self.is_running() else []

    def stop(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Asks it to end and waits for it; kills it where it does not end before the deadline, and raises TimeoutError."""
        if not self.is_running():
            return
        self.resume()
        send(self.stop_signal, [self.process])
        ended = select.select([self._descriptor], [], [], deadline)[0]
        if not ended:
            self.kill()
            raise TimeoutError(f"{self.name} did not stop within {deadline:g} s; see {self.log}")
        self._forget()

    def kill(self) -> None:
        """SIGKILL to it and all that it started, and waits until they are gone."""
        # Stopped first, so that none of them starts another in the meantime.
        self.pause()
        processes = self.processes()
        gone = []
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                gone.append(os.pidfd_open(process))
        send(signal.SIGKILL, processes)
        for descriptor in gone:
            select.select([descriptor], [], [])
            os.close(descriptor)
        # The keeper reaps them. Until then an engine may take the number in its lock file for a living process.
        wait_for(lambda: not any(os.path.exists(f"/proc/{one}") for one in processes), f"the end of {self.name}")
        self._forget()

    def pause(self) -> None:
        """SIGSTOP: connections stay open and nobody answers."""
        send(signal.SIGSTOP, self.processes())

    def resume(self) -> None:
        send(signal.SIGCONT, self.processes())

    def memory_bytes(self) -> int:
        """What its processes have in memory, shared pages shared out among them."""
        total = 0
        for process in self.processes():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
                total += int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1]) * 1024
        return total

    def last_lines(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-5:]) if self.log.exists() else ""

    def _forget(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
        self.process = self._descriptor = None


class Engine:
    """What all engines can do. `processes` are in the order in which they start. A `with` statement starts
    it if it does not run yet, and ends it; with `keeper.close()` it ends too."""

    # Of the class, for logs and messages.
    name = ""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.folder = keeper.folder / f"{self.name}-{len(list(keeper.folder.iterdir()))}"
        self.folder.mkdir()
        self.processes: list[Process] = []

    def start(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Returns when it answers."""
        for process in self.processes:
            process.start()
        self.wait_until_ready(deadline)

    def stop(self, deadline: float = DEADLINE_SECONDS) -> None:
        for process in reversed(self.processes):
            process.stop(deadline)

    def kill(self) -> None:
        for process in reversed(self.processes):
            process.kill()

    def pause(self) -> None:
        for process in self.processes:
            process.pause()

    def resume(self) -> None:
        for process in self.processes:
            process.resume()

    def restart(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Stops it and starts it over the same folder and port."""
        self.stop(deadline)
        self.start(deadline)

    def is_running(self) -> bool:
        return any(process.is_running() for process in self.processes)

    def is_ready(self) -> bool:
        """Whether it answers now."""
        raise NotImplementedError

    def wait_until_ready(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Raises an error with the log's last lines if one of its processes ended, or after the deadline."""
        def look() -> bool:
            self.check()
            return self.is_ready()

        wait_for(look, f"an answer of {self.name}; see {self.keeper.logs}", deadline)

    def check(self) -> None:
        """Raises an error where a process ended that should run."""
        for process in self.processes:
            if process.process is not None and not process.is_running():
                raise RuntimeError(f"{process.name} ended; the last lines of {process.log}:\n{process.last_lines()}")

    def memory_bytes(self) -> int:
        return sum(process.memory_bytes() for process in self.processes)

    def __enter__(self) -> Engine:
        try:
            if not self.is_running():
                self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def wait_for(condition: Callable[[], bool], what: str, deadline: float = DEADLINE_SECONDS) -> None:
    """Asks until the condition holds. Raises TimeoutError after `deadline` seconds."""
    end = time.monotonic() + deadline
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {deadline:g} s for {what}")
        time.sleep(0.01)


def free_port() -> int:
    """A port that is free now and that the system gives to no connection by itself: it must still be free when the engine is
    started again, and a client that tries to connect to it in the meantime must not be connected to itself."""
    lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(1000):
        port = random.randrange(min(10000, lowest // 2), lowest)
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
                return port
            except OSError:
                pass
    raise RuntimeError("no port is free")


def is_listening(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
        return True
    except OSError:
        return False
