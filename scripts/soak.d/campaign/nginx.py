"""An nginx as the guide describes it, in front of a server of a campaign's own."""

import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import time

from campaign import options

GUIDE = options.ROOT / "docs/guides/server-network.md"


class Nginx:
    """Listens on a free port. Use it in a `with` statement."""

    def __init__(self, folder, server):
        self.host = "127.0.0.1"
        with socket.socket() as free:
            free.bind((self.host, 0))
            self.port = free.getsockname()[1]
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        file = self.folder / "nginx.conf"
        file.write_text(self._configuration(server))
        command = [program(), "-p", str(self.folder), "-c", str(file), "-e", str(self.folder / "error.log")]
        subprocess.run([*command, "-t", "-q"], check=True)
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._wait()

    def _configuration(self, server):
        # The first two blocks; those behind them belong into these.
        of_http, of_server = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)[:2]
        of_server = of_server.replace("http://127.0.0.1:8787", f"http://{server.host}:{server.port}")
        of_server = of_server.replace("/var/lib/hearth/blobs/", f"{server.data}/blobs/")
        # The workers read the model files, which are their owner's only.
        user = f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
{user} daemon off; worker_processes 2; pid {self.folder}/pid;
events {{ worker_connections 4096; }}
http {{
access_log {self.folder}/access.log;
{temporary}
{of_http}
server {{
listen {self.host}:{self.port};
{of_server}
}}
}}
"""

    def _wait(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection((self.host, self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        self.__exit__()
        raise RuntimeError("nginx does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def program():
    """The program, or None where this machine has none."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
