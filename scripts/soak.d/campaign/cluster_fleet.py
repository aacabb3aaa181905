"""Devices that ask several servers through a load balancer, and keep account of each answer."""

import base64
import collections
import hashlib
import http.client
import json
import random
import threading
import urllib.parse

from campaign.client import call
from campaign.cluster import poll

EXPERIMENT = "fleet"
# What a call may be answered with 503, and the device waits: it needs the database, or bytes that this server does not have.
WAITING = ("registration", "token", "events", "bytes")
# A load balancer ends connections after many requests, which must not be taken for a failure.
CALLS_PER_CONNECTION = 500
LONGEST_WAIT_SECONDS = 1.0


class Failed(Exception):
    """A call that got no whole answer."""


class Fleet:
    """Devices that ask for these models, take part in the experiment and report, until they are stopped."""

    def __init__(self, cluster, models, chosen):
        self.cluster, self.models = cluster, models
        self.problems, self.counts = collections.Counter(), collections.Counter()
        self.lock, self.stopping = threading.Lock(), threading.Event()
        # By model: the hashes that devices were told.
        self.told = {model: set() for model in models}
        # Installation, variant and number of events of those that were replaced.
        self.former = []
        self.devices = [FleetDevice(self, chosen.seed * 100_003 + n) for n in range(chosen.devices)]
        shares = [self.devices[n::chosen.workers] for n in range(chosen.workers)]
        self.threads = [threading.Thread(target=self._work, args=(share, n)) for n, share in enumerate(shares) if share]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        """After the last report of each device was counted."""
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def reports(self):
        """What must be counted, by the installation's name in tables: its variant, events and their sum."""
        living = [(device.fid, device.variant, device.events) for device in self.devices if device.variant is not None]
        return {named(fid): (variant, events, float(events)) for fid, variant, events in living + self.former}

    def problem(self, text):
        with self.lock:
            self.problems[text] += 1

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def _work(self, share, number):
        line, order = Line(self), random.Random(number)
        while not self.stopping.is_set():
            device = order.choice(share)
            try:
                device.live(line)
            except Failed:
                pass
        for device in share:
            if not poll(lambda: device.settle(line), 120):
                self.problem("a report was not taken after two minutes without faults")


class Line:
    """One connection at a time, for one thread."""

    def __init__(self, fleet):
        self.fleet, self.connection, self.calls = fleet, None, 0

    def ask(self, kind, method, path, body=None, headers=()):
        """Status, headers and body. Notes as a problem what must not happen, and raises `Failed` where there is no use of the
        answer."""
        status, headers, answer = self._exchange(kind, method, path, body, dict(headers))
        if status == 503 and kind in WAITING:
            self.fleet.count(f"{kind}: told to wait")
            if not headers.get("Retry-After"):
                self.fleet.problem(f"{kind}: 503 without Retry-After")
            self.fleet.stopping.wait(min(LONGEST_WAIT_SECONDS, float(headers.get("Retry-After") or 1)))
            raise Failed
        if status >= 500:
            self.fleet.problem(f"{kind}: {status} {answer[:200]!r}")
            raise Failed
        self.fleet.count(kind)
        return status, headers, answer

    def _exchange(self, kind, method, path, body, headers):
        if self.calls % CALLS_PER_CONNECTION == 0:
            self._close()
            self.connection = http.client.HTTPConnection(self.fleet.cluster.host, self.fleet.cluster.port, timeout=60)
        self.calls += 1
        try:
            self.connection.request(method, path, body=body, headers=headers)
            response = self.connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._begin_again()
            self.fleet.problem(f"{kind}: failed before the answer began: {type(error).__name__} {error}")
            raise Failed from error
        try:
            return response.status, response.headers, response.read()
        except http.client.IncompleteRead as error:
            self._begin_again()
            self.fleet.count(f"{kind}: cut in the middle")
            return response.status, response.headers, error.partial
        except (OSError, http.client.HTTPException) as error:
            self._begin_again()
            self.fleet.count(f"{kind}: cut in the middle")
            raise Failed from error

    def _begin_again(self):
        self._close()
        self.calls = 0

    def _close(self):
        if self.connection:
            self.connection.close()


