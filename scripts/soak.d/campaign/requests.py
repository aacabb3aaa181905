"""Sound requests to every route of the server, and ways to make them malformed."""

import json
import urllib.parse

from campaign import options
from campaign.client import call

BOUNDARY = "===============7==="
ODD_TEXTS = (
    "", " ", "\x00", "\x7f", "%", "%zz", "%00", "%2e%2e", "..", ".", "/", "//", "%2F", "a" * 5000, "é", "\u202e", "🔥",
    "'", "\"", "\\", "-1", "0", "1", "99999999999999999999", "1e400", "NaN", "null", "true", "{}", "[]", "*", "$", "{x}",
    "gs://", "gs://b/o", "gs://../..", "https://169.254.169.254/x", "file:///etc/passwd", "\r\nX: y", "a\tb",
)
ODD_VALUES = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 2**64, 1e308, 0.1, "", "x", "a" * 3000, [], {}, [[]], [None],
    {"a": {"b": {}}}, ["a"] * 200, "\u0000", "\ud7ff", "2026-13-45T99:99:99Z", "1970-01-01T00:00:00Z",
)
RANGES = (
    "bytes=0-", "bytes=-1", "bytes=5-2", "bytes=0-0,2-3", "bytes=9999999999999999999-", "bytes=a-b", "bytes", "bits=0-1",
    "bytes=-0", "bytes=0-18446744073709551616", "bytes=" + "0-0," * 500, "bytes 0-9/10", "bytes */10", "bytes 5-1/3",
    "bytes 0-1/1", "bytes 0-0/*", "bytes 18446744073709551615-18446744073709551616/2", "bytes -1-0/1", "bytes */*",
)


