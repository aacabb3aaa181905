"""A `hearth serve` of a campaign's own."""

import json
import os
import pathlib
import plistlib
import signal
import subprocess
import urllib.parse


class Server:
    """Runs on a free port over `data`. Use it in a `with` statement: it is killed and reaped at the end."""

    def __init__(self, program, data, arguments=(), environment=None, prepare=None, port=0, credentials=None):
        """`prepare` runs in the new process before the program, such as to set its limits. `credentials` is the folder with
        the files of the first start, where another server made them."""
        self.data = pathlib.Path(data)
        self.log = open(self.data.parent / f"{self.data.name}.log", "ab")
        self.process = subprocess.Popen(
            [program, "serve", "--data", str(data), "--port", str(port), "--quiet", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=os.environ | (environment or {}),
            preexec_fn=prepare,
        )
        self.url = None
        for line in self.process.stdout:
            text = line.decode().strip()
            if text.startswith("Hearth is serving at "):
                self.url = text.split()[-1]
            if text.startswith("devices:" if credentials is None else "Hearth is serving at "):
                break
        if self.url is None:
            self.kill()
            # With its last words: the folder of a campaign goes with it.
            words = pathlib.Path(self.log.name).read_text(errors="replace").splitlines()[-5:]
            raise RuntimeError("\n".join([f"the server does not start: {self.log.name}", *words]))
        address = urllib.parse.urlsplit(self.url)
        self.host, self.port = address.hostname, address.port
        credentials = credentials or self.data / "credentials"
        self.admin = json.loads((credentials / "admin-service-account.json").read_text())
        self.device = plistlib.loads((credentials / "GoogleService-Info.plist").read_bytes())

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._close()

    def terminate(self):
        """SIGTERM; the exit status, or None when it did not end within half a minute."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.kill()

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def peak_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024

    def _close(self):
        self.process.stdout.close()
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
