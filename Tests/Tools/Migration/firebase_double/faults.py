"""Which request fails, and how. The choice depends on the seed and the number of the request alone."""

import random
import threading


class Faults:
    KINDS = ["quota", "quota-date", "internal", "unavailable", "reset", "cut"]
    BYTES = KINDS + ["cut", "wrong-bytes", "stall"]

    def __init__(self, share, seed):
        self.share = share
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.counts = {}
        self.requests = {}
        self.asked_seconds = 0
        self.bytes_sent = 0

    def next(self, call, has_bytes):
        """The fault of this request; None for most."""
        with self.lock:
            self.requests[call] = self.requests.get(call, 0) + 1
            if self.random.random() >= self.share:
                return None
            fault = self.random.choice(self.BYTES if has_bytes else self.KINDS)
            self.counts[fault] = self.counts.get(fault, 0) + 1
            return fault

    def asked(self, seconds):
        with self.lock:
            self.asked_seconds += seconds

    def sent(self, count):
        with self.lock:
            self.bytes_sent += count

    def statistics(self):
        with self.lock:
            return {"requests": dict(self.requests), "faults": dict(self.counts), "askedSeconds": self.asked_seconds,
                    "bytesSent": self.bytes_sent}
