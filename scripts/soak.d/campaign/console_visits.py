"""A browser as the console sees it: signs in with a link of `hearth console`, keeps its cookie, asks for pages."""

import http.client
import subprocess
import time
import urllib.parse


class Visitor:
    """Signed in, on one connection that is kept. For one thread."""

    def __init__(self, server, program):
        self.server = server
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        while True:
            status, headers, body = self._sign_in(program)
            if status != 429:
                break
            # Sign-ins are limited per address.
            time.sleep(int(headers.get("Retry-After", 1)))
        cookie = headers.get("Set-Cookie", "").split(";")[0]
        if status not in (302, 303) or not cookie:
            raise RuntimeError(f"cannot sign in: {status} {body[:200]!r}")
        self.fields = {"Cookie": cookie, "Accept-Encoding": "identity"}

    def _sign_in(self, program):
        link = subprocess.run(
            [program, "console", "--print", "--credentials", self.server.data / "credentials/admin-service-account.json"],
            check=True, capture_output=True, text=True).stdout.strip()
        proof = urllib.parse.urlencode({"proof": link.partition("#")[2]})
        return self._ask(
            "POST", "/console/sign-in", proof,
            {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.server.url})

    def get(self, path):
        """Status, body and milliseconds of a page."""
        started = time.perf_counter()
        status, _, body = self._ask("GET", path, None, self.fields)
        return status, body, (time.perf_counter() - started) * 1000

    def send(self, method, path, body, fields):
        """Status and body of a request with these fields besides those of the session."""
        status, _, answer = self._ask(method, path, body, self.fields | fields)
        return status, answer

    def _ask(self, method, path, body, fields):
        try:
            return self._once(method, path, body, fields)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            # The server closes idle connections.
            self.connection.close()
            return self._once(method, path, body, fields)

    def _once(self, method, path, body, fields):
        self.connection.request(method, path, body=body, headers=fields)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()
