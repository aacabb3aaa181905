"""Devices that are only calls: each asks for a model, and reports what its runs would have shown, as the library does."""

import base64
import heapq
import http.client
import json
import random
import threading
import time

from campaign.client import Line, Refused

CRASHES_BEFORE_REJECTION = 2
# Classes of `TimeHistogram`: about 0.1 ms.
RUN_CLASSES = range(52, 58)
PAUSE_AFTER_FAILURE = 1


class WireDevice:
    """One installation. `bad` is the hash of the version that crashes on unusual inputs."""

    def __init__(self, fleet, number):
        self.fleet = fleet
        self.random = random.Random(f"{fleet.seed} {number}")
        self.fid = base64.urlsafe_b64encode(bytes([0x70 | self.random.getrandbits(4)]) + self.random.randbytes(16)).decode()[:22]
        # Without a token, it is not registered yet.
        self.token = self.hash = self.before = None
        self.rejected = False
        self.has_died = False
        self.crashes = 0
        self.was_touched = False
        self.sequence = 0
        self.turns = 0

    def turn(self, line):
        """The app starts, asks, runs its model, and reports; or dies in a run."""
        if self.token is None:
            self.register(line)
        items = []
        if self.has_died:
            self.has_died = False
            items.append(self.health(self.hash, crashes={"SIGABRT": 1}))
            if self.crashes >= CRASHES_BEFORE_REJECTION:
                items.append(self.health(self.hash, rejected=1))
                self.rejected, self.hash = True, self.before
        offered = self.ask(line)
        if offered != self.hash and not (self.rejected and offered == self.fleet.bad):
            self.before, self.hash = self.hash, offered
            self.was_touched |= offered == self.fleet.bad
            items.append(self.health(offered, installed=1))
        runs = self.fleet.runs
        if self.hash == self.fleet.bad and self.random.random() >= (1 - self.fleet.unusual_share) ** runs:
            self.has_died = True
            self.crashes += 1
            # What was not sent is lost, as in the library; only what the crash left is known at the next start.
        else:
            times = [self.random.choice(RUN_CLASSES) for _ in range(runs)]
            items.append(self.health(
                self.hash, loads=1, runs=runs, runTimes=[[index, times.count(index)] for index in sorted(set(times))]))
            self.report(line, items)
        self.turns += 1

    def register(self, line):
        device = self.fleet.server.device
        body = {"fid": self.fid, "appId": device["GOOGLE_APP_ID"], "authVersion": "FIS_v2"}
        answer = self.answer(line, "POST", f"/v1/projects/{device['PROJECT_ID']}/installations", body, {})
        self.token = answer["authToken"]["token"]

    def ask(self, line):
        """The hash that this device gets."""
        path = f"/v1beta2/projects/{self.fleet.server.device['PROJECT_ID']}/models/{self.fleet.model}:download"
        status, headers, answer = line.ask("GET", path, None, {**self.headers(), **self.named()})
        if status not in (200, 304):
            raise Refused(f"{self.fleet.model}:download: {status} {answer[:200]!r}")
        return headers["ETag"]

    def named(self):
        """What it says of its versions when it asks: which one it has now."""
        return {"If-None-Match": self.hash} if self.hash else {}

    def health(self, digest, **counts):
        return {"health": {"model": self.fleet.model, "modelHash": digest, **counts}}

    def report(self, line, items):
        for item in items:
            self.sequence += 1
            item |= {"sequence": self.sequence, "time": "2027-01-15T08:00:00Z"}
        path = f"/hearth/v1/projects/{self.fleet.server.device['PROJECT_ID']}/events"
        self.answer(line, "POST", path, {"journal": self.fid, "items": items}, self.headers())

    def headers(self):
        key = {"x-goog-api-key": self.fleet.server.device["API_KEY"]}
        return key | ({"x-goog-firebase-installations-auth": self.token} if self.token else {})

    def answer(self, line, method, path, body, headers):
        headers = {**self.headers(), **headers, "Content-Type": "application/json"}
        status, _, answer = line.ask(method, path, json.dumps(body).encode(), headers)
        if status != 200:
            raise Refused(f"{path}: {status} {answer[:200]!r}")
        return json.loads(answer)


class WireFleet:
    """Devices that take their turns about every `interval` seconds, played by a few threads."""

    def __init__(self, server, model, bad, chosen):
        self.server, self.model, self.bad = server, model, bad
        self.runs, self.unusual_share, self.seed = chosen.runs, chosen.unusual_share, chosen.seed
        self.interval = chosen.interval
        self.devices = [WireDevice(self, number) for number in range(chosen.devices - chosen.programs)]
        self.problems = []
        self.is_over = False
        self.changed = threading.Condition()
        # By time; those at the beginning as soon as somebody can play them.
        self.due = [(0, number) for number in range(len(self.devices))]
        self.threads = [threading.Thread(target=self.play, daemon=True) for _ in range(chosen.workers)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()
        for thread in self.threads:
            thread.join()

    def play(self):
        line = Line(self.server)
        while (number := self.next()) is not None:
            device = self.devices[number]
            pause = self.interval * device.random.uniform(0.9, 1.1)
            try:
                # The first turns come all at once, the second ones spread over the interval.
                pause = self.interval * device.random.random() if device.turns == 0 else pause
                device.turn(line)
            except (OSError, http.client.HTTPException):
                line, pause = Line(self.server), PAUSE_AFTER_FAILURE
            except Refused as error:
                self.problems.append(str(error))
            with self.changed:
                heapq.heappush(self.due, (time.monotonic() + pause, number))
                self.changed.notify()

    def next(self):
        """Waits until a device is due; None when it is over."""
        with self.changed:
            while not self.is_over:
                wait = self.due[0][0] - time.monotonic() if self.due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self.due)[1]
                self.changed.wait(wait)
            return None
