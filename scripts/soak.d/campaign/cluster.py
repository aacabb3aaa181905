"""Several servers over one PostgreSQL and one S3-compatible store, behind nginx: all real, in a folder of the campaign's own."""

import concurrent.futures
import ctypes
import http.client
import os
import pathlib
import re
import signal
import sys

from campaign import options
from campaign.client import call
from campaign.server import Server

sys.path.insert(0, str(options.ROOT / "scripts/engines.d"))
from engines.fault_proxy import FaultProxy  # noqa: E402
from engines.nginx import Nginx  # noqa: E402
from engines.postgres import Postgres  # noqa: E402
from engines.process import HOST, free_port, wait_for  # noqa: E402
from engines.radosgw import ACCESS, SECRET, Radosgw  # noqa: E402

DEPLOYED = options.ROOT / "deploy/nginx/hearth.conf"
BUCKET, STORE_FOLDER = "models", "team"
PR_SET_PDEATHSIG = 1
# A start reads the whole database, on a machine that has much else to do.
START_SECONDS = 60
# All devices ask from one address here, and some never pause. People begin anew the uploads that a fault interrupts.
SETTINGS = [
    "--installation-requests-per-minute", "0", "--address-requests-per-minute", "0", "--connections-per-address", "0",
    "--update-streams-address-percent", "100", "--trusted-proxies", HOST, "--metrics-allow", HOST, "--client-requests", "0",
    "--upload-sessions-per-project", "100000", "--disk-reserve-mebibytes", "0"]


class Member:
    """One of the servers. Its port and its folder stay the same when it is killed and started again; `hearth`, its program, may
    change."""

    def __init__(self, cluster, number, database):
        self.cluster, self.number, self.database, self.hearth = cluster, number, database, cluster.hearth
        self.port = free_port()
        self.data = cluster.folder / f"server-{number}"
        self.server = None

    @property
    def url(self):
        return f"http://{HOST}:{self.port}"

    @property
    def log(self):
        return self.data.parent / f"{self.data.name}.log"

    def start(self):
        # By a thread that lives as long as the cluster: the process ends with the thread that started it.
        self.cluster.starter.submit(self._start).result()

    def _start(self):
        self.server = Server(
            self.hearth, self.data, [
                "--database", self.database, "--blobs", self.cluster.blobs, "--public-url", self.cluster.url, *self.cluster.settings],
            self.cluster.environment, die_with_parent, port=self.port,
            credentials=self.cluster.members[0].data / "credentials" if self.number > 1 else None)

    def kill(self):
        if self.server:
            self.server.kill()
        self.server = None

    def end(self):
        """As an operator ends it. Whether it did so in time and without an error."""
        status = self.server.terminate()
        self.server = None
        return status == 0

    def is_ready(self):
        return self.readiness()[0] == 200

    def readiness(self):
        """Status and text."""
        try:
            status, _, text = call("GET", f"{self.url}/readyz", timeout=2)
            return status, text.decode()
        except (OSError, http.client.HTTPException) as error:
            return 0, f"{type(error).__name__}: {error}"

    def metric(self, name):
        """The sum of the series of that name."""
        status, _, text = call("GET", f"{self.url}/metrics")
        if status != 200:
            raise RuntimeError(f"the metrics of server {self.number}: {status}")
        lines = [line for line in text.decode().splitlines() if re.match(rf"{name}[ {{]", line)]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines) if lines else None


class Cluster:
    """Also what devices and tools are pointed at: `url`, `host`, `port`, `admin` and `device` are those of nginx; `files` is host
    and port of the links to model files. Use it in a `with` statement."""

    def __init__(self, hearth, folder, keeper, servers=3, links="server"):
        self.hearth, self.folder, self.keeper = hearth, pathlib.Path(folder), keeper
        self.settings = [*SETTINGS, "--model-links", links]
        self.starter = concurrent.futures.ThreadPoolExecutor(1)
        self.postgres = Postgres(keeper, settings={"fsync": "off"})  # A kill of the machine is not tried.
        self.store = Radosgw(keeper)
        self.database_proxy, self.store_proxy = FaultProxy(self.postgres.port), FaultProxy(self.store.port)
        self.host, self.port = HOST, free_port()
        self.url = f"http://{HOST}:{self.port}"
        self.blobs = f"s3://{BUCKET}/{STORE_FOLDER}?endpoint=http://{HOST}:{self.store_proxy.port}"
        self.files = f"{HOST}:{self.port if links == 'server' else self.store_proxy.port}"
        self.environment = {"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET}
        proxied = self.postgres.url.replace(f":{self.postgres.port}/", f":{self.database_proxy.port}/")
        # Only the first server's connections to the database can be cut one by one.
        self.members = [Member(self, n + 1, proxied if n == 0 else self.postgres.url) for n in range(servers)]
        self.nginx = DeployedNginx(keeper, [f"{HOST}:{member.port}" for member in self.members], port=self.port)

    def start(self):
        self.postgres.start()
        self.store.start()
        self.database_proxy.start()
        self.store_proxy.start()
        self.store.store.make_bucket(BUCKET)
        for member in self.members:
            member.start()
            wait_for(member.is_ready, f"server {member.number}", START_SECONDS)
        self.nginx.start()
        self.admin, self.device = self.members[0].server.admin, self.members[0].server.device

    def keep_logs(self, folder):
        for member in self.members:
            (folder / f"server-{member.number}.log").write_bytes(member.log.read_bytes())

    def hearth_environment(self):
        """For the command line."""
        return os.environ | self.environment | {
            "HEARTH_CREDENTIALS": str(self.members[0].data / "credentials/admin-service-account.json")}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.kill()
        self.nginx.kill()
        self.starter.shutdown()


class DeployedNginx(Nginx):
    """With the configuration of `deploy`, for these servers and without TLS."""

    def configure(self, upstreams, retries=True):
        text = DEPLOYED.read_text()
        text, count = re.subn(
            r"(    server [0-9.:]+ (.+;)\n)+", lambda match: "".join(f"    server {one} {match[2]}\n" for one in upstreams), text)
        text = text.replace("listen 443 ssl;", f"listen {HOST}:{self.port};")
        text = re.sub(r"\n *ssl_certificate[^;]*;", "", text)
        # All clients have one address here.
        text = re.sub(r"\n *limit_conn clients[^;]*;", "", text)
        if count != 3 or "ssl" in text:
            raise RuntimeError(f"{DEPLOYED} has another form than this campaign expects")
        self.write(text)


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def poll(condition, seconds):
    """Whether it comes to hold in time."""
    try:
        wait_for(condition, "a condition", seconds)
    except TimeoutError:
        return False
    return True
