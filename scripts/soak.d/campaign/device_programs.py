"""Devices that are processes with the real library and the real engine. A process that dies is started again, as a user would."""

import os
import random
import signal
import subprocess
import threading

ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


class ProgramDevice:
    """A folder for what the device keeps, and the process that runs in it now."""

    def __init__(self, fleet, number):
        self.fleet, self.number = fleet, number
        self.random = random.Random(f"{fleet.seed} program {number}")
        self.store = fleet.folder / f"store-{number}"
        self.process = None
        self.lives = 0
        # Hash that the process had, and signal, of each death.
        self.deaths = []
        self.hash = None
        self.was_touched = False
        # Rounds of runs that were reported, all and those since `hash` changed.
        self.turns = self.turns_with_hash = 0
        self.thread = threading.Thread(target=self.live, daemon=True)

    def live(self):
        fleet = self.fleet
        # Staggered, as starting is the most work.
        pause = fleet.interval * self.random.random()
        while not fleet.over.wait(pause):
            self.lives += 1
            words = [fleet.model, self.random.getrandbits(63), fleet.runs, fleet.unusual_share, fleet.interval]
            with fleet.lock:
                if fleet.over.is_set():
                    return
                self.process = subprocess.Popen(
                    [fleet.program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=fleet.log, text=True,
                    env={**ENVIRONMENT, "HEARTH_STORE": str(self.store), "HEARTH_APP_CONFIG": fleet.config})
            with self.process:
                for line in self.process.stdout:
                    self.hear(*line.strip().split(maxsplit=1))
            if not fleet.over.is_set():
                self.deaths.append((self.hash, self.process.returncode))
            pause = fleet.interval * self.random.random()

    def hear(self, what, text):
        if what == "has":
            if text != self.hash:
                self.turns_with_hash = 0
            self.hash = text
            self.was_touched |= text == self.fleet.bad
        elif what == "ran":
            self.turns += 1
            self.turns_with_hash += 1
        else:
            self.fleet.problems.append(f"program {self.number}: {what} {text}")


class ProgramFleet:
    """All of them. `problems` is what went wrong other than crashes."""

    def __init__(self, program, server, model, bad, chosen, folder):
        self.program, self.model, self.bad, self.folder = str(program), model, bad, folder
        self.config = str(server.data / "credentials/GoogleService-Info.plist")
        self.runs, self.unusual_share, self.seed = chosen.runs, chosen.unusual_share, chosen.seed
        self.interval = chosen.interval
        self.over = threading.Event()
        # Held while a process starts, so that none starts when it is over.
        self.lock = threading.Lock()
        self.log = open(folder / "programs.log", "ab")
        self.problems = []
        self.devices = [ProgramDevice(self, number) for number in range(chosen.programs)]

    def start(self):
        for device in self.devices:
            device.thread.start()

    def stop(self):
        with self.lock:
            self.over.set()
            for device in self.devices:
                if device.process and device.process.poll() is None:
                    device.process.send_signal(signal.SIGTERM)
        for device in self.devices:
            device.thread.join()
        self.log.close()

    def resident_bytes(self):
        """Of all living processes, what they share counted once."""
        total = 0
        for device in self.devices:
            try:
                with open(f"/proc/{device.process.pid}/smaps_rollup", encoding="ascii") as file:
                    total += next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
            except (OSError, AttributeError, StopIteration):
                pass  # It has just died, or is not there yet.
        return total

    def living(self):
        return sum(device.process is not None and device.process.poll() is None for device in self.devices)
