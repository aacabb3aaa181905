"""Who changes things through a load balancer while servers, their database and their store fail: each looks what became of a
change whose answer was lost, as a person would, and continues."""

import hashlib
import http.client
import threading
import time

from campaign.actors import Actor, Pusher, Releaser, Rotator
from campaign.client import Admin, Unavailable, call
from campaign.cluster_fleet import EXPERIMENT
from campaign.remote_config import TemplateEditor

AWAY = (OSError, http.client.HTTPException, Unavailable)
# A server may know an ended key for a moment longer, until it hears of the change.
HEARING_SECONDS = 2


class Persistent:
    """Lets an actor do one step after the other until it is stopped. What a fault interrupts is looked at afterwards."""

    def __init__(self, actor, cluster):
        self.actor, self.cluster = actor, cluster
        self.problems, self.interruptions = [], 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def start(self):
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join()

    def _run(self):
        begun = False
        while not self.stopping.is_set():
            try:
                if not begun:
                    self.actor.begin(self.cluster)
                    self.problems += self.actor.recover(self.cluster)
                    begun = True
                self.actor.step()
                self.actor.confirmations += 1
                self.stopping.wait(self.actor.PAUSE_SECONDS)
            except AWAY:
                self.interruptions += 1
                begun = False
                self.stopping.wait(0.2)
            except Exception as error:  # Whatever else was answered must not have been.
                self.problems.append(f"{self.actor.name}: {type(error).__name__}: {error}")
                begun = False
                self.stopping.wait(1)


class ClusterPusher(Pusher):
    PAUSE_SECONDS = 0.3

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # Whatever devices may have got at some time.
        self.allowed = set()

    def step(self):
        try:
            super().step()
        finally:
            self.allowed |= self.maybe | {self.confirmed} - {None}

    def recover(self, cluster):
        """What is wrong after an interruption; takes over what the servers turned out to have done."""
        model = self.admin.find(self.name)
        if model is None:
            return [f"{self.name}: a confirmed model is gone"] if self.confirmed else []
        allowed, digest = self.maybe | {self.confirmed}, model.get("modelHash")
        if digest not in allowed:
            return [f"{self.name}: has {digest}, which is not the confirmed version"]
        if not model.get("state", {}).get("published"):
            if self.released:
                return [f"{self.name}: was published, and is no more"]
            self.admin.publish(model["name"])
        self.confirmed = self.released = digest
        self.maybe = set()
        return []


class Decoy(Actor):
    """A model whose first version is published, and which gets further versions that are not released."""

    PAUSE_SECONDS = 1

    def __init__(self, name, seed, base):
        super().__init__(name, seed)
        self.base, self.digest = base, hashlib.sha256(base).hexdigest()
        self.allowed = {self.digest}

    def prepare(self, cluster):
        self.begin(cluster)
        upload = self.admin.upload(f"{self.name}.tflite", self.base)
        model = self.admin.create(self.name, upload["gcsTfliteUri"])
        self.admin.publish(model["name"])
        self.versions = f"{self.admin.hearth}/models/{model['name'].split('/')[-1]}"
        # From now on new versions wait for their release.
        self.admin.json("POST", f"{self.versions}/releases", {"version": 1})

    def recover(self, cluster):
        return []

    def step(self):
        upload = self.admin.upload(f"{self.name}.tflite", self.base + self.random.randbytes(1000))
        self.admin.json("POST", f"{self.versions}/versions", {"source": upload["gcsTfliteUri"]})


class ClusterReleaser(Releaser):
    PAUSE_SECONDS = 0.3

    def recover(self, cluster):
        return self.check(cluster, None)


class ClusterRotator(Rotator):
    """What was under change at an interruption is forgotten: it may be good or ended."""

    PAUSE_SECONDS = 0.3

    def recover(self, cluster):
        return []

    def settle(self, cluster, device):
        time.sleep(HEARING_SECONDS)
        return self.check(cluster, device)


class ClusterTemplateEditor(TemplateEditor):
    PARAMETERS = 5

    def __init__(self, name, seed, pause):
        super().__init__(name, seed)
        self.PAUSE_SECONDS = pause
        # When the answer came, by number.
        self.answered = {}

    def step(self):
        before = set(self.known)
        super().step()
        for number in set(self.known) - before:
            self.answered[number] = time.monotonic()

    def recover(self, cluster):
        return self.check(cluster, None)


def prepare_experiment(cluster):
    """All installations take part, and none of its variants may win."""
    admin = Admin(cluster)
    definition = {
        "name": EXPERIMENT, "goal": {"event": "used", "kind": "total"}, "stopsAtWinner": False,
        "variants": [{"name": name, "parameters": {"fleet_only": name}} for name in ("a", "b")]}
    admin.json("POST", f"{admin.hearth}/experiments", definition)
    admin.json("POST", f"{admin.hearth}/experiments/{EXPERIMENT}:start", {})


def counted(cluster):
    """What the servers counted, by installation: variant, events and their sum."""
    admin = Admin(cluster)
    status, _, answer = call("GET", f"{admin.hearth}/experiments/{EXPERIMENT}/data", None, admin.headers)
    if status != 200:
        raise RuntimeError(f"the experiment's data: {status} {answer[:200]!r}")
    rows = [line.split(",") for line in answer.decode().splitlines()[1:]]
    return {row[0]: (row[1], int(row[3] or 0), float(row[4] or 0)) for row in rows}
