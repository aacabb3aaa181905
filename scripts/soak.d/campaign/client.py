"""The server's HTTP calls, as an admin and as a device make them. One connection per call, one thread per client."""

import base64
import http.client
import json
import time
import urllib.parse

# A check may be lost with its server, and another server then takes it over after half a minute.
OPERATION_SECONDS = 180
PART_TRIES = 5


class Refused(Exception):
    """The server answered, but not with what was asked for."""


class Unavailable(Refused):
    """A server, or what stands before it, asked to try again later."""


def refusal(status, text):
    return (Unavailable if status in (502, 503, 504) else Refused)(text)


def call(method, url, body=None, headers=(), timeout=60):
    """Status, headers and body. `OSError` or `http.client.HTTPException` when the connection breaks."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body=body, headers=dict(headers))
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


class Line:
    """One connection that is kept, for one thread."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=60)

    def ask(self, method, path, body=None, headers=()):
        self.connection.request(method, path, body=body, headers=dict(headers))
        response = self.connection.getresponse()
        return response.status, response.headers, response.read()


class Admin:
    """Signed in with the client id and secret of the credentials file."""

    def __init__(self, server):
        self.key = server.admin
        secret = base64.b64encode(f"{self.key['client_id']}:{self.key['client_secret']}".encode()).decode()
        answer = self._json(
            "POST", self.key["token_uri"], b"grant_type=client_credentials",
            {"Authorization": f"Basic {secret}", "Content-Type": "application/x-www-form-urlencoded"},
        )
        self.headers = {"Authorization": f"Bearer {answer['access_token']}"}
        self.models = f"{server.url}/v1beta2/projects/{self.key['project_id']}/models"
        self.uploads = f"{server.url}/hearth/v1/projects/{self.key['project_id']}/uploads"
        self.hearth = f"{server.url}/hearth/v1/projects/{self.key['project_id']}"
        self.base = f"{server.url}/v1beta2/"

    def upload(self, name, data, resumable=False):
        if not resumable:
            return self._json("POST", f"{self.uploads}?name={name}", data, self.headers)
        status, headers, answer = call("POST", f"{self.uploads}?name={name}&resumable=true", b"", self.headers)
        if status != 201:
            raise refusal(status, f"resumable upload: {status} {answer[:200]!r}")
        half = len(data) // 2
        for start, end in ((0, half), (half, len(data))):
            span = {"Content-Range": f"bytes {start}-{end - 1}/{len(data)}"}
            for _ in range(PART_TRIES):
                status, answered, answer = call("PUT", headers["Location"], data[start:end], {**self.headers, **span})
                if status != 503 or not answered.get("Retry-After"):
                    break
                # As after a part that arrived at another server, whose bytes this one fetches first.
                time.sleep(min(1, float(answered["Retry-After"])))
            if status != (308 if end < len(data) else 200):
                raise refusal(status, f"{span}: {status} {answer[:200]!r}")
        return json.loads(answer)

    def json(self, method, url, body=None):
        """A call of Hearth's own with a JSON body."""
        data = None if body is None else json.dumps(body).encode()
        return self._json(method, url, data, {**self.headers, "Content-Type": "application/json"})

    def find(self, display_name):
        """The model of that name, or None."""
        url = f"{self.models}?filter=displayName%3D{display_name}"
        return next(iter(self._json("GET", url, None, self.headers).get("models", [])), None)

    def create(self, display_name, uri):
        body = {"displayName": display_name, "tfliteModel": {"gcsTfliteUri": uri}}
        return self._operation("POST", self.models, body)

    def update(self, resource, uri):
        url = f"{self.base}{resource}?updateMask=tfliteModel.gcsTfliteUri"
        return self._operation("PATCH", url, {"tfliteModel": {"gcsTfliteUri": uri}})

    def publish(self, resource, published=True):
        url = f"{self.base}{resource}?updateMask=state.published"
        return self._operation("PATCH", url, {"state": {"published": published}})

    def _operation(self, method, url, body):
        answer = self._json(
            method, url, json.dumps(body).encode(), {**self.headers, "Content-Type": "application/json"})
        deadline = time.monotonic() + OPERATION_SECONDS
        while not answer.get("done"):  # The bytes are still being checked.
            if time.monotonic() > deadline:
                raise Refused(f"the operation {answer['name']} does not end")
            time.sleep(0.2)
            answer = self._json("GET", f"{self.base}{answer['name']}", None, self.headers)
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer["response"]

    @staticmethod
    def _json(method, url, body, headers):
        status, _, answer = call(method, url, body, headers)
        if status not in (200, 201):
            raise refusal(status, f"{method} {urllib.parse.urlsplit(url).path}: {status} {answer[:200]!r}")
        return json.loads(answer)


class Device:
    """An installation of its own."""

    def __init__(self, server):
        key = {"x-goog-api-key": server.device["API_KEY"]}
        project = server.device["PROJECT_ID"]
        status, _, answer = call(
            "POST", f"{server.url}/v1/projects/{project}/installations",
            json.dumps({"appId": server.device["GOOGLE_APP_ID"], "authVersion": "FIS_v2"}).encode(),
            {**key, "Content-Type": "application/json"},
        )
        if status != 200:
            raise refusal(status, f"installation: {status}")
        answer = json.loads(answer)
        self.installation = answer["fid"]
        self.headers = {**key, "x-goog-firebase-installations-auth": answer["authToken"]["token"]}
        self.project = f"{server.url}/v1/projects/{project}"
        self.models = f"{server.url}/v1beta2/projects/{project}/models"

    def info(self, display_name):
        """The hash and the link of a published model; None when there is none."""
        status, headers, answer = call("GET", f"{self.models}/{display_name}:download", None, self.headers)
        if status == 404:
            return None
        if status != 200:
            raise refusal(status, f"{display_name}:download: {status}")
        return headers["ETag"], json.loads(answer)["downloadUri"]

    @staticmethod
    def fetch(link):
        status, _, data = call("GET", link)
        if status != 200:
            raise refusal(status, f"download: {status}")
        return data
