"""The disk of one server, which is small and gets full."""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import time
import urllib.parse

from campaign import options
from campaign.client import Admin, Device, call
from campaign.cluster import START_SECONDS, poll
from campaign.cluster_fleet import Fleet
from campaign.cluster_keys import HEARING_SECONDS, at

SIZE = "48m"
MODELS = 3
# A file that fits neither on the disk nor into the memory for copies, and how often it is asked for at the load balancer.
LARGE_BYTES, LARGE_FETCHES = 68 << 20, 6
# Of the fleet that asks while the disk is full.
SECONDS, DEVICES = 4, 40


class SmallDisk:
    """The folder of `member` is on a file system of its own, which is empty at first. Use it in a `with` statement, which ends and
    starts the server. Only root may mount; for others it is an empty folder on the same disk, and `is_small` is false."""

    def __init__(self, member):
        self.member, self.is_small = member, False

    def __enter__(self):
        self.member.kill()
        # What was there stays below.
        self.former = self.member.data.with_name(self.member.data.name + "-former")
        self.member.data.rename(self.former)
        self.member.data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            mounted = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", self.member.data], capture_output=True, check=False)
            self.is_small = mounted.returncode == 0
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.member.kill()
        if self.is_small:
            subprocess.run(["umount", "-l", self.member.data], check=True)
        shutil.rmtree(self.member.data)
        self.former.rename(self.member.data)
        self._start()

    def _start(self):
        self.member.start()
        if not poll(self.member.is_ready, START_SECONDS):
            raise RuntimeError(f"server {self.member.number} is not ready over another disk: {self.member.readiness()}")

    def fill(self):
        """Writes until nothing more fits."""
        path = pathlib.Path(self.member.data) / "filling"
        for size in (1 << 16, 64):
            with open(path, "ab", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))


def look_at_full_disk(cluster, disk, chosen):
    """What is wrong with the calls of devices through the load balancer while one server's disk is full. Models are pushed at
    another server."""
    disk.fill()
    base = (options.ROOT / "Models/digits-labeler/model.tflite").read_bytes()
    admin, names = Admin(at(cluster, cluster.members[0])), []
    for number in range(MODELS):
        name = f"while-full-{number}"
        model = admin.create(name, admin.upload(f"{name}.tflite", base + os.urandom(500_000))["gcsTfliteUri"])
        admin.publish(model["name"])
        names.append(name)
    # A server tells devices of a model when it has heard of it.
    for member in cluster.members:
        device = Device(at(cluster, member))
        if not all(poll(lambda: device.info(name), HEARING_SECONDS) for name in names):
            raise RuntimeError(f"server {member.number} does not know all models of {names}")
    # Other devices than those at work before.
    fleet = Fleet(cluster, names, argparse.Namespace(**vars(chosen) | {"seed": chosen.seed + 500_009, "devices": DEVICES}))
    fleet.start()
    time.sleep(SECONDS)
    fleet.stop()
    problems = [f"while the disk of one server was full, {count} times: {text}" for text, count in fleet.problems.items()]
    if not fleet.counts["bytes"]:
        problems.append("while the disk of one server was full, no device got a file")
    return problems + _look_at_large_file(cluster, disk, admin, base)


def _look_at_large_file(cluster, disk, admin, base):
    """The server says that it has no room for the file, and the load balancer asks another one."""
    file = base + os.urandom(LARGE_BYTES - len(base))
    name = "while-full-large"
    model = admin.create(name, admin.upload(f"{name}.tflite", file)["gcsTfliteUri"])
    admin.publish(model["name"])
    _, link = Device(at(cluster, cluster.members[0])).info(name)
    path = urllib.parse.urlsplit(link)._replace(scheme="", netloc="").geturl()
    status, headers, _ = call("GET", disk.member.url + path)
    if status != 503 or not headers["Retry-After"]:
        return [f"a full server answers {status} to a file of {len(file)} bytes, and not 503 with Retry-After"]
    statuses = []
    for _ in range(LARGE_FETCHES):
        status, _, answer = call("GET", cluster.url + path)
        statuses.append(status if answer == file or status != 200 else "other bytes")
    return [] if statuses == [200] * LARGE_FETCHES else [
        f"while the disk of one server was full, the load balancer answered {statuses} to requests for a large file"]
