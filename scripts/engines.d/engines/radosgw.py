"""Ceph's radosgw, an S3-compatible store, over a cluster of one monitor and one object store."""

from __future__ import annotations

import subprocess
import uuid

from engines import s3
from engines.certificates import Certificates
from engines.keeper import Keeper
from engines.process import DEADLINE_SECONDS, HOST, Engine, Process, free_port, is_listening, wait_for

ACCESS = "HEARTHTESTS"
# With the characters that clients forget to encode.
SECRET = "a/secret+with/what=must-be+encoded/40=="
GATEWAY = "client.rgw.a"


class Radosgw(Engine):
    """Has all data in memory, or with `durable` in a file that outlives its processes. `gateway` is what clients talk to, and
    may be killed, paused and started alone; `object_store` keeps the data. With `certificates` it also listens for https."""

    name = "radosgw"

    def __init__(self, keeper: Keeper, durable: bool = False, certificates: Certificates | None = None) -> None:
        super().__init__(keeper)
        self.durable, self.certificates = durable, certificates
        self.port, self.tls_port = free_port(), free_port() if certificates else None
        self._cluster = str(uuid.uuid4())
        self._monitor_ports = (free_port(), free_port())
        self._addresses = f"[v2:{HOST}:{self._monitor_ports[0]},v1:{HOST}:{self._monitor_ports[1]}]"
        self._file = self.folder / "ceph.conf"
        self._file.write_text(self._configuration())
        conf = ["-c", str(self._file)]
        frontend = f"beast endpoint={HOST}:{self.port} tcp_nodelay=1"
        if certificates:
            frontend += f" ssl_endpoint={HOST}:{self.tls_port} ssl_certificate={certificates.both}"
        self.monitor = Process(keeper, "ceph-mon", ["ceph-mon", "-f", "-i", "a", *conf])
        self.object_store = Process(keeper, "ceph-osd", ["ceph-osd", "-f", "-i", "0", *conf])
        self.gateway = Process(keeper, self.name, ["radosgw", "-f", "-n", GATEWAY, f"--rgw_frontends={frontend}", *conf])
        self.processes = [self.monitor, self.object_store, self.gateway]
        for part in ("mon", "osd", "rgw"):
            (self.folder / part).mkdir()
        self._is_made = False

    @property
    def url(self) -> str:
        return s3.url("http", ACCESS, SECRET, HOST, self.port)

    @property
    def tls_url(self) -> str:
        if self.certificates is None:
            raise RuntimeError("this radosgw was made without certificates")
        return s3.url("https", ACCESS, SECRET, HOST, self.tls_port)

    @property
    def store(self) -> s3.Store:
        return s3.Store(self.url)

    def start(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Makes the cluster and its user the first time."""
        if self._is_made:
            if not self.durable:
                raise RuntimeError("its data was in memory and is lost; stop only the gateway, or make it durable")
            super().start(deadline)
            return
        monitor_map = str(self.folder / "monitor-map")
        self._run("monmaptool", "--create", "--fsid", self._cluster, "--addv", "a", self._addresses, monitor_map)
        self._run("ceph-mon", "--mkfs", "-i", "a", "--monmap", monitor_map, "-c", str(self._file))
        self.monitor.start()
        self._run("ceph", "-c", str(self._file), "--connect-timeout", f"{deadline:g}", "osd", "new", self._cluster)
        self._run("ceph-osd", "--mkfs", "-i", "0", "--osd-uuid", self._cluster, "-c", str(self._file))
        self.object_store.start()
        self.gateway.start()
        self.wait_until_ready(deadline)
        self._run(
            "radosgw-admin", "-c", str(self._file), "user", "create", "--uid=hearth", "--display-name=hearth",
            f"--access-key={ACCESS}", f"--secret-key={SECRET}")
        self._is_made = True

    def is_ready(self) -> bool:
        if not self._is_made:
            return is_listening(self.port)
        try:
            return self.store.request("GET", "/", timeout=2).status == 200
        except OSError:
            return False

    def start_gateway(self, deadline: float = DEADLINE_SECONDS) -> None:
        """Starts the gateway again after it was stopped or killed alone, and waits until it answers."""
        self.gateway.start()
        wait_for(self.is_ready, f"the gateway; see {self.gateway.log}", deadline)

    def _run(self, *command: str) -> None:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder,
            timeout=2 * DEADLINE_SECONDS)
        with open(self.keeper.logs / "ceph-setup.log", "a") as log:
            log.write(f"{' '.join(command)}\n{result.stdout}")
        if result.returncode != 0:
            self.check()
            raise RuntimeError(f"{command[0]} failed; see {self.keeper.logs}/ceph-setup.log: {result.stdout[:500]}")

    def _configuration(self) -> str:
        store = "osd_objectstore = memstore\nmemstore_device_bytes = 4294967296"
        if self.durable:
            store = "osd_objectstore = bluestore\nbluestore_block_create = true\nbluestore_block_size = 8589934592"
        return f"""[global]
fsid = {self._cluster}
mon_initial_members = a
mon_host = {self._addresses}
public_addr = {HOST}
cluster_addr = {HOST}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# radosgw's own default cannot go with `none`: it would try for ever.
ms_mon_client_mode = crc
# The default waits a second before each change of the cluster.
paxos_propose_interval = 0.05
run_dir = {self.folder}
admin_socket =
log_to_stderr = true
log_file =
mon_cluster_log_file =
mon_data = {self.folder}/mon
osd_data = {self.folder}/osd
rgw_data = {self.folder}/rgw
{store}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
mon_allow_pool_size_one = true
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
rgw_rados_pool_pg_num_min = 4
osd_crush_chooseleaf_type = 0
# A disk that is nearly full must not stop the monitor.
mon_data_avail_crit = 1
"""
