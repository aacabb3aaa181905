"""Connections that a server must carry beside the busy ones: idle ones, and peers that send or read slowly."""

import contextlib
import socket
import threading

SECONDS_BETWEEN_BYTES = 0.2


class IdlePeers:
    """So many open connections that say nothing. Use it in a `with` statement, which closes them."""

    def __init__(self, host, count):
        self.host, self.count = host, count
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        name, port = self.host.rsplit(":", 1)
        for _ in range(self.count):
            self.stack.enter_context(socket.create_connection((name, int(port))))
        return self

    def __exit__(self, *details):
        self.stack.close()


class SlowPeers(IdlePeers):
    """Half of them send a request's head byte by byte, the other half read a large answer in small bites."""

    def __init__(self, host, count, target):
        super().__init__(host, count)
        self.head = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nX-Padding: {'x' * 4000}\r\n\r\n".encode()
        self.stopping = threading.Event()

    def __enter__(self):
        name, port = self.host.rsplit(":", 1)
        self.senders, self.readers = [], []
        for number in range(self.count):
            peer = self.stack.enter_context(socket.socket())
            if number % 2:
                # The kernel would take the answer off the server's hands.
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.connect((name, int(port)))
            if number % 2:
                peer.sendall(self.head)
                peer.setblocking(False)
            (self.readers if number % 2 else self.senders).append(peer)
        self.thread = threading.Thread(target=self.trickle)
        self.thread.start()
        return self

    def trickle(self):
        """One after the other, as peers that know nothing of each other do: all at once would be a burst instead."""
        pause = SECONDS_BETWEEN_BYTES / self.count
        for position in range(len(self.head) - 1):
            for sender, reader in zip(self.senders, self.readers):
                if self.stopping.wait(pause):
                    return
                sender.send(self.head[position:position + 1])
                if self.stopping.wait(pause):
                    return
                with contextlib.suppress(BlockingIOError):
                    reader.recv(512)

    def __exit__(self, *details):
        self.stopping.set()
        self.thread.join()
        super().__exit__(*details)
