"""Everything that the parts measure, set up once: data folders, certificate, the servers of Hearth, and nginx."""

import contextlib
import http.client
import json
import pathlib
import ssl
import subprocess
import tempfile

from comparison import hearth_server, nginx_server, wrk
from comparison.hearth_server import LARGE, SMALL, HearthServer
from harness.worker import WorkerError


class Stage:
    """Use it in a `with` statement, which ends the servers and removes their folders."""

    def __init__(self, program, model_bytes, installations):
        self.program = program
        self.model_bytes = model_bytes
        self.installations = installations
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        with self.stack:
            self.set_up()
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *details):
        self.stack.__exit__(*details)

    def set_up(self):
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.certificate, self.key = make_certificate(self.folder)
        self.data = self.folder / "data"
        self.keys, self.tokens = hearth_server.prepare(
            self.program, self.data, self.folder, self.model_bytes, self.installations)
        behind = hearth_server.copy(self.data, "behind")
        secure = hearth_server.copy(self.data, "secure")
        self.hearth = self.start(self.data)
        self.hearth_behind = self.start(
            behind, "--trusted-proxies", "127.0.0.1", "--accel-redirect", nginx_server.ACCELERATED)
        self.hearth_secure = self.start(secure, "--tls-certificate", self.certificate, "--tls-key", self.key)
        answer, body = self.ask(self.hearth, *hearth_server.look_up(self.keys, self.tokens[0]))
        self.hash = answer.headers["ETag"]
        self.check(answer, 200)
        self.check(self.ask(self.hearth, *hearth_server.look_up(self.keys, self.tokens[0], self.hash))[0], 304)
        self.check(self.ask(self.hearth, *hearth_server.look_up(self.keys, self.tokens[0] + "A", self.hash))[0], 401)
        self.nginx = self.stack.enter_context(nginx_server.NginxServer(
            self.folder / "nginx", len(body), behind / "blobs", self.hearth_behind.host, self.certificate, self.key))

    def start(self, data, *options):
        return self.stack.enter_context(HearthServer(self.program, data, *options))

    @staticmethod
    def check(answer, status):
        if answer.status != status:
            raise WorkerError(f"a device's question was answered with status {answer.status}, not {status}")

    @staticmethod
    def ask(server, target, fields):
        if server.base.startswith("https:"):
            # The certificate was made a moment ago, for this.
            connection = http.client.HTTPSConnection(server.host, context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection(server.host)
        with contextlib.closing(connection):
            connection.request("GET", target, headers=fields)
            answer = connection.getresponse()
            return answer, answer.read()

    def look_ups(self, server, known=None, tokens=None):
        """A file with the question of each installation to `server`."""
        requests = self.folder / f"look-ups-{server.data.name}-{'304' if known else '200'}"
        if not requests.exists():
            wrk.write_requests(requests, (
                wrk.get(target, server.host, fields)
                for target, fields in (
                    hearth_server.look_up(self.keys, token, known) for token in tokens or self.tokens)))
        return requests

    def file_requests(self, server, name, base=None):
        """A file with the request for the large model behind the link that `server` signed."""
        answer, body = self.ask(server, *hearth_server.look_up(self.keys, self.tokens[0], model=LARGE))
        self.check(answer, 200)
        self.large_hash = answer.headers["ETag"]
        target = "/" + json.loads(body)["downloadUri"].split("/", 3)[3]
        return self.single(name, target)

    def single(self, name, target):
        requests = self.folder / name
        wrk.write_requests(requests, [wrk.get(target, "localhost")])
        return requests


def make_certificate(folder):
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return certificate, key
