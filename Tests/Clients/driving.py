"""What the tests drive: the server as a program, a device, and a wall around both."""

import json
import os
import pathlib
import plistlib
import select
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request

PROGRAM = os.environ.get(
    "HEARTH_PROGRAM", str(pathlib.Path(__file__).resolve().parents[2] / ".build/checks/debug/hearth-full")
)


class Server:
    """`hearth serve` on a free port, over a data folder that outlives it."""

    def __init__(self, data, *arguments, environment=None):
        self.data = data
        self.log = open(str(data) + ".log", "ab")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--data", str(data), "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=self.log,
            bufsize=0,
            env=os.environ | (environment or {}),
        )
        greeting = b""
        while b"GoogleService-Info.plist\n" not in greeting:
            ready, _, _ = select.select([self.process.stdout], [], [], 60)
            piece = self.process.stdout.read(4096) if ready else b""
            if not piece:
                self.stop(signal.SIGKILL)
                raise RuntimeError("the server did not start: " + pathlib.Path(self.log.name).read_text())
            greeting += piece
        self.url = next(word for word in greeting.decode().split() if word.startswith("http"))

    @property
    def admin_key(self):
        return self.data / "credentials/admin-service-account.json"

    def hearth(self, *arguments):
        """A command of the command line, as this server's administrator. Returns what it prints."""
        command = [PROGRAM, *map(str, arguments), "--credentials", str(self.admin_key)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(60)
        self.process.stdout.close()
        self.log.close()


class Device:
    """What an installed app says to the server."""

    def __init__(self, server):
        with open(server.data / "credentials/GoogleService-Info.plist", "rb") as file:
            self.settings = plistlib.load(file)
        self.server = server
        body = json.dumps({"appId": self.settings["GOOGLE_APP_ID"], "authVersion": "FIS_v2"}).encode()
        path = f"/v1/projects/{self.settings['PROJECT_ID']}/installations"
        answer = json.loads(self._call(path, body, {"Content-Type": "application/json"}))
        self.id = answer["fid"]
        self.token = answer["authToken"]["token"]

    def fetch(self, display_name):
        """The bytes of a published model; None when there is none of that name."""
        path = f"/v1beta2/projects/{self.settings['PROJECT_ID']}/models/{display_name}:download"
        try:
            info = json.loads(self._call(path, None, {"x-goog-firebase-installations-auth": self.token}))
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise
        with _open(info["downloadUri"]) as answer:
            return answer.read()

    def configuration(self, **more):
        """The entries of its Remote Config, with further members in the body of its fetch."""
        body = {"appInstanceId": self.id, "appId": self.settings["GOOGLE_APP_ID"], **more}
        path = f"/v1/projects/{self.settings['PROJECT_ID']}/namespaces/firebase:fetch"
        headers = {"x-goog-firebase-installations-auth": self.token, "Content-Type": "application/json"}
        return json.loads(self._call(path, json.dumps(body).encode(), headers))["entries"]

    def _call(self, path, body, headers):
        headers = {"x-goog-api-key": self.settings["API_KEY"], **headers}
        with _open(urllib.request.Request(self.server.url + path, body, headers)) as answer:
            return answer.read()


def _open(request):
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60)


class OutgoingCalls:
    """A proxy that lets nothing through and remembers who was to be called."""

    def __init__(self):
        self.targets = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                words = connection.recv(4096).decode("latin-1").split()
                if len(words) > 1:
                    self.targets.append(words[1])
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    def stop(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)
