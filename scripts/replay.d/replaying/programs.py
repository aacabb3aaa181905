"""The programs that are recorded: servers and followers on free ports, each over a new folder."""

import copy
import json
import os
import pathlib
import plistlib
import select
import signal
import subprocess
import time
import urllib.parse

START_SECONDS = 120


class StartFailed(Exception):
    """The program does not serve."""


def environment(**more):
    """This process's own, without what would change a server's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("HEARTH_")} | more


class Program:
    """A program that serves until the end of a `with` statement."""

    # How to speak TLS with it; None for plain HTTP.
    tls = None

    def __init__(self, name, command, log, greeting, **variables):
        self.name = name
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log,
            env=environment(**variables))
        self.output = ""
        try:
            self._wait(greeting)
        except StartFailed:
            self.stop(signal.SIGKILL)
            raise
        url = next(word for word in self.output.split() if word.startswith("http"))
        parts = urllib.parse.urlsplit(url)
        self.address = (parts.hostname, parts.port)
        self.url = url

    def _wait(self, greeting):
        end = time.monotonic() + START_SECONDS
        while greeting not in self.output:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.process.stdout.fileno(), 4096) if ready else b""
            if not piece:
                words = pathlib.Path(self.log.name).read_text(errors="replace").splitlines()[-5:]
                raise StartFailed("\n".join([f"{self.name} does not start:", self.output.strip(), *words]))
            self.output += piece.decode()

    def at(self, name, port):
        """The same program at another port."""
        other = copy.copy(self)
        other.name, other.address = name, ("127.0.0.1", port)
        return other

    @property
    def host(self):
        return f"{self.address[0]}:{self.address[1]}"

    def tell(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if not self.log.closed:
            self.process.stdout.close()
            self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)


class Server(Program):
    """`hearth serve`, with the credentials that its first start made."""

    def __init__(self, name, hearth, folder, *arguments, listens=None):
        """`listens` is where it can be reached, for a server whose greeting names another address."""
        self.data = pathlib.Path(folder) / name
        super().__init__(
            name, [hearth, "serve", "--data", self.data, "--port", listens or 0, "--log-level", "error", *arguments],
            pathlib.Path(folder) / f"{name}.log", "GoogleService-Info.plist\n")
        if listens:
            self.address = ("127.0.0.1", listens)
        credentials = self.data / "credentials"
        self.admin = json.loads((credentials / "admin-service-account.json").read_text())
        self.app = plistlib.loads((credentials / "GoogleService-Info.plist").read_bytes())
        self.project = self.admin["project_id"]


class Follower(Program):
    """`hearth follow` of a server."""

    def __init__(self, name, hearth, folder, main_url, token, *arguments):
        super().__init__(
            name,
            [
                hearth, "follow", main_url, "--data", pathlib.Path(folder) / name, "--port", "0", "--poll-seconds", "1",
                "--log-level", "error", *arguments],
            pathlib.Path(folder) / f"{name}.log", "serving at ", HEARTH_TOKEN=token)
        while not self.output.endswith("\n"):
            self.output += os.read(self.process.stdout.fileno(), 4096).decode()
