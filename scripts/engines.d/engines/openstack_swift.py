"""OpenStack Swift with its S3 interface: a second S3-compatible store, by other people and with other limits."""

from __future__ import annotations

import os
import pathlib
import subprocess

from engines import s3
from engines.keeper import Keeper
from engines.process import HOST, Engine, Process, free_port, is_listening

# With a colon, which clients forget to encode.
ACCESS = "test:hearth"
SECRET = "another/secret+for/tests=="
KINDS = ("account", "container", "object")
# Its programs read this file, and no setting moves it.
SETTINGS = "/etc/swift"
PIPELINE = (
    "catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo versioned_writes symlink proxy-server")

# Four parts, one copy of each, on the only device.
RINGS = """
import sys
from swift.common.ring import RingBuilder
folder, host, *servers = sys.argv[1:]
for server in servers:
    kind, port = server.split("=")
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "ip": host, "port": int(port), "device": "d1", "weight": 1.0})
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{kind}.ring.gz")
"""


class OpenStackSwift(Engine):
    """One server of each kind with memcached, and one copy of the data. `processes[-1]` is the proxy, which clients talk to."""

    name = "openstack-swift"

    def __init__(self, keeper: Keeper) -> None:
        super().__init__(keeper)
        self.port = free_port()
        for part in ("settings", "devices/d1", "cache"):
            (self.folder / part).mkdir(parents=True)
        self._write("settings/swift.conf", """
[swift-hash]
swift_hash_path_prefix = hearth
swift_hash_path_suffix = tests
[storage-policy:0]
name = one
default = yes
""")
        self._storage_ports: list[int] = []
        self._cache_port = free_port()
        cache = Process(keeper, "memcached", ["memcached", "-u", "root", "-l", HOST, "-p", str(self._cache_port), "-U", "0"])
        self.processes = [cache] + [self._storage(kind) for kind in KINDS] + [self._proxy()]
        self._make_rings()

    @property
    def url(self) -> str:
        return s3.url("http", ACCESS, SECRET, HOST, self.port)

    @property
    def store(self) -> s3.Store:
        return s3.Store(self.url)

    def is_ready(self) -> bool:
        # The proxy answers before the servers behind it.
        if not all(map(is_listening, [self._cache_port, *self._storage_ports])):
            return False
        try:
            return self.store.request("GET", "/", timeout=5).status == 200
        except OSError:
            return False

    def _storage(self, kind: str) -> Process:
        port = free_port()
        self._storage_ports.append(port)
        self._write(f"{kind}.conf", f"""
[DEFAULT]
{self._common(port)}
devices = {self.folder}/devices
mount_check = false
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
""")
        return self._process(kind)

    def _make_rings(self) -> None:
        """What says which server has which data. In one process: the program for it takes half a second for each step."""
        arguments = [str(self.folder), HOST, *(f"{kind}={port}" for kind, port in zip(KINDS, self._storage_ports))]
        result = subprocess.run(["/usr/bin/python3", "-c", RINGS, *arguments], capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"the rings cannot be made: {result.stderr}")

    def _proxy(self) -> Process:
        filters = {name: f"use = egg:swift#{name}" for name in PIPELINE.split()[:-1]}
        filters["cache"] = f"use = egg:swift#memcache\nmemcache_servers = {HOST}:{self._cache_port}"
        filters["s3api"] += f"\nlocation = {s3.REGION}"
        filters["tempauth"] += f"\nuser_{ACCESS.replace(':', '_')} = {SECRET} .admin"
        filters["versioned_writes"] += "\nallow_object_versioning = true"
        sections = "\n".join(f"[filter:{name}]\n{text}" for name, text in filters.items())
        self._write("proxy.conf", f"""
[DEFAULT]
{self._common(self.port)}
[pipeline:main]
pipeline = {PIPELINE}
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
{sections}
""")
        return self._process("proxy")

    def _common(self, port: int) -> str:
        return (
            f"bind_ip = {HOST}\nbind_port = {port}\nworkers = 0\nuser = root\nswift_dir = {self.folder}\n"
            f"recon_cache_path = {self.folder}/cache\nlog_level = INFO")

    def _process(self, kind: str) -> Process:
        # In a view of the machine's files of its own, where these settings are at the place of the machine's.
        view = ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c"]
        mount = f'mount --bind "$0" {SETTINGS} && exec "$@"'
        return Process(self.keeper, f"swift-{kind}", [
            *view, mount, str(self.folder / "settings"), f"swift-{kind}-server", str(self.folder / f"{kind}.conf"), "-v"])

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text.lstrip())


def why_not() -> str | None:
    """Why it cannot run here, or None."""
    if os.geteuid() != 0:
        return "it needs root"
    if not pathlib.Path(SETTINGS).is_dir():
        return "it is not installed; scripts/engines installs it"
    if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "this machine permits no mounts, as in a container"
    return None
