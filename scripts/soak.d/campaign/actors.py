"""Who changes things on a server while it may be killed at any moment: each keeps account of what was confirmed to it, and
says after the restart what of that is lost."""

import hashlib
import http.client
import random
import shutil
import subprocess
import threading

from campaign.client import Admin, Refused, call, refusal


class Actor:
    """Does one step after the other for as long as the server lives."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.confirmations = 0
        self.problem = None

    def run(self, server):
        try:
            self.begin(server)
            while True:
                self.step()
                self.confirmations += 1
        except (OSError, http.client.HTTPException):
            pass  # The server was killed.
        except (Refused, KeyError, ValueError) as error:
            self.problem = f"{self.name}: {error}"

    def begin(self, server):
        self.admin = Admin(server)

    def step(self):
        raise NotImplementedError

    def check(self, server, device):
        """What is wrong after a restart; takes over what the server turned out to have done."""
        raise NotImplementedError

    def expect(self, condition, text):
        if not condition:
            raise ValueError(text)


class Pusher(Actor):
    """Pushes versions of one model and publishes them."""

    def __init__(self, name, seed, base):
        super().__init__(name, seed)
        self.base = base
        self.confirmed = None
        self.released = None
        self.maybe = set()

    def step(self):
        # Bytes behind a model do not change it, only its hash; now and then so many that the kill hits the upload.
        data = self.base + self.random.randbytes(self.random.choice((16, 1000, 50_000, 1_000_000)))
        digest = hashlib.sha256(data).hexdigest()
        upload = self.admin.upload(f"{self.name}.tflite", data, resumable=self.random.random() < 0.3)
        self.expect(upload["sha256"] == digest, "the server confirmed another hash than it was sent")
        self.maybe.add(digest)
        known = self.admin.find(self.name)
        model = self.admin.update(known["name"], upload["gcsTfliteUri"]) if known else self.admin.create(
            self.name, upload["gcsTfliteUri"])
        self.expect(model["modelHash"] == digest, "the model does not have the bytes that were pushed")
        self.confirmed = digest
        self.admin.publish(model["name"])
        self.released = digest
        self.maybe = set()

    def check(self, server, device):
        model = Admin(server).find(self.name)
        if model is None:
            return [f"{self.name}: a confirmed model is gone"] if self.confirmed else []
        allowed = self.maybe | {self.confirmed}
        problems = []
        if model.get("modelHash") not in allowed:
            problems.append(f"{self.name}: has {model.get('modelHash')}, which is not the confirmed version")
        info = device.info(self.name)
        if info is None:
            if self.released:
                problems.append(f"{self.name}: was published, and is no more")
        else:
            digest, link = info
            if digest not in allowed | {self.released}:
                problems.append(f"{self.name}: devices get {digest}, which was not published last")
            if hashlib.sha256(device.fetch(link)).hexdigest() != digest:
                problems.append(f"{self.name}: the download does not have the announced hash")
            self.released = digest
        self.confirmed = model.get("modelHash")
        self.maybe = set()
        return problems


class Releaser(Actor):
    """Changes the staged rollouts of a model of its own."""

    AT_ONCE = 6

    def __init__(self, name, seed, base):
        super().__init__(name, seed)
        self.base = base
        self.url = None
        # By number: what was confirmed last. The release under change, or 0 for one being made, may be otherwise.
        self.known = {}
        self.changing = None

    def begin(self, server):
        super().begin(server)
        model = self.admin.find(self.name)
        if model is None:
            upload = self.admin.upload(f"{self.name}.tflite", self.base)
            model = self.admin.create(self.name, upload["gcsTfliteUri"])
        self.url = f"{self.admin.hearth}/models/{model['name'].split('/')[-1]}/releases"

    def step(self):
        open_ones = [number for number, release in self.known.items() if release[1] != "ended"]
        if len(open_ones) < 2 or (len(open_ones) < self.AT_ONCE and self.random.random() < 0.3):
            self.changing = 0
            # One version cannot be rolled out to one audience twice at a time.
            audience = {"tags": [f"t{len(self.known)}"]}
            self.keep(self.admin.json("POST", self.url, {"share": self.share(), "audience": audience}))
            return
        self.changing = self.random.choice(open_ones)
        url = f"{self.url}/{self.changing}"
        is_paused = self.known[self.changing][1] == "paused"
        action = self.random.choice(("share", "share", "pause", "end"))
        if action == "share":
            self.keep(self.admin.json("PATCH", url, {"share": self.share()}))
        elif action == "pause":
            self.keep(self.admin.json("POST", url + (":resume" if is_paused else ":pause"), {}))
        else:
            self.keep(self.admin.json("POST", f"{url}:end", {}))

    def share(self):
        return self.random.randrange(1, 99) / 100

    def keep(self, release):
        self.known[release["release"]] = self.summary(release)
        self.changing = None

    @staticmethod
    def summary(release):
        return round(release["share"], 6), release["state"]

    def check(self, server, device):
        if self.url is None:
            return []
        admin = Admin(server)
        model = admin.find(self.name)
        if model is None:
            return [f"{self.name}: the model is gone"] if self.known else []
        url = f"{admin.hearth}/models/{model['name'].split('/')[-1]}/releases"
        found = {r["release"]: self.summary(r) for r in admin.json("GET", url).get("releases", [])}
        problems = [
            f"{self.name}: release {number} is {found.get(number)}, not {release}"
            for number, release in self.known.items() if number != self.changing and found.get(number) != release]
        if len(found) > len(self.known) + (self.changing == 0):
            problems.append(f"{self.name}: there are releases that nobody asked for")
        self.known, self.changing = found, None
        return problems


class Rotator(Actor):
    """Makes, rotates and ends API keys and admin tokens."""

    def __init__(self, name, seed):
        super().__init__(name, seed)
        # By kind and id: the secret. What is changed while the server dies may be either way.
        self.good = {}
        self.ended = {}
        self.changing = None

    def step(self):
        hearth = self.admin.hearth
        if len(self.good) < 4 or (len(self.good) < 12 and self.random.random() < 0.4):
            self.changing = None
            if self.random.random() < 0.5:
                made = self.admin.json("POST", f"{hearth}/apiKeys", {"name": self.name})
                self.good["apiKeys", made["id"]] = made["key"]
            else:
                made = self.admin.json("POST", f"{hearth}/adminTokens", {"name": self.name, "role": "viewer"})
                self.good["adminTokens", made["id"]] = made["token"]
            return
        kind, key = self.changing = self.random.choice(sorted(self.good))
        secret = self.good.pop(self.changing)
        if kind == "apiKeys" and self.random.random() < 0.6:
            made = self.admin.json("POST", f"{hearth}/apiKeys/{key}:rotate", {"graceSeconds": 0})
            self.good["apiKeys", made["id"]] = made["key"]
        else:
            self.admin.json("DELETE", f"{hearth}/{kind}/{key}")
        self.ended[kind, key] = secret
        self.changing = None

    def check(self, server, device):
        self.changing = None  # Good or ended: it is in neither list.
        problems = []
        admin = Admin(server)
        for (kind, key), secret in self.good.items():
            if not self.works(kind, secret, admin, device):
                problems.append(f"{self.name}: {kind}/{key} was confirmed, and is refused")
        for (kind, key), secret in list(self.ended.items())[-12:]:
            if self.works(kind, secret, admin, device):
                problems.append(f"{self.name}: {kind}/{key} was ended, and still works")
        return problems

    @staticmethod
    def works(kind, secret, admin, device):
        if kind == "adminTokens":
            status, _, _ = call("GET", admin.models, None, {"Authorization": f"Bearer {secret}"})
        else:
            headers = {**device.headers, "x-goog-api-key": secret}
            status, _, _ = call("GET", f"{device.models}/no-such-model:download", None, headers)
        if status not in (200, 404, 401, 403):
            raise refusal(status, f"a look with a {kind} was answered with {status}")
        return status in (200, 404)


class Keeper(Actor):
    """Makes backups beside the running server, and is killed with it."""

    def __init__(self, name, seed, program, data, folder):
        super().__init__(name, seed)
        self.program, self.data, self.folder = program, data, folder
        self.process = None
        self.newest = None
        self.tries = 0
        # A backup needs no server, so somebody has to say when the round is over.
        self.turn = threading.Lock()
        self.is_over = False

    def begin(self, server):
        self.is_over = False

    def step(self):
        with self.turn:
            if self.is_over:
                raise OSError("the round is over")
            self.tries += 1
            target = self.folder / f"backup-{self.tries}"
            self.process = subprocess.Popen(
                [self.program, "admin", "backup", str(target), "--data", str(self.data)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, errors = self.process.communicate()
        if self.process.returncode < 0:
            raise OSError("killed")
        self.expect(self.process.returncode == 0, f"a backup failed: {errors.decode()[-300:]}")
        if self.newest:
            shutil.rmtree(self.newest)
        self.newest = target

    def kill(self):
        with self.turn:
            self.is_over = True
            if self.process and self.process.poll() is None:
                self.process.kill()

    def check(self, server, device):
        """The newest complete backup must become a sound data folder; what was cut short must not look complete."""
        problems = []
        for path in self.folder.glob("backup-*"):
            if path == self.newest:
                problems += [f"{self.name}: {text}" for text in self.restore(path)]
            elif not self.is_refused(path):
                # Renamed into place, and killed before it could say so.
                problems += [f"{self.name}: {text}" for text in self.restore(path)]
            if path != self.newest:
                shutil.rmtree(path)
        return problems

    def restore(self, path):
        target = self.folder / "restored"
        ended = subprocess.run(
            [self.program, "admin", "restore", str(path), "--data", str(target)], capture_output=True, text=True)
        try:
            if ended.returncode != 0:
                return [f"a complete backup cannot be restored: {ended.stderr[-300:]}"]
            return verify(self.program, target)
        finally:
            shutil.rmtree(target, ignore_errors=True)

    def is_refused(self, path):
        target = self.folder / "refused"
        ended = subprocess.run(
            [self.program, "admin", "restore", str(path), "--data", str(target)], capture_output=True, text=True)
        shutil.rmtree(target, ignore_errors=True)
        return ended.returncode != 0


def verify(program, data):
    """What `hearth admin verify` finds wrong in a data folder."""
    ended = subprocess.run(
        [program, "admin", "verify", "--data", str(data)], capture_output=True, text=True)
    return [] if ended.returncode == 0 else [f"verify: {(ended.stdout + ended.stderr)[-500:].strip()}"]