class Requests:
    """The sound requests, as (method, target, headers, body); made once, over a model of their own."""

    def __init__(self, server, admin, device):
        self.model = "fuzzed"
        # Nothing is sent to this one, so it must be there at all times.
        self.steady = "steady"
        self.host = f"{server.host}:{server.port}"
        data = (options.ROOT / "Models/digits-labeler/model.tflite").read_bytes()
        upload = admin.upload("m.tflite", data)
        for display_name in (self.steady, self.model):
            model = admin.create(display_name, upload["gcsTfliteUri"])
            admin.publish(model["name"])
        hearth = urllib.parse.urlsplit(admin.hearth).path
        key = admin.json("POST", f"{admin.hearth}/apiKeys", {"name": "fuzzed"})
        token = admin.json("POST", f"{admin.hearth}/adminTokens", {"name": "fuzzed", "role": "owner"})
        _, headers, _ = call("POST", f"{admin.uploads}?name=m.tflite&resumable=true", b"", admin.headers)
        session = urllib.parse.urlsplit(headers["Location"])
        link = urllib.parse.urlsplit(device.info(self.model)[1])
        _, _, made = call(
            "POST", f"{server.url}/v1/projects/{server.device['PROJECT_ID']}/installations",
            json.dumps({"appId": server.device["GOOGLE_APP_ID"]}).encode(), {"x-goog-api-key": server.device["API_KEY"]})
        installation = json.loads(made)
        self.secrets = {
            "an admin token": token["token"][-20:], "another API key": key["key"],
            "a refresh token": installation["refreshToken"][-20:]}
        project = server.device["PROJECT_ID"]
        self.device = {**device.headers}
        self.admin = {**admin.headers}
        self.targets = self._targets(project, hearth, model["name"], upload, key, token, session, link, installation, data)

    def _targets(self, project, hearth, name, upload, key, token, session, link, installation, data):
        file = {"tfliteModel": {"gcsTfliteUri": upload["gcsTfliteUri"]}}
        ml, releases = f"/v1beta2/projects/{project}/models", f"{hearth}/models/{name.split('/')[-1]}"
        fid = installation["fid"]
        refresh = {"x-goog-api-key": self.device["x-goog-api-key"], "Authorization": "FIS_v2 " + installation["refreshToken"]}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        multipart = (
            f'--{BOUNDARY}\r\ncontent-type: application/json\r\n\r\n{{"name": "f/m.tflite"}}\r\n--{BOUNDARY}\r\n'
            "content-type: application/octet-stream\r\n\r\n").encode() + data[:3000] + f"\r\n--{BOUNDARY}--".encode()
        storage = "/upload/storage/v1/b/some-bucket/o?uploadType="
        resume = session.path + (f"?{session.query}" if session.query else "")
        return [
            ("GET", ml, self.admin, None), ("GET", f"{ml}?filter=tags%3Aa%20OR%20displayName%3Db&pageSize=1", self.admin, None),
            ("POST", ml, self.admin, {"displayName": "other", "tags": ["a"], **file}),
            ("GET", f"/v1beta2/{name}", self.admin, None),
            ("PATCH", f"/v1beta2/{name}?updateMask=tags,state.published", self.admin, {"tags": ["b"], "state": {"published": True}}),
            ("PATCH", f"/v1beta2/{name}", self.admin, {"displayName": self.model, "state": {"published": True}, **file}),
            ("DELETE", f"{ml}/1000999", self.admin, None),
            ("GET", f"/v1beta2/projects/{project}/operations/{name.split('/')[-1]}-1", self.admin, None),
            ("GET", f"{ml}/{self.model}:download", self.device, None), ("HEAD", f"{ml}/{self.model}:download", self.device, None),
            ("GET", f"{link.path}?{link.query}", {"Range": "bytes=0-99"}, None),
            ("POST", f"/v1/projects/{project}/installations/", self.device, {"fid": fid, "appId": "1:1:ios:ab", "authVersion": "FIS_v2"}),
            ("POST", f"/v1/projects/{project}/installations/{fid}/authTokens:generate", refresh, {"installation": {"sdkVersion": "x"}}),
            ("DELETE", f"/v1/projects/{project}/installations/dAAAAAAAAAAAAAAAAAAAAA/", refresh, {}),
            ("POST", "/token", form, b"grant_type=client_credentials&client_id=1&client_secret=2"),
            ("POST", "/token", form, b"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c"),
            ("POST", f"{hearth}/uploads?name=x.tflite", self.admin, data[:5000]),
            ("POST", f"{hearth}/uploads?name=x.tflite&resumable=true", self.admin, b""),
            ("PUT", resume, {**self.admin, "Content-Range": "bytes 0-9/100000"}, data[:10]),
            ("PUT", resume, {**self.admin, "Content-Range": "bytes */100000"}, b""),
            ("POST", storage + "multipart", {**self.admin, "content-type": f'multipart/related; boundary="{BOUNDARY}"'}, multipart),
            ("POST", storage + "resumable", {**self.admin, "x-upload-content-length": "5000"}, {"name": "f/n.tflite"}),
            ("GET", "/storage/v1/b/some-bucket?projection=noAcl", self.admin, None),
            ("GET", f"{hearth}/apiKeys", self.admin, None), ("GET", f"{hearth}/serviceAccounts", self.admin, None),
            ("POST", f"{hearth}/apiKeys", self.admin, {"name": "k", "bundleIds": ["a.b"], "platform": "ios"}),
            ("PATCH", f"{hearth}/apiKeys/{key['id']}", self.admin, {"bundleIds": ["a.b"]}),
            ("POST", f"{hearth}/apiKeys/{key['id']}:rotate", self.admin, {"graceSeconds": 100}),
            ("POST", f"{hearth}/adminTokens", self.admin, {"name": "t", "role": "viewer", "lifetimeSeconds": 5}),
            ("DELETE", f"{hearth}/adminTokens/{token['id']}", self.admin, None),
            ("GET", f"{hearth}/audit?pageSize=5", self.admin, None), ("GET", hearth, self.admin, None),
            ("POST", "/hearth/v1/projects", self.admin, {"projectId": "another-project"}),
            ("GET", f"{releases}/versions", self.admin, None), ("GET", f"{releases}/releases", self.admin, None),
            ("POST", f"{releases}/releases", self.admin, {"share": 0.1, "stages": [{"time": "2030-01-01T00:00:00Z", "share": 0.5}],
                                                          "audience": {"countries": ["CH"], "tags": ["a"]}}),
            ("PATCH", f"{releases}/releases/2", self.admin, {"share": 0.2}), ("POST", f"{releases}/releases/2:pause", self.admin, {}),
            ("POST", f"{releases}:rollback", self.admin, {"version": 1}),
            ("GET", "/healthz", {}, None), ("GET", "/readyz", {}, None), ("GET", "/metrics", {}, None),
        ]

    def all(self):
        return [self.complete(*target) for target in self.targets]

    def complete(self, method, target, headers, body):
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        fields = {"Host": self.host, **headers}
        if body is not None and not isinstance(body, bytes):
            fields.setdefault("Content-Type", "application/json")
        if data or method in ("POST", "PUT", "PATCH"):
            fields["Content-Length"] = str(len(data))
        return method, target, list(fields.items()), data

    @staticmethod
    def is_complete(data):
        """Whether the server has all that was announced, so that it owes an answer."""
        head, mark, body = data.partition(b"\r\n\r\n")
        fields = [line.partition(b":") for line in head.split(b"\r\n")[1:]]
        named = {name.strip().lower(): value.strip() for name, _, value in fields}
        if not mark or b"transfer-encoding" in named or head.count(b"\n") != head.count(b"\r\n"):
            return False
        length = named.get(b"content-length", b"0")
        return length.isdigit() and len(body) >= int(length)


