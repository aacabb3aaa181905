"""A guarded rollout while its servers are replaced by those of a newer program: its guards must neither fail nor stop it meanwhile,
and must still stop it afterwards."""

import http.client
import threading

from campaign import model_format, small_models
from campaign.client import Admin, Line, Refused
from campaign.cluster import poll
from campaign.wire_devices import RUN_CLASSES, WireDevice

MODEL = "guarded"
VERSION = "MAXIMUM i32[3] i32[3] > i32[3] | 39"
GUARDS = ["returned-without", "load-failures", "crashes", "failed-runs", "run-time"]
DEVICES = 300
SHARE, LARGER_SHARE = 0.1, 0.5
# On so many devices a load fails now and then, whichever version they have.
UNLUCKY_SHARE = 0.1
# Guards compare what happened in ten minutes, and the deciding server waits for what the others saw.
SIGHT_SECONDS = 720


class RolloutDevice(WireDevice):
    def __init__(self, rollout, number):
        super().__init__(rollout, number)
        self.hash = rollout.old
        self.is_unlucky = self.random.random() < UNLUCKY_SHARE

    def turn(self, line):
        if self.token is None:
            self.register(line)
        offered = self.ask(line)
        failures = {"loadFailures": {"loadCheck": 1}} if self.is_unlucky and self.random.random() < 0.1 else {}
        items = []
        if offered == self.fleet.new and self.hash != offered and self.fleet.is_broken:
            if not self.rejected:
                items.append(self.health(offered, loadFailures={"loadCheck": 1}, rejected=1))
            self.rejected = True
        elif offered != self.hash:
            self.hash = offered
            items.append(self.health(offered, installed=1))
        items.append(self.health(self.hash, loads=1, runs=1, runTimes=[[self.random.choice(RUN_CLASSES), 1]], **failures))
        self.report(line, items)

    def named(self):
        words = {"x-hearth-cannot-install": f"rejected={self.fleet.new[:16]}"} if self.rejected else {}
        return super().named() | words


class GuardedRollout:
    """A release of version 2 to a tenth of devices of its own, which ask and report until they are stopped. Once it is broken, no
    further device can load that version."""

    def __init__(self, cluster, seed):
        # `server`, `model` and `seed` are what `WireDevice` looks at.
        self.server, self.model, self.seed = cluster, MODEL, f"{seed} {MODEL}"
        self.is_broken = False
        self.problems, self.turns = [], 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run)
        admin = Admin(cluster)
        file = model_format.write(small_models.make(VERSION))
        uploads = [admin.upload(f"{MODEL}.tflite", data) for data in (file, file + bytes(64))]
        self.old, self.new = (upload["sha256"] for upload in uploads)
        model = admin.create(MODEL, uploads[0]["gcsTfliteUri"])
        admin.publish(model["name"])
        self.path = f"{admin.hearth}/models/{model['name'].split('/')[-1]}"
        admin.json("POST", f"{self.path}/versions", {"source": uploads[1]["gcsTfliteUri"]})
        body = {"version": 2, "share": SHARE, "guarding": {"onHarm": "rollback"}}
        if not poll(lambda: self._make(admin, body), 60):
            raise RuntimeError("the version of the guarded rollout is still being checked after a minute")
        self.devices = [RolloutDevice(self, number) for number in range(DEVICES)]

    def _make(self, admin, body):
        try:
            self.url = f"{self.path}/releases/{admin.json('POST', f'{self.path}/releases', body)['release']}"
        except Refused as error:
            if "still being checked" not in str(error):
                raise
            return False
        return True

    def start(self):
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join()

    def look(self):
        return Admin(self.server).json("GET", self.url)

    def look_at_end(self):
        """Expects that nobody has stopped it, that guards look at it, and that they stop it when no further device can load the
        version. What they saw, in words."""
        if not poll(lambda: self._devices().get("takingPart", {}).get("below", 0) > DEVICES / 2, SIGHT_SECONDS):
            self.problems.append(f"{MODEL}: {SIGHT_SECONDS} s after the last change the servers see {self._devices()}")
        release = self.look()
        guarding, before = release["guarding"], self._devices()
        if (release["state"], release["share"]) != ("active", SHARE) or guarding.get("stop"):
            self.problems.append(f"{MODEL}: the release is {release['state']} at {release['share']:.0%}: {guarding.get('stop')}")
        if sorted(guard["name"] for guard in guarding["guards"]) != sorted(GUARDS):
            self.problems.append(f"{MODEL}: the guards are {guarding['guards']}")
        self.is_broken = True
        Admin(self.server).json("PATCH", self.url, {"share": LARGER_SHARE})
        if not poll(lambda: self.look()["state"] == "ended", SIGHT_SECONDS):
            self.problems.append(f"{MODEL}: not stopped {SIGHT_SECONDS} s after more devices cannot load it: {self.look()}")
        stop = self.look()["guarding"].get("stop") or {}
        if stop.get("name") not in ("load-failures", "returned-without"):
            self.problems.append(f"{MODEL}: stopped by {stop or 'nobody'}")
        return (
            f"{DEVICES} devices, {self.turns} turns; watched since {before.get('since')}, {before.get('takingPart')} took part before "
            f"the share grew; stopped by {stop.get('name')}: {stop.get('reason')}")

    def _devices(self):
        return self.look()["guarding"].get("devices") or {}

    def _run(self):
        line = Line(self.server)
        while not self.stopping.is_set():
            for device in self.devices:
                try:
                    device.turn(line)
                    self.turns += 1
                except Refused as error:
                    self.problems.append(f"{MODEL}: {error}")
                except (OSError, http.client.HTTPException) as error:
                    self.problems.append(f"{MODEL}: {type(error).__name__}: {error}")
                    line = Line(self.server)
                if self.stopping.wait(0.01):
                    return
