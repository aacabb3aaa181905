"""Servers with other settings: behind a proxy, with low limits, with an address for tools, read-only, stopping."""

import signal
import socket
import ssl
import subprocess
import time

from replaying import programs, wire
from replaying.recorder import Unexpected, parsed
from replaying.scenes.models import BYTES
from replaying.world import FIXTURES, World, basic, changed

ADD = FIXTURES / "models/add.tflite"
DEVICE = "cReplayDevice000000001"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Other:
    """A server of its own with one published model and one device, and its callers."""

    def __init__(self, world, name, *arguments, port=None, folder=None):
        self.recorder = world.recorder
        self.server = programs.Server(name, world.hearth, world.folder, "--project", f"replay-{name}", *arguments, listens=port)
        self.world = World(world.recorder, world.hearth, world.folder)
        self.world.main = self.server
        self.world.things = {"project": self.server.project}
        world.name_server(self.server)
        # Where tools call, if devices have another address.
        self.admin = self.server

    def fill(self):
        server, world, name = self.admin, self.world, self.server.name
        world.main = server
        key = self.server.admin
        answer = world.ok("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(key))
        world.bearer(f"operator of {name}", answer["access_token"])
        for role in ("viewer", "owner"):
            made = world.ok("POST", "{p}/adminTokens", f"operator of {name}", json={"name": role, "role": role})
            world.bearer(f"{role} of {name}", made["token"])
        uploaded = self.ask("POST", "{p}/uploads?name=add.tflite", body=ADD.read_bytes(), headers=BYTES)
        source = parsed(uploaded)["gcsTfliteUri"]
        made = self.ask("POST", "{ml}", json={"displayName": "steady", "tfliteModel": {"gcsTfliteUri": source}})
        number = parsed(made).get("response", {}).get("name", "models/1000001").split("/")[-1]
        world.things["model"] = number
        operation = f"/v1beta2/projects/{self.server.project}/operations/{number}-1"
        world.until("the validation", lambda: world.look("GET", operation, f"operator of {name}")["done"])
        self.ask("PATCH", "{ml}/{model}?updateMask=state.published", json={"state": {"published": True}})
        world.main = self.server
        world.api_key(f"app of {name}", self.server.app["API_KEY"])
        body = {"fid": DEVICE, "appId": self.server.app["GOOGLE_APP_ID"]}
        made = parsed(world.ask("POST", "{rc}/installations", f"app of {name}", json=body))
        world.device(f"device of {name}", made, self.server.app["API_KEY"])

    def ask(self, method, path, caller="operator", server=None, **more):
        name = self.server.name
        return self.recorder.ask(
            server or self.admin, method, self.world.path(path), f"{caller} of {name}" if caller else None, **more)

    def device(self, method, path, caller="device", **more):
        return self.ask(method, path, caller, self.server, **more)


def proxied(world):
    """A public address with a path, a trusted proxy that sends files and countries, some origins."""
    world.recorder.begin("behind a proxy")
    port = free_port()
    other = Other(
        world, "proxied", "--public-url", "https://models.example:8443/some%20base/", "--trusted-proxies", "127.0.0.1",
        "--country-header", "CF-IPCountry", "--accel-redirect", "/hearth-blobs/",
        "--allowed-origins", "https://app.example,capacitor://localhost", "--console", "on", "--metrics-allow", "192.0.2.0/24",
        "--address-requests-per-minute", "0", "--link-seconds", "60", port=port)
    forwarded = [("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "models.example")]
    with other.server:
        other.fill()
        link = parsed(other.device("GET", "{ml}/steady:download"))["downloadUri"]
        path = "/" + link.split("/", 4)[4]
        for target in (path, "/some%20base" + path, "/some%20base/healthz"):
            other.device("GET", target, None)
            other.device("GET", target, None, headers=forwarded, note="forwarded")
            other.device("GET", target, None, headers=[*forwarded, ("Range", "bytes=0-9")], note="forwarded, a range")
        for origin in ("https://app.example", "capacitor://localhost", "https://elsewhere.example", "null"):
            headers = [("Origin", origin)]
            other.device("GET", "{ml}/steady:download", headers=headers, note=origin)
            other.device("OPTIONS", "{ml}/steady:download", None, headers=headers, note=origin)
        for country in ("CH", "ch", "XX", "Schweiz", "T1"):
            other.device("POST", "{rc}/namespaces/firebase:fetch", json={}, headers=[*forwarded, ("CF-IPCountry", country)],
                note=country)
            other.device("GET", "{ml}/steady:download", headers=[*forwarded, ("CF-IPCountry", country)], note=country)
            other.ask("GET", "{p}/models/{model}/recentDevices", note=f"after {country}")
        for target in (
                "/metrics", "/readyz", "/", "/console", "/console/", "/some%20base", "/some%20base/", "/some%20base/console/",
                "/some%20base/console/account", "/some%20base/console/sign-in", "/console/sign-in", "/some%20base/nothing",
                "/some%20base/hearth/v1/caller"):
            other.device("GET", target, None)
            other.device("GET", target, None, headers=forwarded, note="forwarded")
        other.device("GET", "/metrics", None, headers=[("X-Forwarded-For", "198.51.100.1")], note="forwarded for another")
        for name, value in (
                ("X-Forwarded-For", "nonsense"), ("X-Forwarded-For", "192.0.2.1, 198.51.100.2"), ("X-Forwarded-Proto", "gopher"),
                ("X-Forwarded-Host", "a b")):
            other.ask("GET", "/hearth/v1/server", headers=[(name, value)], note=f"{name}: {value}")
        code = parsed(other.ask("POST", "/hearth/v1/signInCodes"))["code"]
        for origin in ("https://models.example:8443", "https://models.example", "http://models.example:8443"):
            answer = other.device("POST", "/console/sign-in", None, form=f"proof={code}&to=account".encode(),
                headers=[("Origin", origin)], note=origin)
            if answer.status == 303:
                other.recorder.callers["console of proxied"] = [("Cookie", answer.header("Set-Cookie").split(";")[0])]
        for page in (
                "/console/account", "/some%20base/console/account", "/some%20base/console/projects/{project}/models/{model}",
                "/some%20base/console/api/hearth/v1/caller"):
            other.device("GET", page, "console", headers=forwarded)
        other.ask("POST", "{p}/uploads?name=a.tflite&resumable=true", body=b"")
        other.ask("POST", "{p}/serviceAccounts", "owner", json={"name": "ci", "role": "viewer"})
        other.ask("POST", "/hearth/v1/projects", json={"projectId": "replay-of-proxied"})
        other.ask("GET", "/hearth/v1/server")


def limited(world):
    """Low limits: sizes, pages, rates. No console, no origins, links of a CDN."""
    world.recorder.begin("low limits")
    other = Other(
        world, "limited", "--console", "off", "--allowed-origins", "", "--body-bytes", "1024", "--upload-bytes", "50000",
        "--page-size", "1", "--header-bytes", "1024", "--header-fields", "12", "--upload-sessions-per-project", "1",
        "--validation-wait-seconds", "0", "--model-links", "https://cdn.example/models/", "--update-streams", "1",
        "--installation-requests-per-minute", "1", "--installation-burst", "8", "--address-requests-per-minute", "1",
        "--address-burst", "12", "--upload-metadata-bytes", "1024", "--idle-seconds", "2", "--probe-runs", "0")
    with other.server:
        other.fill()
        for path in ("/", "/console", "/console/", "/console/sign-in", "/console/api/hearth/v1/caller", "/nothing"):
            other.device("GET", path, None)
        other.device("POST", "/", None, body=b"")
        other.ask("POST", "/hearth/v1/signInCodes")
        large = changed(ADD.read_bytes(), "x" * 50_000)
        other.ask("POST", "{p}/uploads?name=large.tflite", body=large)
        other.ask("POST", "{p}/uploads?name=large.tflite", body=wire_chunks(large), headers=[("Transfer-Encoding", "chunked")],
            note="in chunks")
        for note in ("first", "second"):
            other.ask("POST", "{p}/uploads?name=a.tflite&resumable=true", body=b"", note=note)
        other.ask("POST", "{p}/apiKeys", json={"name": "n" * 2000})
        other.ask("POST", "/upload/storage/v1/b/some-bucket/o?uploadType=resumable",
            json={"name": "n", "metadata": {"k": "v" * 2000}})
        other.ask("POST", "{p}/uploads?name=second.tflite", body=changed(ADD.read_bytes(), "second"))
        other.ask("GET", "{ml}")
        other.device("GET", "/healthz", None, headers=[("X-A", "a" * 1500)], note="a large head")
        other.device("GET", "/healthz", None, headers=[("X-A", "a")] * 15, note="many fields")
        other.device("OPTIONS", "{ml}/steady:download", None, headers=[("Origin", "https://app.example")])
        other.device("GET", "{ml}/steady:download", headers=[("Origin", "https://app.example")])
        rates(other)
        slow(other)


def rates(other):
    other.recorder.begin("rates")
    for number in range(1, 10):
        other.device("POST", "{rc}/namespaces/firebase:fetch", json={}, note=f"call {number} of an installation")
    for number in range(1, 14):
        other.device("GET", "/hearth/v1/caller", None, note=f"call {number} of nobody")
    other.device("POST", "{rc}/installations", "app", json={"appId": other.server.app["GOOGLE_APP_ID"]}, note="of a busy address")
    other.device("POST", "/token", None, form=b"grant_type=client_credentials&client_id=1&client_secret=2",
        note="of a busy address")
    other.device("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(other.server.admin),
        note="of a busy address, right")
    other.device("GET", "{ml}/steady:download", "app", note="of a busy address")
    other.ask("GET", "/hearth/v1/caller", note="of a busy address, signed in")


def slow(other):
    """Requests that never end."""
    other.recorder.begin("slow requests")
    host = f"Host: {other.server.host}\r\n".encode()
    for note, data in (("half a head", b"GET /healthz HTTP/1.1\r\n" + host),
            ("half a body", b"POST /token HTTP/1.1\r\n" + host + b"Content-Length: 10\r\n\r\nabc")):
        with wire.Connection(other.server, 30) as connection:
            connection.send(data)
            other.recorder.record(other.server, "RAW", note, None, [], data, connection.read())


def wire_chunks(data):
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)


def split(world):
    """An address for tools, and another one for devices."""
    world.recorder.begin("an address for tools")
    port, admin_port = free_port(), free_port()
    other = Other(world, "split", "--admin-address", f"127.0.0.1:{admin_port}", "--admin-url", "https://tools.example", port=port)
    other.admin = other.server.at("tools of split", admin_port)
    world.name_server(other.admin)
    with other.server:
        other.fill()
        for path in (
                "/", "/healthz", "/readyz", "/metrics", "/token", "/console/", "/console/sign-in", "/hearth/v1/openapi.json",
                "/hearth/v1/caller", "/hearth/v1/server", "{p}", "{ml}", "{ml}/{model}", "{p}/events", "{rc}/remoteConfig",
                "/storage/v1/b/some-bucket", "/hearth/v1/server/mirror", "/nothing", "/some/a?uploads",
                "/console/assets/nothing.js", "/console/api/hearth/v1/caller"):
            for server in (other.server, other.admin):
                other.ask("GET", path, server=server)
        for server in (other.server, other.admin):
            answer = other.ask("GET", "{ml}/steady:download", "device", server)
            if answer.status == 200:
                link = parsed(answer)["downloadUri"]
                other.ask("GET", "/" + link.split("/", 3)[3], None, server)
            other.ask("POST", "{rc}/namespaces/firebase:fetch", "device", server, json={})
            other.ask("POST", "{rc}/installations", "app", server,
                json={"fid": DEVICE, "appId": other.server.app["GOOGLE_APP_ID"]})
            other.ask("POST", "{p}/events", "device", server, json={"journal": "x", "items": []})
            other.ask("OPTIONS", "{ml}/steady:download", None, server, headers=[("Origin", "https://app.example")])
            for method, path in (
                    ("POST", "/token"), ("POST", "{p}/apiKeys"), ("DELETE", "{ml}/{model}/x"), ("POST", "/"),
                    ("PUT", "{rc}/remoteConfig"), ("POST", "/healthz")):
                other.ask(method, path, server=server, body=b"")
        other.ask("POST", "{p}/uploads?name=a.tflite&resumable=true", body=b"")
        other.ask("POST", "/hearth/v1/projects", json={"projectId": "replay-of-split"})


def secure(world):
    """A server that speaks TLS itself."""
    world.recorder.begin("TLS")
    key, certificate = world.folder / "tls-key.pem", world.folder / "tls-certificate.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
            "-subj", "/CN=localhost"], check=True, capture_output=True)
    other = Other(world, "secure", "--tls-certificate", certificate, "--tls-key", key)
    plain = other.server.at("secure", other.server.address[1])
    context = ssl.create_default_context(cafile=certificate)
    # It has no address in it, and only this test uses it.
    context.check_hostname = False
    other.server.tls = context
    with other.server:
        other.fill()
        for path in ("/", "/healthz", "/readyz", "/metrics", "{ml}", "/nothing"):
            other.ask("GET", path)
        link = parsed(other.device("GET", "{ml}/steady:download"))["downloadUri"]
        other.device("GET", "/" + link.split("/", 3)[3], None)
        other.device("GET", "/" + link.split("/", 3)[3], None, headers=[("Range", "bytes=0-9")], note="a range")
        code = parsed(other.ask("POST", "/hearth/v1/signInCodes"))["code"]
        for origin in (f"http://{other.server.host}", f"https://{other.server.host}"):
            other.device("POST", "/console/sign-in", None, form=f"proof={code}".encode(), headers=[("Origin", origin)],
                note=origin[:5])
        other.ask("POST", "{p}/uploads?name=a.tflite&resumable=true", body=b"")
        for method in ("GET", "POST"):
            other.recorder.ask(plain, method, "/healthz", None, note="plain HTTP")


