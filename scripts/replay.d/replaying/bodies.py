"""Bodies and header fields in the form in which a recording has them."""

import hashlib
import json
import re

# Measured by the machine: members of JSON whose values nobody can foresee.
MEASURED = {
    "runMicroseconds", "loadMicroseconds", "medianMicroseconds", "p90Microseconds", "microseconds", "peakMemoryBytes",
    "freeBytes", "connections", "meanConfidence"}
# Members of answers with secrets that have no shape of their own, by kind. The recording's own installations keep their ids.
SECRETS = {
    "client-secret": re.compile(r'client_secret(?:"|&quot;) ?: ?(?:"|&quot;)([\w-]{43})'),
    "installation": re.compile(r'"fid" ?: ?"((?!cReplay)[c-f][\w-]{21})"'),
    "upload": re.compile(r"upload_id=([\w-]{32})")}
HASH = re.compile(r"\b[0-9a-f]{64}\b")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?')
# A follower lets not all of its devices come back at once.
RANDOM_WAITS = (range(30, 91), range(300, 601))
TEXT_TYPES = (
    "text/", "application/json", "application/xml", "application/javascript", "image/svg+xml",
    "application/x-www-form-urlencoded")
# A metric's value, with the time of a sample if there is one.
SAMPLE = re.compile(r"^([^#\s{]+(?:\{.*\})?) \S+(?: \d+)?$", re.MULTILINE)
# What pages show of measurements.
MEASUREMENT = re.compile(r"\b\d[\d,.]* (ms|µs|MiB|GiB)(?![\w])")
# The part of a disk that is free, behind its size.
FREE_SHARE = re.compile(r'(?<=iB</td><td>)<span class="badge \w+">[\d.]+ %</span>')


class Bodies:
    """Renders bodies with the names of one recording."""

    def __init__(self, names):
        self.names = names

    def render(self, body, media):
        """None for no body, a text, or for other bytes their number and hash."""
        if not body:
            return None
        media = (media or "").lower()
        try:
            text = body.decode()
        except UnicodeDecodeError:
            text = None
        if text is None or not media.startswith(TEXT_TYPES) and not is_plain(text):
            return digest(body)
        if media.startswith("application/json"):
            return self.mirror(text) if '"records":{"tables":' in text else self.json(text)
        if media.startswith("text/plain; version"):
            return self.metrics(text)
        if media.startswith("text/html"):
            return FREE_SHARE.sub("<measured>", MEASUREMENT.sub(r"<measured> \1", self.names.text(text)))
        return self.names.text(text)

    def json(self, text):
        """JSON text, byte by byte as it was sent except for what got a name."""
        measured = MEASURED | {"sizeBytes"} if '"freeBytes":' in text else MEASURED
        member = ""
        parts, last = [], 0
        for found in TOKEN.finditer(text):
            parts.append(text[last:found.start()])
            last = found.end()
            token = found[0]
            is_member = text[last:last + 2].lstrip().startswith(":")
            if is_member:
                parts.append(self.names.text(token))
                member = token[1:-1]
            elif member in measured and (token[0] != '"' or token[1:-1].isdigit()):
                parts.append('"<measured>"' if token[0] != '"' else '"<measured, in quotes>"')
            elif token[0] == '"':
                parts.append(self.names.text(token))
            else:
                named = self.names.text(token)
                parts.append(named if named == token else f'"{named}"')
        parts.append(text[last:])
        return "".join(parts)

    def learn(self, text):
        for kind, shape in SECRETS.items():
            for secret in shape.findall(text):
                self.names.learn(secret, kind)

    def mirror(self, text):
        """What followers copy. It has hashes of secrets, and rows in the order of random keys."""
        state = json.loads(text)
        state["keys"] = {name: len(keys) for name, keys in state["keys"].items()}
        state["server"] = "<server>"
        tables = state["records"]["tables"]
        for name in ("account_key", "admin_token", "api_key"):
            rows = [[self.names.kinds(HASH.sub("<hash>", str(column))) for column in row] for row in tables[name]]
            tables[name] = sorted(rows)
        for row in tables["validation"]:
            row[:] = [self.json(column) if str(column).startswith("{") else column for column in row]
        return self.json(json.dumps(state, ensure_ascii=False))

    def metrics(self, text):
        """Names and labels only, in an order that does not depend on that of the routes."""
        return "\n".join(sorted(self.names.text(SAMPLE.sub(r"\1 <value>", text)).split("\n")))

    def headers(self, answer):
        """The header fields in their order."""
        rendered = []
        for name, value in answer.headers:
            lower = name.lower()
            if lower == "date":
                value = "<date>"
            elif lower == "retry-after" and (span := next((span for span in RANDOM_WAITS if int(value) in span), None)):
                value = f"<{span.start} to {span.stop - 1}>"
            elif lower == "content-length" and answer.body and int(value) == answer.sent_bytes:
                value = "<length>"
            else:
                value = self.names.text(value)
            rendered.append([name, value])
        return rendered


def is_plain(text):
    """Whether a person can read it."""
    return all(sign.isprintable() or sign in "\n\r\t" for sign in text)


def digest(body):
    return {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
