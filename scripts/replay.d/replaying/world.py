"""What the scenes share: the server, its callers, and the things that earlier scenes made."""

import base64
import json
import pathlib
import subprocess
import time
import urllib.parse

from replaying.recorder import Unexpected, parsed

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODELS = ROOT / "Models"
FIXTURES = ROOT / "Tests/Fixtures"
PROJECT, OTHER_PROJECT = "replay-main", "replay-other"
WAIT_SECONDS = 120


class World:
    def __init__(self, recorder, hearth, folder):
        self.recorder = recorder
        self.hearth = hearth
        self.folder = pathlib.Path(folder)
        self.main = None
        # What paths name: `things["model"]` is the number of a model, and so on.
        self.things = {"project": PROJECT, "namespace": "firebase"}

    @staticmethod
    def template(text):
        """`{p}`, `{ml}` and `{rc}` are the project's paths of Hearth, of models and of Remote Config."""
        return (text.replace("{p}", "/hearth/v1/projects/{project}").replace("{ml}", "/v1beta2/projects/{project}/models")
                .replace("{rc}", "/v1/projects/{project}"))

    def path(self, text):
        """The same with the names of things in place of `{name}`."""
        text = self.template(text)
        for name, value in self.things.items():
            text = text.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
        return text

    def ask(self, method, path, caller="operator", **more):
        """A request to the main server, which is written down."""
        answer = self.recorder.ask(self.main, method, self.path(path), caller, **more)
        if answer.status == 403 and method not in ("GET", "HEAD"):
            self.pass_queues()
        return answer

    def pass_queues(self):
        """Waits until the audit log has the refusal before: it is written after the answer, in the queue of its project."""
        for path in (
                f"/hearth/v1/projects/{PROJECT}/models/999999/aliases/x",
                f"/hearth/v1/projects/{OTHER_PROJECT}/models/999999/aliases/x",
                "/hearth/v1/consoleSessions/0123456789abcdef"):
            self.recorder.look(self.main, "DELETE", path, "operator")

    def ok(self, method, path, caller="operator", **more):
        """The same with an answer that must be a success. Returns its JSON, if it is some."""
        answer = self.succeeded(self.ask(method, path, caller, **more), method, path)
        is_json = (answer.header("Content-Type") or "").startswith("application/json")
        return parsed(answer) if is_json and answer.body else answer

    def look(self, method, path, caller="operator", **more):
        """A request that is not written down and must succeed. Returns the JSON of the answer."""
        return parsed(self.succeeded(self.recorder.look(self.main, method, self.path(path), caller, **more), method, path))

    def succeeded(self, answer, method, path):
        if answer.status is None or answer.status >= 400:
            text = answer.body[:500].decode(errors="replace")
            raise Unexpected(f"{self.recorder.scene}: {method} {self.path(path)}: {answer.status} {text}")
        return answer

    def until(self, what, holds):
        """Looks again and again; what it looks at is not written down."""
        end = time.monotonic() + WAIT_SECONDS
        while not (found := holds()):
            if time.monotonic() > end:
                raise Unexpected(f"{self.recorder.scene}: not within {WAIT_SECONDS} s: {what}")
            time.sleep(0.05)
        return found

    def settle(self):
        """Waits until all files are validated: the audit log then has what the server found."""
        def is_idle():
            status = self.look("GET", "/hearth/v1/server")
            return not status["validationQueue"] and not status["runningProbes"]
        self.until("the validation of all files", is_idle)

    def bearer(self, name, token):
        """Makes a caller with a token."""
        self.recorder.callers[name] = [("Authorization", f"Bearer {token}")]

    def device(self, name, registration, api_key):
        """Makes a caller of the answer to an installation's registration."""
        self.recorder.callers[name] = [
            ("x-goog-api-key", api_key), ("x-goog-firebase-installations-auth", registration["authToken"]["token"])]

    def api_key(self, name, key):
        self.recorder.callers[name] = [("x-goog-api-key", key)]

    def name_server(self, server):
        """Names what is of this server only."""
        names, port = self.recorder.names, server.address[1]
        for before, after in ((":", ""), ("%3A", ""), ("hearth-session-", ""), ("hearth-project-", ""), ('"', '"'), (">", "<")):
            names.fix(f"{before}{port}{after}", f"{before}<port of {server.name}>{after}")
        if hasattr(server, "admin"):
            names.learn(server.admin["client_secret"], "client-secret")


def basic(key):
    """The header fields with which an account's key shows its client id and secret."""
    text = f"{key['client_id']}:{key['client_secret']}"
    return [("Authorization", "Basic " + base64.b64encode(text.encode()).decode())]


def coded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def assertion(key, folder, now=None, header=(), **claims):
    """A signed assertion of a service account's key (RFC 7523). A claim of None is left out."""
    now = int(time.time()) if now is None else now
    claims = {"iss": key["client_email"], "scope": "https://www.googleapis.com/auth/cloud-platform", "aud": key["token_uri"],
              "iat": now, "exp": now + 3600, **claims}
    head = {"alg": "RS256", "typ": "JWT", "kid": key["private_key_id"], **dict(header)}
    parts = [{name: value for name, value in part.items() if value is not None} for part in (head, claims)]
    text = ".".join(coded(json.dumps(part).encode()) for part in parts)
    pem = pathlib.Path(folder) / "private-key.pem"
    pem.touch(mode=0o600)
    pem.write_text(key["private_key"])
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", pem], input=text.encode(), capture_output=True, check=True).stdout
    return f"{text}.{coded(signature)}"


def model_file(name):
    """The bytes of a model that the repository has."""
    return (ROOT / name).read_bytes()


def changed(data, name):
    """A model that is as valid, with another hash: what follows behind a model does not change it."""
    return data + name.encode()
