"""nginx as the named peer: two workers, no access log, files by sendfile."""

import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from comparison.process import Process
from harness.worker import WorkerError

PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
# Where it gives out a model's bytes by itself, and where it asks Hearth whether it may.
FILES, ACCELERATED = "/files/", "/accelerated/"


def is_installed():
    return PROGRAM is not None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class NginxServer:
    """Answers `/fixed` with a fixed body, `/files/HASH` with a blob, and the rest as Hearth (`upstream`) lets it."""

    def __init__(self, folder, body_bytes, blobs, upstream, certificate, key):
        folder.mkdir()
        self.port, self.tls_port = free_port(), free_port()
        self.base, self.tls_base = f"http://127.0.0.1:{self.port}", f"https://127.0.0.1:{self.tls_port}"
        configuration = folder / "nginx.conf"
        configuration.write_text(self.text(folder, body_bytes, blobs, upstream, certificate, key))
        command = [PROGRAM, "-p", str(folder), "-c", str(configuration), "-e", str(folder / "error.log")]
        self.running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.process = Process(self.running.pid)
        self.wait_for_answers()

    def text(self, folder, body_bytes, blobs, upstream, certificate, key):
        temporary = "\n".join(
            f"    {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # Where nginx is started by root, its workers may read the blobs, which belong to their owner alone.
        user = "user root;" if pathlib.Path("/proc/self").owner() == "root" else ""
        return f"""
{user}
worker_processes 2;
daemon off;
pid {folder}/pid;
events {{ worker_connections 4096; }}
http {{
{temporary}
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    upstream hearth {{ server {upstream}; keepalive 64; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{self.port};
        listen 127.0.0.1:{self.tls_port} ssl;
        location / {{ return 200 "{"x" * body_bytes}"; }}
        location {FILES} {{ alias {blobs}/; }}
        location /hearth/v1/files/ {{
            proxy_pass http://hearth;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
        location {ACCELERATED} {{ internal; alias {blobs}/; }}
    }}
}}
"""

    def wait_for_answers(self):
        for _ in range(100):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port)
                connection.request("GET", "/fixed")
                connection.getresponse().read()
                return
            except OSError:
                if self.running.poll() is not None:
                    raise WorkerError(f"nginx did not start: {self.running.stdout.read().strip()}") from None
                time.sleep(0.05)
            finally:
                connection.close()
        raise WorkerError("nginx does not answer")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.running.send_signal(signal.SIGTERM)
        self.running.wait()
        self.running.stdout.close()
