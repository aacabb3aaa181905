"""A way to a server that breaks where a test wants it."""

import socket
import threading


class CuttingProxy:
    """Passes on what browser and server say to each other. When the browser has sent a given number of bytes altogether,
    all connections break, and new ones are refused until `mend()`. `sent` is how many it has sent."""

    def __init__(self, server_url, *cuts):
        self._target = server_url.rsplit("/", 1)[-1].split(":")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Condition()
        self._cuts = list(cuts)
        self.sent = 0
        self._is_cut = False
        self._pairs = []
        self.cut_count = 0
        self._lost = None
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            self._connect(browser)
            # Nothing here keeps it: see `_close`.
            del browser

    def _connect(self, browser):
        with self._lock:
            if self._is_cut:
                browser.close()
                return
            server = socket.create_connection(self._target)
            self._pairs.append(pair := (browser, server))
        threading.Thread(target=self._pass, args=(browser, server, pair, True), daemon=True).start()
        threading.Thread(target=self._pass, args=(server, browser, pair, False), daemon=True).start()

    def _pass(self, source, target, pair, is_counted):
        try:
            while data := source.recv(1 << 16):
                if is_counted:
                    self._count(len(data))
                    self._note(data, target)
                else:
                    self._lose(source)
                target.sendall(data)
        except OSError:
            pass
        self._close(pair)

    def _close(self, pair):
        """Ends both sides. They close when both threads have ended: a socket that is only shut down, and has bytes that nobody
        reads, lets the browser wait."""
        with self._lock:
            if pair in self._pairs:
                self._pairs.remove(pair)
        self._shut(pair)

    @staticmethod
    def _shut(pair):
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _count(self, size):
        with self._lock:
            self.sent += size
            if not self._cuts or self.sent < self._cuts[0]:
                return
            self._cuts.pop(0)
            self._break()
        raise OSError("cut")

    def _note(self, data, server):
        with self._lock:
            if isinstance(self._lost, bytes) and data.startswith(b"POST ") and data.split(b"\r\n", 1)[0].endswith(self._lost):
                self._lost = server

    def _lose(self, server):
        with self._lock:
            if self._lost is not server:
                return
            self._lost = None
            self._break()
        raise OSError("lost")

    def _break(self):
        self._is_cut = True
        self.cut_count += 1
        for pair in self._pairs:
            self._shut(pair)
        self._pairs = []
        self._lock.notify_all()

    def cut(self):
        """Breaks all connections now."""
        with self._lock:
            self._break()

    def lose_answer(self, path):
        """The server gets the next POST to an address that ends like this. In place of the answer, all connections break."""
        with self._lock:
            self._lost = f"{path} HTTP/1.1".encode()

    def wait_for_cut(self, count):
        with self._lock:
            assert self._lock.wait_for(lambda: self.cut_count >= count, 120), "nothing was cut"

    def mend(self):
        with self._lock:
            self._is_cut = False

    def stop(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
