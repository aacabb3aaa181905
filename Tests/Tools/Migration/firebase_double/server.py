"""One HTTP server that plays all of Google's hosts: their paths do not clash."""

import base64
import email.utils
import json
import re
import secrets
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

CANONICAL = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
             429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}


class Refusal(Exception):
    def __init__(self, status, message):
        self.status = status
        self.message = message


class Double(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, options, project, credentials, faults):
        super().__init__(("127.0.0.1", options.port), Handler)
        self.options = options
        self.project = project
        self.credentials = credentials
        self.faults = faults
        self.pages = {}
        self.downloads = []
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        """A client that was killed is nothing to report."""

    def page(self, items, member, query, maximum, subject):
        """A page of a list. Tokens say nothing about the place that they stand for."""
        start = 0
        token = query.get("pageToken") or query.get("page_token")
        if token:
            if self.pages.get(token, (None,))[0] != subject:
                raise Refusal(400, "Invalid page token.")
            start = self.pages[token][1]
        size = int(query.get("pageSize") or query.get("page_size") or maximum)
        if size < 0:
            raise Refusal(400, "Invalid page size.")
        size = min(size or maximum, maximum, self.options.page_limit)
        answer = {}
        if items[start : start + size]:
            answer[member] = items[start : start + size]
        if start + size < len(items):
            token = secrets.token_urlsafe(24)
            self.pages[token] = (subject, start + size)
            answer["nextPageToken"] = token
        return answer

    def is_over_quota(self):
        """Whether there were too many answers for devices within ten seconds."""
        with self.lock:
            now = time.monotonic()
            self.downloads = [moment for moment in self.downloads if moment > now - 10]
            if self.options.download_quota and len(self.downloads) >= self.options.download_quota:
                return True
            self.downloads.append(now)
            return False


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Double

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.handle_call()

    def do_POST(self):
        self.handle_call()

    def handle_call(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        parts = urlsplit(self.path)
        self.query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/double/statistics":
            return self.answer(200, self.server.faults.statistics())
        if parts.path == "/double/secrets":
            return self.answer(200, self.server.credentials.secrets())
        call = next((call for call in CALLS if re.fullmatch(call[1], parts.path) and call[0] == self.command), None)
        if call is None:
            return self.refuse(404, "The requested URL was not found on this server.")
        self.fault = self.server.faults.next(call[2].__name__, has_bytes=call[2] in (storage, signed))
        if self.fault in ("quota", "quota-date"):
            self.server.faults.asked(1)
            date = email.utils.formatdate(time.time() + 1, usegmt=True)
            return self.refuse(429, "Quota exceeded for quota metric 'Requests'.",
                               {"Retry-After": date if self.fault == "quota-date" else "1"})
        if self.fault in ("internal", "unavailable"):
            return self.refuse(500 if self.fault == "internal" else 503, "Internal error encountered.")
        if self.fault == "reset":
            # The peer gets a reset instead of an end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return self.connection.close()
        try:
            call[2](self, *[unquote(part) for part in re.fullmatch(call[1], parts.path).groups()])
        except Refusal as refusal:
            self.refuse(refusal.status, refusal.message)

    def refuse(self, status, message, headers=None):
        error = {"error": {"code": status, "message": message, "status": CANONICAL.get(status, "UNKNOWN")}}
        self.answer(status, error, headers)

    def answer(self, status, value, headers=None):
        data = json.dumps(value, indent=2).encode()
        self.start(status, len(data), {"Content-Type": "application/json; charset=UTF-8"} | (headers or {}))
        self.send(data[: len(data) // 2] if getattr(self, "fault", None) == "cut" and status == 200 else data)
        if getattr(self, "fault", None) == "cut" and status == 200:
            self.cut()

    def start(self, status, length, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def send(self, data):
        self.wfile.write(data)
        self.server.faults.sent(len(data))

    def cut(self):
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def need_account(self):
        if not self.server.credentials.is_account(self.headers.get("Authorization")):
            raise Refusal(401, "Request had invalid authentication credentials.")

    def need_project(self, project):
        if project not in (self.server.project.id, self.server.project.number):
            raise Refusal(403, "The caller does not have permission")

    def send_model(self, model):
        """The bytes of a model, from the byte that `Range` names."""
        start = 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        if asked:
            start = int(asked.group(1))
        size = model.data.size
        headers = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", "x-goog-hash": f"md5={model.data.md5}",
                   "x-goog-generation": str(1700000000000000 + model.number)}
        if start >= size:
            return self.start(416, 0, {"Content-Range": f"bytes */{size}"})
        if start:
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        self.start(206 if start else 200, size - start, headers)
        sent = 0
        for piece in model.data.pieces(start):
            if self.fault == "cut" and sent + len(piece) > (size - start) // 2:
                self.send(piece[: len(piece) // 2])
                return self.cut()
            if self.fault == "stall" and not sent:
                time.sleep(2)
            # The right number of wrong bytes: only a hash finds it.
            self.send(bytes(byte ^ 1 for byte in piece[:1000]) + piece[1000:] if self.fault == "wrong-bytes" else piece)
            sent += len(piece)
            if self.server.options.slow:
                time.sleep(len(piece) / self.server.options.slow)


# --- OAuth 2, RFC 7523 ---------------------------------------------------------------------------


def token(self):
    form = {name: values[-1] for name, values in parse_qs(self.body.decode()).items()}
    made = self.server.credentials.sign_in(form.get("assertion", ""), self.server.url + "/token")
    if form.get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" or made is None:
        return self.answer(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
    self.answer(200, {"access_token": made, "expires_in": self.server.options.token_seconds, "token_type": "Bearer"})


# --- The discovery document of firebaseml v1beta2 ------------------------------------------------


def list_models(self, project):
    self.need_account()
    self.need_project(project)
    items = [model.resource() for model in self.server.project.models]
    self.answer(200, self.server.page(items, "models", self.query, 100, "models"))


def download(self, project, name):
    """Of the iOS client's source: the ETag is the hash, the size is text, the time has three digits of a second."""
    self.need_project(project)
    if self.query.get("key", self.headers.get("x-goog-api-key")) != self.server.credentials.api_key:
        raise Refusal(403, "The API key is not valid.")
    if self.headers.get("x-goog-firebase-installations-auth") not in self.server.credentials.installations:
        raise Refusal(401, "Request had invalid installation credentials.")
    if self.server.is_over_quota():
        self.server.faults.asked(2)
        return self.refuse(429, "Quota exceeded for the app.", {"Retry-After": "2"})
    model = next((model for model in self.server.project.models if model.name == name), None)
    if model is None or not model.is_published or model.is_invalid:
        raise Refusal(404, "Requested entity was not found.")
    link = self.server.credentials.link(self.server.url, f"/signed/{quote(model.object)}")
    expires = time.strftime("%Y-%m-%dT%H:%M:%S.220Z", time.gmtime(time.time() + self.server.options.link_seconds))
    self.answer(200, {"downloadUri": link, "expireTime": expires, "sizeBytes": str(model.data.size),
                      "modelFormat": "TFLITE"}, {"ETag": model.data.sha256})


# --- Cloud Storage -------------------------------------------------------------------------------


def storage(self, bucket, name):
    self.need_account()
    model = next((model for model in self.server.project.models if model.object == name and model.has_place), None)
    if bucket != f"{self.server.project.id}.appspot.com" or model is None or model.is_invalid:
        raise Refusal(404, f"No such object: {bucket}/{name}")
    if self.query.get("alt") == "media":
        return self.send_model(model)
    self.answer(200, {"kind": "storage#object", "name": name, "bucket": bucket, "size": str(model.data.size),
                      "md5Hash": model.data.md5})


def signed(self, name):
    """An expired link is a bad request with XML; a wrong signature is forbidden."""
    path = f"/signed/{quote(name)}"
    problem = self.server.credentials.link_problem(path, self.query)
    if problem:
        data = (f"<?xml version='1.0' encoding='UTF-8'?><Error><Code>{problem}</Code><Message>The provided token has expired."
                "</Message><Details>Request signature expired</Details></Error>").encode()
        self.start(403 if problem == "SignatureDoesNotMatch" else 400, len(data), {"Content-Type": "application/xml"})
        return self.send(data)
    self.send_model(next(model for model in self.server.project.models if model.object == name))


# --- Installations, by the sources of Google's clients -------------------------------------------


def register(self, project):
    self.need_project(project)
    if self.headers.get("x-goog-api-key") != self.server.credentials.api_key:
        raise Refusal(403, "The API key is not valid.")
    body = json.loads(self.body)
    if not re.fullmatch(r"[cdef][A-Za-z0-9_-]{21}", body.get("fid", "c" * 22)) or body.get("authVersion") != "FIS_v2":
        raise Refusal(400, "Request contains an invalid argument.")
    fid = body.get("fid") or "c" + secrets.token_urlsafe(30)[:21]
    self.answer(200, {"name": f"projects/{self.server.project.number}/installations/{fid}", "fid": fid,
                      "refreshToken": "2_" + secrets.token_urlsafe(40),
                      "authToken": {"token": self.server.credentials.register(), "expiresIn": "604800s"}})


# --- Remote Config, by its REST reference and firebase-tools -------------------------------------


def namespace_of(self, project, namespace):
    self.need_account()
    self.need_project(project)
    if namespace not in self.server.project.versions:
        raise Refusal(400, "Invalid namespace.")
    return self.server.project.versions[namespace]


def template(self, project, namespace):
    newest = namespace_of(self, project, namespace)
    text = self.query.get("versionNumber") or self.query.get("version_number") or str(newest)
    if not text.isdigit():
        raise Refusal(400, f"Invalid value at 'version_number' (TYPE_INT64), \"{text}\"")
    number = int(text)
    if number > newest or (number == 0 and newest):
        raise Refusal(404, "Requested entity was not found.")
    # The ETag comes only to those who accept compression.
    headers = {}
    if "gzip" in self.headers.get("Accept-Encoding", ""):
        headers["ETag"] = f"etag-{self.server.project.number}-{number}"
    self.answer(200, self.server.project.template(namespace, number) if number else {}, headers)


def list_versions(self, project, namespace):
    newest = namespace_of(self, project, namespace)
    # Google keeps 300.
    numbers = range(newest, max(0, newest - 300), -1)
    items = [self.server.project.version(namespace, number) for number in numbers]
    self.answer(200, self.server.page(items, "versions", self.query, 300, f"versions {namespace}"))


def list_experiments(self, project):
    namespace_of(self, project, "firebase")
    self.answer(200, self.server.page(self.server.project.experiments, "experiments", self.query, 50, "experiments"))


def list_rollouts(self, project):
    namespace_of(self, project, "firebase")
    self.answer(200, self.server.page(self.server.project.rollouts, "rollouts", self.query, 50, "rollouts"))


CALLS = [
    ("POST", r"/token", token),
    ("GET", r"/v1beta2/projects/([^/]+)/models", list_models),
    ("GET", r"/v1beta2/projects/([^/]+)/models/([^/:]+):download", download),
    ("GET", r"/storage/v1/b/([^/]+)/o/([^/]+)", storage),
    ("GET", r"/signed/(.+)", signed),
    ("POST", r"/v1/projects/([^/]+)/installations/?", register),
    ("GET", r"/v1/projects/([^/]+)/namespaces/([^/]+)/remoteConfig", template),
    ("GET", r"/v1/projects/([^/]+)/namespaces/([^/]+)/remoteConfig:listVersions", list_versions),
    ("GET", r"/v1/projects/([^/]+)/namespaces/firebase/experiments", list_experiments),
    ("GET", r"/v1/projects/([^/]+)/namespaces/firebase/rollouts", list_rollouts),
]
