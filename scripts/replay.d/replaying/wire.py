"""HTTP as it goes over a connection: every byte of a request is chosen here, and nothing of an answer is hidden."""

import contextlib
import dataclasses
import socket
import time
import zlib

SECONDS = 60


class BrokenAnswer(Exception):
    """What came back is not an answer of HTTP."""


@dataclasses.dataclass
class Answer:
    """What came back. `status` is None where the server closed the connection without an answer."""

    status: int | None = None
    reason: str = ""
    # In the order in which they came.
    headers: list = dataclasses.field(default_factory=list)
    body: bytes = b""
    # How many bytes of body were sent, in whatever coding.
    sent_bytes: int = 0
    # Statuses before the last one, such as 100.
    interim: list = dataclasses.field(default_factory=list)

    def header(self, name):
        """The first value; None without one."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), None)


def encode(method, target, headers, body=None):
    """A request of HTTP/1.1. Announces the body's length unless the headers say how long it is."""
    names = {name.lower() for name, _ in headers}
    if not names & {"content-length", "transfer-encoding"} and (body is not None or method in ("POST", "PUT", "PATCH")):
        headers = [*headers, ("Content-Length", str(len(body or b"")))]
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


class Connection:
    """One connection, from which answers are read one after the other."""

    def __init__(self, server, seconds=SECONDS):
        """`server` has an `address`, and `tls` if it speaks that."""
        self.socket = socket.create_connection(server.address, timeout=seconds)
        if server.tls:
            self.socket = server.tls.wrap_socket(self.socket, server_hostname="localhost")
        # For all answers together: some streams never end.
        self.end = time.monotonic() + seconds
        self.buffer = b""

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        # A server that refuses a request early may close before the last byte; its answer is there all the same.
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(data)

    def _fill(self):
        """False at the end."""
        self.socket.settimeout(max(0.001, self.end - time.monotonic()))
        try:
            piece = self.socket.recv(1 << 18)
        except ConnectionError:
            return False
        self.buffer += piece
        return bool(piece)

    def _until(self, mark):
        """What comes before the mark; None if the connection ends before it."""
        while mark not in self.buffer:
            if not self._fill():
                return None
        found, _, self.buffer = self.buffer.partition(mark)
        return found

    def _exactly(self, count):
        while len(self.buffer) < count:
            if not self._fill():
                raise BrokenAnswer(f"the connection ended {count - len(self.buffer)} bytes before the end of the body")
        found, self.buffer = self.buffer[:count], self.buffer[count:]
        return found

    def head(self):
        """The next answer without its body."""
        answer = Answer()
        while True:
            head = self._until(b"\r\n\r\n")
            if head is None:
                if self.buffer.strip():
                    raise BrokenAnswer(f"no whole head: {self.buffer[:80]!r}")
                return answer
            first, *lines = head.decode("latin-1").split("\r\n")
            version, status, *reason = first.split(" ", 2)
            if not version.startswith("HTTP/1.") or not status.isdigit():
                raise BrokenAnswer(f"not an answer of HTTP: {first[:80]!r}")
            if status.startswith("1"):
                answer.interim.append(int(status))
                continue
            answer.status, answer.reason = int(status), "".join(reason)
            for line in lines:
                name, mark, value = line.partition(":")
                if not mark:
                    raise BrokenAnswer(f"not a header field: {line[:80]!r}")
                answer.headers.append((name, value.strip()))
            return answer

    def chunk(self):
        """The next chunk of a chunked body; empty at its end."""
        size = self._until(b"\r\n")
        if size is None:
            raise BrokenAnswer("the connection ended inside of a chunked body")
        data = self._exactly(int(size.split(b";")[0], 16))
        self._until(b"\r\n")
        return data

    def read(self, is_head=False):
        """The next answer, whole."""
        answer = self.head()
        if answer.status is None or is_head or answer.status in (204, 304):
            return answer
        length = answer.header("Content-Length")
        if (answer.header("Transfer-Encoding") or "").lower() == "chunked":
            while piece := self.chunk():
                answer.body += piece
        elif length is not None:
            answer.body = self._exactly(int(length))
        else:
            while self._fill():
                pass
            answer.body, self.buffer = self.buffer, b""
        answer.sent_bytes = len(answer.body)
        if (answer.header("Content-Encoding") or "").lower() == "gzip":
            answer.body = zlib.decompress(answer.body, zlib.MAX_WBITS | 16)
        return answer


def exchange(server, data, is_head=False):
    """The answer to one request, over a connection of its own."""
    with Connection(server) as connection:
        connection.send(data)
        return connection.read(is_head)
