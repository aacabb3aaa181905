"""Someone with access to the bucket puts wrong objects in the place of model files."""

import contextlib
import hashlib
import os
import subprocess
import threading
import time
import urllib.parse

from campaign import options
from campaign.client import Admin, Device, call
from campaign.cluster import BUCKET, STORE_FOLDER, poll
from campaign.cluster_keys import at

OVERSIZED = 24 << 20
# What a server may write beside a model file: its log, and records of its own.
MARGIN = 1 << 20
HEALING_SECONDS = 5


class WrongObjects:
    """`empty` is a server that has no model file in its cache; `full` is one that models are pushed to."""

    def __init__(self, cluster, full, empty):
        self.cluster, self.full, self.empty = cluster, full, empty
        self.admin, self.device = Admin(at(cluster, full)), Device(cluster)
        self.links = {}
        self.base = (options.ROOT / "Models/digits-labeler/model.tflite").read_bytes()

    def run(self):
        """What is wrong."""
        return self.heal_by_push() + self.heal_by_command() + self.bound()

    def heal_by_push(self):
        name, data = self._push("damaged")
        self._put(data, bytes(len(data)))
        problems = self._look_for_wrong_bytes(name, data)
        self.admin.upload(f"{name}.tflite", data)
        return problems + self._look_whether_healed(name, data, "the same file was pushed again")

    def heal_by_command(self):
        name, data = self._push("repaired")
        self._put(data, bytes(len(data)))
        command = [
            self.cluster.hearth, "admin", "verify", "--database", self.cluster.postgres.url, "--blobs", self.cluster.blobs,
            "--repair", self.full.data]
        ended = subprocess.run(command, env=self.cluster.hearth_environment(), capture_output=True, text=True)
        problems = self._look_whether_healed(name, data, "hearth admin verify --repair")
        if ended.returncode != 0:
            problems.append(f"hearth admin verify --repair ended with {ended.returncode}: {(ended.stdout + ended.stderr)[-300:].strip()}")
        return problems

    def bound(self):
        """An object larger than its record is not written beyond the record's size."""
        name, data = self._push("oversized")
        self._put(data, data + bytes(OVERSIZED))
        before = folder_bytes(self.empty.data)
        with Largest(self.empty.data) as largest:
            problems = self._look_for_wrong_bytes(name, data)
        grown = largest.bytes - before
        if grown > len(data) + MARGIN:
            problems.append(f"server {self.empty.number} wrote {grown} bytes of an object for a file of {len(data)}")
        self.admin.upload(f"{name}.tflite", data)
        return problems + self._look_whether_healed(name, data, "the right file was pushed in place of a large object")

    def _push(self, name):
        data = self.base + os.urandom(64)
        name = f"{name}-{os.urandom(3).hex()}"
        model = self.admin.create(name, self.admin.upload(f"{name}.tflite", data)["gcsTfliteUri"])
        self.admin.publish(model["name"])
        # Another server may not have heard of it yet.
        def is_told():
            self.links[name] = (self.device.info(name) or (None, None))[1]
            return self.links[name] is not None
        if not poll(is_told, HEALING_SECONDS):
            raise RuntimeError(f"{name} was published, and devices do not get it")
        return name, data

    def _put(self, data, wrong):
        answer = self.cluster.store.store.put(BUCKET, f"{STORE_FOLDER}/blobs/{hashlib.sha256(data).hexdigest()}", wrong)
        if answer.status != 200:
            raise RuntimeError(f"the store does not take a wrong object: {answer.status}")

    def _fetch(self, member, name):
        link = urllib.parse.urlsplit(self.links[name])
        return call("GET", f"{member.url}{link.path}?{link.query}")

    def _look_for_wrong_bytes(self, name, data):
        """A device gets right bytes or none."""
        status, _, bytes_of = self._fetch(self.empty, name)
        return [f"server {self.empty.number} sent wrong bytes of {name}"] if status == 200 and bytes_of != data else []

    def _look_whether_healed(self, name, data, after):
        problems = []
        stored = self.cluster.store.store.get(BUCKET, f"{STORE_FOLDER}/blobs/{hashlib.sha256(data).hexdigest()}").body
        if stored != data:
            problems.append(f"the object of {name} is still wrong after {after}")
        for member in self.cluster.members:
            def is_right(member=member):
                status, _, found = self._fetch(member, name)
                return status == 200 and found == data
            if not poll(is_right, HEALING_SECONDS):
                status, _, text = self._fetch(member, name)
                problems.append(f"server {member.number} does not send {name} after {after}: {status} {text[:100]!r}")
        return problems


class Largest:
    """The most bytes that files in a folder had at once, while the `with` statement ran."""

    def __init__(self, folder):
        self.folder, self.bytes = folder, 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.stopping.is_set():
            self.bytes = max(self.bytes, folder_bytes(self.folder))
            time.sleep(0.002)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()


def folder_bytes(folder):
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(path, name)).st_size
    return total