def encode(request):
    method, target, headers, body = request
    lines = [f"{method} {target} HTTP/1.1"] + [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body


def malform(chance, requests, sound):
    """One request with a few things wrong with it; now and then raw damage to the bytes."""
    if chance.random() < 0.15:
        return damage(chance, bytearray(chance.choice(sound)))
    method, target, headers, body = chance.choice(requests.targets)
    request = list(requests.complete(method, target, headers, alter_body(chance, body)))
    for _ in range(chance.choice((1, 1, 2, 3))):
        chance.choice((alter_path, alter_query, alter_header, alter_token, alter_range, alter_method, alter_length))(chance, request)
    return encode(request)


def alter_body(chance, body):
    if body is None or chance.random() < 0.3:
        return body
    if isinstance(body, bytes):
        return damage(chance, bytearray(body)) if body else chance.randbytes(chance.randrange(50))
    text = json.dumps(alter_json(chance, body))
    kind = chance.randrange(8)
    if kind == 0:
        text = text[:chance.randrange(len(text) + 1)]
    elif kind == 1:
        text = "[" * 3000 + text
    elif kind == 2:
        text = text[:-1] + "," + text[1:]
    elif kind == 3:
        return damage(chance, bytearray(text.encode()))
    return text.encode()


def alter_json(chance, value):
    if chance.random() < 0.25:
        return chance.choice(ODD_VALUES + ODD_TEXTS)
    if isinstance(value, dict):
        changed = {name: alter_json(chance, inner) for name, inner in value.items() if chance.random() < 0.9}
        if chance.random() < 0.2:
            changed[chance.choice(ODD_TEXTS)] = chance.choice(ODD_VALUES)
        return changed
    if isinstance(value, list):
        return [alter_json(chance, inner) for inner in value] * chance.choice((1, 1, 1, 2, 100))
    return value


def damage(chance, data):
    for _ in range(chance.choice((1, 1, 2, 8))):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0 and data:
            data[place % len(data)] = chance.randrange(256)
        elif kind == 1:
            del data[place:place + chance.randrange(1, 40)]
        elif kind == 2:
            data[place:place] = chance.choice(ODD_TEXTS).encode("utf-8", "surrogatepass")
        else:
            data[place:place] = chance.randbytes(chance.randrange(1, 20))
    return bytes(data)


def alter_path(chance, request):
    path, mark, query = request[1].partition("?")
    parts = path.split("/")
    place = chance.randrange(1, len(parts)) if len(parts) > 1 else 0
    kind = chance.randrange(4)
    if kind == 0:
        parts[place] = chance.choice(ODD_TEXTS).replace("\r\n", "")
    elif kind == 1:
        parts[place] = parts[place] + chance.choice(ODD_TEXTS).replace("\r\n", "")
    elif kind == 2:
        del parts[place]
    else:
        parts.insert(place, chance.choice(("..", "%2e%2e", "", ".", "x")))
    request[1] = "/".join(parts) + mark + query


def alter_query(chance, request):
    name = chance.choice(("filter", "pageSize", "pageToken", "updateMask", "name", "uploadType", "key", "expires", "signature", "x"))
    request[1] += ("&" if "?" in request[1] else "?") + name + "=" + urllib.parse.quote(chance.choice(ODD_TEXTS), safe="%")
    if chance.random() < 0.1:
        request[1] += "&a" * 4000


def alter_header(chance, request):
    kind = chance.randrange(5)
    if kind == 0 and request[2]:
        del request[2][chance.randrange(len(request[2]))]
    elif kind == 1 and request[2]:
        request[2].append(chance.choice(request[2]))
    elif kind == 2:
        request[2].append((chance.choice(("X-A", "Cookie", "If-None-Match", "Expect", "Transfer-Encoding", "Content-Encoding", "x-goog-hash",
                                          "X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "x-hearth-tags", "x-hearth-app-version")),
                           chance.choice(ODD_TEXTS + ("chunked", "gzip", "100-continue", "crc32c=AAAA", "1.2.3.4, 5.6.7.8"))))
    elif kind == 3:
        request[2].extend(("X-Many", str(number)) for number in range(200))
    elif request[2]:
        place = chance.randrange(len(request[2]))
        request[2][place] = (request[2][place][0], chance.choice(ODD_TEXTS))


def alter_token(chance, request):
    for place, (name, value) in enumerate(request[2]):
        if name.lower() in ("authorization", "x-goog-firebase-installations-auth", "x-goog-api-key"):
            text = bytearray(value.encode())
            kind = chance.randrange(4)
            if kind == 0:
                text[chance.randrange(len(text))] ^= 1 << chance.randrange(7)
            elif kind == 1:
                del text[chance.randrange(len(text)):]
            elif kind == 2:
                text += b"." + b"A" * chance.randrange(3000)
            else:
                text = bytearray(b"Bearer eyJhbGciOiJub25lIn0.e30.")
            request[2][place] = (name, text.decode("latin-1"))


def alter_range(chance, request):
    request[2].append((chance.choice(("Range", "Content-Range", "If-Range")), chance.choice(RANGES)))


def alter_method(chance, request):
    if chance.random() < 0.3:
        request[0] = chance.choice(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO", ""))


def alter_length(chance, request):
    if chance.random() < 0.3:
        request[2] = [field for field in request[2] if field[0] != "Content-Length"]
        request[2].append(("Content-Length", chance.choice(("0", "-1", "5", "abc", "1e3", "18446744073709551616", str(len(request[3]))))))
