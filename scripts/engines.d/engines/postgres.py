"""PostgreSQL: one server with a fresh cluster."""

from __future__ import annotations

import os
import pathlib
import pwd
import shutil
import signal
import subprocess

from engines.certificates import Certificates
from engines.keeper import Keeper
from engines.process import HOST, Engine, Process, free_port

INSTALLED = pathlib.Path("/usr/lib/postgresql")
# Whoever has `postgres` for a name is the superuser, without a password: only this machine can connect.
SUPERUSER = "postgres"


class Postgres(Engine):
    """`fast` leaves out fsync: after a crash of the machine its data may be lost, after one of the server not. With
    `certificates` it speaks TLS too, to those that ask for it."""

    name = "postgres"

    def __init__(
        self, keeper: Keeper, fast: bool = False, certificates: Certificates | None = None, settings: dict[str, str] | None = None,
    ) -> None:
        super().__init__(keeper)
        self.port = free_port()
        self.certificates = certificates
        self.data = self.folder / "data"
        # It refuses root.
        self.user = SUPERUSER if os.geteuid() == 0 else None
        self._make_cluster()
        chosen = {
            "listen_addresses": HOST, "port": str(self.port), "unix_socket_directories": "",
            # Tests of several targets run at the same time, each with databases and connections of its own.
            "max_connections": "300",
            # Files below the data folder: after a kill nothing stays elsewhere.
            "dynamic_shared_memory_type": "mmap",
        }
        if fast:
            chosen |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        if certificates:
            chosen |= {"ssl": "on", "ssl_cert_file": str(self._own(certificates.certificate)),
                       "ssl_key_file": str(self._own(certificates.key))}
        chosen |= settings or {}
        options = [argument for name, value in chosen.items() for argument in ("-c", f"{name}={value}")]
        # SIGINT ends connections and writes what is left; SIGTERM would wait for the clients.
        self.processes = [Process(
            keeper, self.name, [program("postgres"), "-D", str(self.data), *options], self.user, signal.SIGINT)]

    @property
    def url(self) -> str:
        """For libpq, as the superuser; without TLS."""
        return self._url("?sslmode=disable" if self.certificates else "")

    @property
    def tls_url(self) -> str:
        """The same with TLS, and the server's certificate is checked."""
        if self.certificates is None:
            raise RuntimeError("this PostgreSQL was made without certificates")
        return self._url(f"?sslmode=verify-full&sslrootcert={self.certificates.authority}")

    def is_ready(self) -> bool:
        # Not only the port: while it recovers it listens and refuses.
        return subprocess.run(
            [program("pg_isready"), "-q", "-h", HOST, "-p", str(self.port), "-d", "postgres", "-U", SUPERUSER]).returncode == 0

    def sql(self, statement: str, url: str | None = None) -> str:
        """The rows, one a line, the columns with a bar between them. Raises CalledProcessError with the message on stderr."""
        command = [program("psql"), "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url or self.url, "-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def __exit__(self, *_: object) -> None:
        # A killed server leaves a piece of shared memory behind, which only a start over its folder removes.
        self.stop()

    def _make_cluster(self) -> None:
        if self.user:
            self._give(self.folder)
        # Companies' databases seldom have the order of bytes, so neither have these: what depends on an order must say so.
        command = [
            program("initdb"), "-D", str(self.data), "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
            "--locale-provider=icu", "--icu-locale=en-US", "--no-sync", "--no-instructions"]
        result = subprocess.run(
            command, user=self.user, group=self.user, extra_groups=[] if self.user else None, cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        (self.keeper.logs / "postgres-initdb.log").write_text(result.stdout)
        if result.returncode != 0:
            raise RuntimeError(f"initdb failed: {result.stdout}")

    def _own(self, file: pathlib.Path) -> pathlib.Path:
        """A copy that the server may read, as others must not."""
        copy = self.folder / file.name
        shutil.copy(file, copy)
        copy.chmod(0o600)
        self._give(copy)
        return copy

    def _give(self, path: pathlib.Path) -> None:
        if self.user:
            shutil.chown(path, self.user, self.user)

    def _url(self, options: str) -> str:
        return f"postgresql://{SUPERUSER}@{HOST}:{self.port}/postgres{options}"


def program(name: str) -> str:
    """Of the newest version that is installed."""
    found = sorted(INSTALLED.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    if not found:
        raise FileNotFoundError(f"there is no {name} in {INSTALLED}; scripts/engines installs it")
    return str(found[-1])
