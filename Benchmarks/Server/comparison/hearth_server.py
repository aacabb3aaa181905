"""Hearth as a contestant: a data folder with models and installations, and servers on copies of it."""

import concurrent.futures
import http.client
import json
import plistlib
import re
import shutil
import signal
import subprocess
import threading

from comparison.process import Process
from harness.worker import ROOT, WorkerError

MODEL = ROOT / "Models/digits-labeler/model.tflite"
CLIENTS = 16
SMALL, LARGE = "small", "large"
# One machine plays all devices, and each of them asks without a pause.
NO_LIMITS = (
    "--installation-requests-per-minute", "0", "--address-requests-per-minute", "0", "--connections-per-address", "0")


class HearthServer:
    """`hearth serve` on a data folder, on a free port. Use it in a `with` statement, which stops it."""

    def __init__(self, program, data, *options):
        self.data = data
        self.errors = open(data.parent / f"{data.name}.log", "w+")
        command = [program, "serve", "--data", data, "--port", "0", "--log-level", "error", *NO_LIMITS, *options]
        self.running = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.running.stdout.readline()
        found = re.search(r" at (https?://\S+)", line)
        if not found:
            self.errors.seek(0)
            raise WorkerError(f"hearth serve did not start: {line}{self.errors.read().strip()}")
        self.base = found[1]
        self.host = self.base.split("://")[1]
        self.process = Process(self.running.pid)
        # It says little, but must never wait for a reader.
        threading.Thread(target=self.running.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.running.send_signal(signal.SIGTERM)
        self.running.wait()
        self.errors.close()


class Keys:
    """What devices and admin tools of a data folder carry."""

    def __init__(self, data):
        with open(data / "credentials/GoogleService-Info.plist", "rb") as file:
            device = plistlib.load(file)
        self.api_key, self.app_id, self.project = device["API_KEY"], device["GOOGLE_APP_ID"], device["PROJECT_ID"]
        self.admin = data / "credentials/admin-service-account.json"


def prepare(program, data, scratch, model_bytes, installations):
    """Makes the data folder: one small and one large published model, and tokens of so many installations."""
    data.mkdir()
    padded = scratch / "large.tflite"
    model = MODEL.read_bytes()
    padded.write_bytes(model + bytes(model_bytes - len(model)))
    with HearthServer(program, data) as server:
        keys = Keys(data)
        for name, file in ((SMALL, MODEL), (LARGE, padded)):
            push = [program, "models", "push", name, file, "--publish", "--credentials", keys.admin]
            result = subprocess.run(list(map(str, push)), capture_output=True, text=True, check=False)
            if result.returncode != 0:
                raise WorkerError(f"hearth models push failed: {result.stderr.strip()}")
        return keys, register(server, keys, installations)


def register(server, keys, count):
    """The tokens of `count` new installations, made over several connections at a time."""
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        shares = [len(range(client, count, CLIENTS)) for client in range(CLIENTS)]
        return [token for tokens in pool.map(lambda share: register_share(server, keys, share), shares) for token in tokens]


def register_share(server, keys, count):
    connection = http.client.HTTPConnection(server.host)
    body = json.dumps({"appId": keys.app_id, "authVersion": "FIS_v2", "sdkVersion": "i:11.0"})
    fields = {"x-goog-api-key": keys.api_key, "Content-Type": "application/json"}
    tokens = []
    for _ in range(count):
        connection.request("POST", f"/v1/projects/{keys.project}/installations", body, fields)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise WorkerError(f"an installation was refused with status {answer.status}")
        tokens.append(json.loads(content)["authToken"]["token"])
    connection.close()
    return tokens


def copy(data, name):
    """A second data folder with the same secrets, models and installations."""
    other = data.parent / name
    shutil.copytree(data, other, ignore=shutil.ignore_patterns("lock"))
    return other


def look_up(keys, token, known=None, model=SMALL):
    """Target and fields of a device's `:download` call; `known` is the hash that it has already."""
    fields = {
        "Accept": "*/*", "User-Agent": "device/1.0 (bench)", "x-goog-firebase-installations-auth": token,
        "x-ios-bundle-identifier": "com.example.bench",
    }
    if known:
        fields["If-None-Match"] = known
    return f"/v1beta2/projects/{keys.project}/models/{model}:download?key={keys.api_key}", fields
