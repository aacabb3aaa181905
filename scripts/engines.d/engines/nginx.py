"""nginx in front of servers, as a company's load balancer stands in front of several."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from engines.keeper import Keeper
from engines.process import HOST, Engine, Process, free_port, is_listening


class Nginx(Engine):
    """Shares requests out among `upstreams`, each HOST:PORT, one after the other. Start them first: a server that is not there
    when nginx asks for the first time counts as down for two seconds.

    A server that fails gets no request for two seconds. With `retries` nginx gives a request that failed to the next server,
    also one that changes something: those must then be safe to send twice."""

    name = "nginx"

    def __init__(self, keeper: Keeper, upstreams: list[str], retries: bool = True, port: int | None = None) -> None:
        super().__init__(keeper)
        self.port = port or free_port()
        self.file = self.folder / "nginx.conf"
        self.configure(upstreams, retries)
        # Its workers end with their master only when it ends in order; the keeper and `kill` find them anyway.
        self.processes = [Process(
            keeper, self.name, [program(), "-p", str(self.folder), "-c", str(self.file), "-e", "stderr"])]

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def configure(self, upstreams: list[str], retries: bool = True) -> None:
        """Takes effect at the next start."""
        servers = "\n".join(f"        server {one} max_fails=1 fail_timeout=2s;" for one in upstreams)
        next_server = "error timeout non_idempotent" if retries else "off"
        self.write(f"""    upstream servers {{
{servers}
        keepalive 32;
    }}
    server {{
        listen {HOST}:{self.port};
        client_max_body_size 0;
        location / {{
            proxy_pass http://servers;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_request_buffering off;
            proxy_buffering off;
            proxy_next_upstream {next_server};
        }}
    }}
""")

    def write(self, http: str) -> None:
        """The configuration file, of which `http` is what the block of that name contains."""
        temporary = "\n".join(
            f"    {kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # As root its workers would be another user, who may not write here.
        user = "user root;" if os.geteuid() == 0 else ""
        self.file.write_text(f"""{user}
daemon off;
worker_processes 1;
pid {self.folder}/pid;
events {{ worker_connections 8192; }}
http {{
    access_log {self.keeper.logs}/nginx-access.log;
{temporary}
{http}}}
""")
        test = [program(), "-p", str(self.folder), "-c", str(self.file), "-e", "stderr", "-t", "-q"]
        result = subprocess.run(test, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"nginx does not take its configuration: {result.stderr}")

    def is_ready(self) -> bool:
        return is_listening(self.port)


def program() -> str:
    """The path; Debian has it outside of a user's PATH."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise FileNotFoundError("there is no nginx; scripts/engines installs it")
    return str(pathlib.Path(found))
