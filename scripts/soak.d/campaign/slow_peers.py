"""Peers that hardly send or take anything, and one client that asks at a steady pace meanwhile."""

import http.client
import multiprocessing
import re
import socket
import threading
import time

# Seconds between two bytes of a dripping peer. It opens a connection anew at the same pace.
PACE = 0.2


class Kinds:
    """What slow peers do: the bytes that they begin with, and whether they drip more or read what comes."""

    def __init__(self, host, link):
        common = f"Host: {host}\r\n"
        self.first = {
            "line": b"GET /health",
            "head": f"GET /healthz HTTP/1.1\r\n{common}X-Slow: ".encode(),
            "body": f"POST /token HTTP/1.1\r\n{common}Content-Length: 8000\r\n\r\n".encode(),
            "reader": f"GET {link} HTTP/1.1\r\n{common}\r\n".encode(),
        }

    @staticmethod
    def drips(kind):
        return kind != "reader"


class SlowPeer:
    """A place that a slow peer keeps: whenever its connection is ended it opens another one."""

    def __init__(self, address, source, kind, first):
        self.address, self.source, self.kind, self.first = address, source, kind, first
        self.connection = None
        self.has_begun = False

    def step(self):
        """Sends or reads a byte; whether the server has ended the connection."""
        try:
            if self.connection is None:
                self._open()
                return False
            if not self.has_begun:
                self.connection.sendall(self.first)
                self.has_begun = True
            elif Kinds.drips(self.kind):
                self.connection.send(b"a")
            return self._is_over()
        except BlockingIOError:
            return False
        except OSError:
            # A connection that is still being made is no end.
            is_new = not self.has_begun
            self.close()
            return not is_new

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection, self.has_begun = None, False

    def _open(self):
        family = socket.AF_INET6 if ":" in self.source else socket.AF_INET
        self.connection = socket.socket(family)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.connection.bind((self.source, 0))
        self.connection.setblocking(False)
        self.connection.connect_ex(self.address)

    def _is_over(self):
        # What came before a reset is still given to the reader first.
        is_reset = self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
        if not is_reset and (not self.has_begun or self.connection.recv(1 if self.kind == "reader" else 4096)):
            return False
        self.close()
        return True


class Attack:
    """Slow peers of several addresses, in a process of their own, while a `with` statement lasts."""

    def __init__(self, address, link, sources, counts):
        """`counts` says how many peers of each kind every source address has."""
        kinds = Kinds(f"{address[0]}:{address[1]}", link)
        self.peers = [
            SlowPeer(address, source, kind, kinds.first[kind])
            for source in sources for kind, count in counts.items() for _ in range(count)]
        self.names = list(counts)
        self.ended = multiprocessing.Array("L", len(counts))
        self.process = multiprocessing.get_context("fork").Process(target=self._run, daemon=True)

    def count(self, kind):
        """How many connections of that kind the server has ended."""
        return self.ended[self.names.index(kind)]

    def _run(self):
        while True:
            for peer in self.peers:
                if peer.step():
                    self.ended[self.names.index(peer.kind)] += 1
            time.sleep(PACE)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()


class Steady(threading.Thread):
    """Makes the same call at a steady pace, each time over a new connection, until it is told to stop."""

    def __init__(self, address, source, path, headers, per_second):
        super().__init__(daemon=True)
        self.address, self.source, self.path, self.headers = address, source, path, headers
        self.pause = 1 / per_second
        self.seconds, self.problems = [], []
        self.is_over = False
        self.start()

    def run(self):
        due = time.monotonic()
        while not self.is_over:
            started = time.monotonic()
            try:
                self._call()
            except (OSError, http.client.HTTPException) as error:
                self.problems.append(repr(error))
            self.seconds.append(time.monotonic() - started)
            # A slow call delays the next ones, and does not let them pile up.
            due = max(due + self.pause, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))

    def _call(self):
        connection = http.client.HTTPConnection(*self.address, timeout=10, source_address=(self.source, 0))
        try:
            connection.request("GET", self.path, headers=self.headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                self.problems.append(f"status {answer.status}")
        finally:
            connection.close()

    def stop(self):
        self.is_over = True
        self.join()

    @property
    def p99(self):
        """Milliseconds that one of a hundred calls takes longer than."""
        return sorted(self.seconds)[int(len(self.seconds) * 0.99)] * 1000


class WaitingDevice:
    """A device that listens for updates of its configuration, which never come here."""

    def __init__(self, address, source, device):
        self.connection = http.client.HTTPConnection(*address, timeout=10, source_address=(source, 0))
        path = device.project.split("/", 3)[3]
        self.connection.request(
            "POST", f"/{path}/namespaces/firebase:streamFetchInvalidations", b'{"lastKnownVersionNumber":"0"}',
            {**device.headers, "Content-Type": "application/json"})
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()

    def problem(self):
        """What is wrong, once the others have done their worst."""
        if self.answer.status != 200:
            return f"a device that wants to wait for updates gets {self.answer.status}"
        self.socket.settimeout(0.01)
        try:
            while self.socket.recv(4096):
                pass
        except TimeoutError:
            return None
        except OSError as error:
            return f"a device that waits for updates was cut off: {error}"
        return "a device that waits for updates was cut off"


def metrics(address, source):
    """The server's own counts, by name, asked for from an address that is none of the slow peers'."""
    connection = http.client.HTTPConnection(*address, timeout=10, source_address=(source, 0))
    try:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
    finally:
        connection.close()
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.MULTILINE)}