class FleetDevice:
    def __init__(self, fleet, seed):
        self.fleet, self.random = fleet, random.Random(seed)
        self.fid = self.token = self.refresh = self.variant = None
        # By model: the hash of the bytes that it has.
        self.has = {}
        self.journal = self.new_journal()
        self.sequence = self.events = 0
        self.pending = []

    def new_journal(self):
        return "".join(self.random.choices("abcdefghijklmnop", k=22))

    @property
    def project(self):
        return self.fleet.cluster.device["PROJECT_ID"]

    @property
    def headers(self):
        own = {"x-goog-api-key": self.fleet.cluster.device["API_KEY"], "Content-Type": "application/json"}
        return own | ({"x-goog-firebase-installations-auth": self.token} if self.token else {})

    def live(self, line):
        """One thing that a device does."""
        if self.token is None:
            return self.register(line)
        if self.variant is None:
            return self.join(line)
        draw = self.random.random()
        if draw < 0.55:
            self.update(line, self.random.choice(self.fleet.models))
        elif draw < 0.75:
            self.fetch(line)
        elif draw < 0.95:
            self.report(line)
        elif draw < 0.99:
            self.renew(line)
        elif not self.pending:
            self.install_again()

    def install_again(self):
        """Becomes another installation. What this one reported stays counted."""
        self.fleet.count("installed again")
        with self.fleet.lock:
            self.fleet.former.append((self.fid, self.variant, self.events))
        self.fid = self.token = self.refresh = self.variant = None
        self.journal, self.sequence, self.events, self.has = self.new_journal(), 0, 0, {}

    def register(self, line):
        # Chosen by the device, so that a second try is the same installation.
        if self.fid is None:
            number = bytes([0x70 | self.random.getrandbits(4)]) + self.random.randbytes(16)
            self.fid = base64.urlsafe_b64encode(number).decode()[:22]
        body = {"fid": self.fid, "appId": self.fleet.cluster.device["GOOGLE_APP_ID"], "authVersion": "FIS_v2"}
        answer = self.success(line.ask(
            "registration", "POST", f"/v1/projects/{self.project}/installations", json.dumps(body).encode(), self.headers))
        if answer["fid"] != self.fid:
            self.fleet.problem("registration: another installation than was asked for")
        self.token, self.refresh = answer["authToken"]["token"], answer["refreshToken"]

    def renew(self, line):
        path = f"/v1/projects/{self.project}/installations/{self.fid}/authTokens:generate"
        answer = self.success(line.ask("token", "POST", path, b"{}", {**self.headers, "Authorization": f"FIS_v2 {self.refresh}"}))
        self.token = answer["token"]

    def success(self, answered):
        status, _, answer = answered
        if status != 200:
            self.fleet.problem(f"a device was refused: {status} {answer[:200]!r}")
            raise Failed
        try:
            return json.loads(answer)
        except ValueError as error:
            raise Failed from error  # Cut in the middle.

    def join(self, line):
        """Gets its variant of the experiment."""
        answer = self.fetch(line)
        own = [one for one in answer.get("experimentDescriptions", []) if one["experimentId"] == EXPERIMENT]
        if not own:
            self.fleet.problem("an installation has no part in the experiment")
            raise Failed
        self.variant = own[0]["variantId"]
        self.pending = [self.item(exposure={"experiment": EXPERIMENT, "variant": self.variant})]

    def fetch(self, line):
        return self.success(line.ask(
            "fetch", "POST", f"/v1/projects/{self.project}/namespaces/firebase:fetch", b"{}", self.headers))

    def item(self, **what):
        self.sequence += 1
        return {"sequence": self.sequence, "time": "2027-01-15T08:00:00Z", **what}

    def report(self, line):
        self.pending = self.pending or [
            self.item(event={"name": "used", "value": 1}) for _ in range(self.random.choice((1, 2, 10)))]
        self.send(line)

    def send(self, line):
        body = json.dumps({"journal": self.journal, "items": self.pending}).encode()
        answer = self.success(line.ask(
            "events", "POST", f"/hearth/v1/projects/{self.project}/events", body, self.headers))
        if answer["accepted"] != self.pending[-1]["sequence"]:
            self.fleet.problem(f"events: {answer['accepted']} taken of {self.pending[-1]['sequence']}")
        self.events += sum("event" in item for item in self.pending)
        self.pending = []

    def settle(self, line):
        """Whether all its reports are counted."""
        try:
            if self.token and self.pending:
                self.send(line)
        except Failed:
            pass
        return not self.pending

    def update(self, line, model):
        path = f"/v1beta2/projects/{self.project}/models/{model}:download"
        known = {"If-None-Match": self.has[model]} if model in self.has else {}
        status, headers, answer = line.ask("download", "GET", path, None, {**self.headers, **known})
        if status not in (200, 304):
            self.fleet.problem(f"download: {status} {answer[:200]!r}")
            raise Failed
        digest = headers["ETag"]
        with self.fleet.lock:
            self.fleet.told[model].add(digest)
        if status == 304:
            if digest != self.has[model]:
                self.fleet.problem("download: 304 for another version than the device has")
            return
        try:
            answer = json.loads(answer)
        except ValueError as error:
            raise Failed from error
        self.take(line, model, digest, answer["downloadUri"], int(answer["sizeBytes"]))

    def take_past_servers(self, model, digest, link):
        status, _, data = call("GET", link)
        if status != 200 or hashlib.sha256(data).hexdigest() != digest:
            self.fleet.problem(f"bytes from the store: {status}, {len(data)} bytes")
            raise Failed
        self.fleet.count("bytes from the store")
        self.has[model] = digest

    def take(self, line, model, digest, link, size):
        """The bytes; what was cut is continued where it was."""
        parts = urllib.parse.urlsplit(link)
        if parts.netloc != self.fleet.cluster.files:
            self.fleet.problem(f"a link to {parts.netloc}")
        if parts.netloc != urllib.parse.urlsplit(self.fleet.cluster.url).netloc:
            return self.take_past_servers(model, digest, link)
        data = b""
        for _ in range(200):
            span = {"Range": f"bytes={len(data)}-", "If-Range": f'"{digest}"'} if data else {}
            try:
                status, _, answer = line.ask("bytes", "GET", f"{parts.path}?{parts.query}", None, span)
            except Failed:
                if self.fleet.stopping.is_set():
                    raise
                continue
            if status != (206 if data else 200):
                self.fleet.problem(f"bytes: {status} {answer[:200]!r}")
                raise Failed
            if data:
                self.fleet.count("bytes: resumed")
            data += answer
            if len(data) >= size:
                break
        if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
            self.fleet.problem(f"bytes: {len(data)} of {size}, with another hash")
            raise Failed
        self.has[model] = digest


def named(fid):
    """Tables name installations as logs do."""
    return "device:" + hashlib.sha256(fid.encode()).hexdigest()[:12]