def read_only(world):
    """A server that only answers devices for a while, and one that stops."""
    world.recorder.begin("read-only")
    other = Other(world, "still", "--drain-seconds", "3")
    with other.server:
        other.fill()
        other.ask("PUT", "{rc}/remoteConfig", json={"parameters": {}}, headers=[("If-Match", "*")])
        switch(world, other, "on", "--reason", "we move")
        for method, path, body in (
                ("GET", "/readyz", None), ("GET", "{ml}", None), ("POST", "{ml}", {"displayName": "x"}),
                ("POST", "{p}/apiKeys", {"name": "x"}), ("POST", "{p}/models/{model}/releases", {"share": 0.1}),
                ("PUT", "{rc}/remoteConfig", {"parameters": {}}), ("POST", "{p}/experiments", {}),
                ("POST", "/hearth/v1/signInCodes", None), ("POST", "/hearth/v1/projects", {"projectId": "another-one"}),
                ("POST", "/hearth/v1/server/signingKeys", None), ("POST", "{p}/serviceAccounts", {"name": "x", "role": "viewer"}),
                ("DELETE", "{ml}/{model}", None), ("POST", "{p}/sharedLinks", {"experiment": "x"}),
                ("POST", "{p}/uploads?name=a.tflite&resumable=true", None), ("GET", "/hearth/v1/server", None)):
            other.ask(method, path, json=body, headers=[("If-Match", "*")] if method == "PUT" else ())
        other.ask("POST", "{p}/uploads?name=a.tflite", body=changed(ADD.read_bytes(), "still"))
        other.device("GET", "{ml}/steady:download")
        other.device("POST", "{rc}/namespaces/firebase:fetch", json={})
        other.device("POST", "{rc}/installations", "app", json={"appId": other.server.app["GOOGLE_APP_ID"]})
        other.device("POST", "{p}/events",
            json={"journal": "journal-of-still-00001",
                "items": [{"sequence": 1, "time": "2024-01-01T00:00:00Z", "event": {"name": "a"}}]})
        switch(world, other, "off")
        other.ask("GET", "/readyz", note="again")
        other.ask("POST", "{p}/apiKeys", json={"name": "x"}, note="again")
        world.recorder.begin("stopping")
        other.server.tell(signal.SIGTERM)
        end = time.monotonic() + 10
        while other.recorder.look(other.server, "GET", "/readyz").status == 200:
            if time.monotonic() > end:
                raise Unexpected("the server does not stop")
        for path in ("/readyz", "/healthz", "{ml}"):
            other.ask("GET", path)
        other.device("GET", "{ml}/steady:download")


def switch(world, other, *words):
    """Begins or ends it, which the server notes a moment later."""
    subprocess.run(
        [world.hearth, "admin", "read-only", *words, "--data", other.server.data], check=True, capture_output=True,
        env=programs.environment())
    other.world.until("the note of read-only", lambda: (words[0] == "on") == (
        b"read-only" in other.recorder.look(other.server, "GET", "/readyz").body))
