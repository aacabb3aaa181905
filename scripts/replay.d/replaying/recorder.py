"""Makes requests and writes down each with its answer."""

import json
import sys
import time

from replaying import wire
from replaying.bodies import Bodies, digest
from replaying.names import NAME, Names

# Who a caller is; the recording has the caller's name in their place.
CREDENTIALS = ("authorization", "x-goog-api-key", "x-goog-firebase-installations-auth", "cookie", "x-hearth-form-token")
LONG_BODY = 6000
# The metrics count a request a moment after its answer.
METRICS_SECONDS = 0.3
# Their answers have another length each time.
CHANGING = ("/metrics", "/hearth/v1/server")
# Success in other words: Hearth says what it does not do, and Google's code for an upload that was cancelled.
SUCCESSES = {405: b"Hearth does not ", 499: b""}
MIRROR = "/hearth/v1/server/mirror"


class Unexpected(Exception):
    """An answer without which the recording cannot continue."""


class Recorder:
    """Writes one line of JSON for each request. `scene` says what the next requests are about."""

    def __init__(self, output):
        self.output = output
        self.names = Names()
        self.bodies = Bodies(self.names)
        self.scene = ""
        self.begun = time.monotonic()
        self.count = 0
        # The header fields of each caller, by its name.
        self.callers = {None: []}
        self.seen = {}
        # Method, path and whether it was a success, of each answer of the API.
        self.answered = []
        # How long the last body of a path was, for questions with HEAD.
        self.lengths = {}

    def ask(self, server, method, target, caller=None, *, json=None, form=None, body=None, headers=(), note="",
            is_recorded=True, expect=None):
        """Sends a request and returns the `wire.Answer`.

        `json` is a body as an object, `form` one of name and value. `note` distinguishes requests of the same path.
        `expect` is the status without which the recording cannot continue.
        """
        fields = [("Host", server.host), *self.callers[caller], *headers]
        if json is not None:
            body = encoded(json)
            fields.append(("Content-Type", "application/json"))
        elif form is not None:
            body = form
            fields.append(("Content-Type", "application/x-www-form-urlencoded"))
        if target.endswith("/metrics"):
            time.sleep(METRICS_SECONDS)
        answer = wire.exchange(server, wire.encode(method, target, fields, body), is_head=method == "HEAD")
        if is_recorded:
            self.record(server, method, target, caller, fields, body, answer, note)
        if expect is not None and answer.status != expect:
            text = answer.body[:500].decode(errors="replace")
            raise Unexpected(f"{self.scene}: {method} {target} was answered with {answer.status}: {text}")
        return answer

    def look(self, server, method, target, caller=None, **more):
        """As `ask`, without writing it down: for what may be asked a different number of times."""
        return self.ask(server, method, target, caller, is_recorded=False, **more)

    def record(self, server, method, target, caller, fields, body, answer, note=""):
        """Writes down a request that was made already."""
        names = self.names
        path = target.partition("?")[0]
        self.bodies.learn("\n".join([*(value for _, value in answer.headers), answer.body.decode(errors="replace")]))
        if path.endswith(MIRROR):
            # Its tag is a hash of secrets.
            self.names.learn((answer.header("ETag") or "").strip('"'), "mirror-tag")
        headers = self.bodies.headers(answer)
        if method == "HEAD":
            known = self.lengths.get((server.name, target, caller))
            for field in headers:
                if field[0].lower() == "content-length" and (field[1] == known or path in CHANGING):
                    field[1] = "<as for GET>"
        elif method == "GET":
            self.lengths[server.name, target, caller] = str(answer.sent_bytes)
        shown = self.bodies.render(answer.body, answer.header("Content-Type"))
        sent = [[name, names.text(value)] for name, value in fields if name.lower() not in CREDENTIALS + ("host",)]
        # Without the numbers of names, so that it is the same although another value appeared before.
        shown_target = NAME.sub(r"<\1>", names.text(target))
        key = f"{self.scene}: {server.name}: {caller or 'nobody'}: {method} {shown_target}" + (f" ({note})" if note else "")
        self.seen[key] = number = self.seen.get(key, 0) + 1
        self.line({
            "request": key if number == 1 else f"{key} #{number}", "sent": sent, "sentBody": self._sent_body(fields, body),
            "status": answer.status, "reason": answer.reason, **({"interim": answer.interim} if answer.interim else {}),
            "headers": headers, "body": shown})
        is_success = answer.status is not None and answer.status < 400 or SUCCESSES.get(answer.status, b"\0") in answer.body
        self.answered.append((method, path, is_success))
        self.count += 1

    def line(self, entry):
        self.output.write(json.dumps(entry, ensure_ascii=False) + "\n")
        self.output.flush()

    def _sent_body(self, fields, body):
        media = next((value for name, value in fields if name.lower() == "content-type"), "text/plain")
        shown = self.bodies.render(body, media)
        if isinstance(shown, str) and len(shown) <= LONG_BODY or body is None:
            return shown
        return digest(self.names.text(body.decode("latin-1")).encode("latin-1"))

    def begin(self, scene):
        """Names what the next requests are about."""
        self.scene = scene
        print(f"replay: {time.monotonic() - self.begun:5.1f} s, {self.count:5} requests: {scene}", file=sys.stderr, flush=True)


def encoded(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def parsed(answer):
    """The JSON of an answer."""
    return json.loads(answer.body)
