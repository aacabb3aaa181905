"""Devices that listen for new templates, and when they heard of each."""

import http.client
import json
import re
import threading
import time

from campaign.client import Device


class Streams:
    """`servers` are what the streams connect to, one after the other: the load balancer, or each server."""

    def __init__(self, cluster, servers, count):
        self.cluster, self.servers = cluster, servers
        self.stopping = threading.Event()
        # By stream: the moment at which it heard of each template first, by number.
        self.heard = [{} for _ in range(count)]
        # By stream: when it connected last, or None.
        self.since = [None] * count
        self.connections = 0
        self.sockets = [None] * count
        self.threads = [threading.Thread(target=self._listen, args=(n,), daemon=True) for n in range(count)]

    def start(self):
        # A server ends the older streams of one device.
        self.devices = [Device(self.cluster) for _ in self.threads]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for connection in self.sockets:
            try:
                connection.shutdown(2)
            except (OSError, AttributeError):
                pass
        for thread in self.threads:
            thread.join()

    def newest(self):
        """The newest template of which all have heard."""
        return min(max(heard, default=0) for heard in self.heard)

    def delays(self, answered):
        """Seconds from the answer to the editor until a stream that was connected then heard of it."""
        return [
            heard[number] - moment for number, moment in sorted(answered.items())
            for heard, since in zip(self.heard, self.since) if since and since < moment and number in heard]

    def _listen(self, number):
        host, port = self.servers[number % len(self.servers)]
        project = self.cluster.device["PROJECT_ID"]
        while not self.stopping.is_set():
            connection = http.client.HTTPConnection(host, port, timeout=90)
            try:
                last = max(self.heard[number], default=0)
                connection.request(
                    "POST", f"/v1/projects/{project}/namespaces/firebase:streamFetchInvalidations",
                    json.dumps({"lastKnownVersionNumber": str(last)}).encode(),
                    {**self.devices[number].headers, "Content-Type": "application/json"})
                self.sockets[number] = connection.sock
                response = connection.getresponse()
                if response.status == 200:
                    self.connections += 1
                    self.since[number] = time.monotonic()
                    while line := response.readline():
                        if found := re.search(rb'"latestTemplateVersionNumber":"(\d+)"', line):
                            self.heard[number].setdefault(int(found[1]), time.monotonic())
            except (OSError, http.client.HTTPException, ValueError):
                pass
            finally:
                self.since[number] = None
                connection.close()
            self.stopping.wait(0.2)
