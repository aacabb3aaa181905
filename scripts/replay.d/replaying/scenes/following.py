"""A follower: what it answers itself, what it sends on, what it refuses; with its main server and without."""

import time

from replaying import programs
from replaying.calls import CALLS
from replaying.recorder import parsed

EVENTS = {"journal": "journal-of-follower-01",
    "items": [{"sequence": 1, "time": "2024-06-01T12:00:00Z", "event": {"name": "followed"}}]}
STALE_SECONDS = 10


class Following:
    """Followers of the main server, which outlive it."""

    def __init__(self, world):
        self.world = world
        token = dict(world.recorder.callers["mirror"])["Authorization"].split()[1]
        rates = ("--installation-requests-per-minute", "0", "--address-requests-per-minute", "0")
        self.site = programs.Follower("site", world.hearth, world.folder, world.main.url, token, *rates)
        self.stale = programs.Follower("stale", world.hearth, world.folder, world.main.url, token, "--stale-serving-hours", "0",
            *rates)
        for follower in (self.site, self.stale):
            world.name_server(follower)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.site.__exit__()
        self.stale.__exit__()

    def ask(self, method, path, caller="device 2", **more):
        return self.world.recorder.ask(self.site, method, self.world.path(path), caller, **more)

    def with_main(self):
        world = self.world
        world.recorder.begin("a follower")
        world.until("the files", lambda: b"missing" not in world.recorder.look(self.site, "GET", "/readyz").body)
        for call in CALLS:
            caller = {"app": "app", "device": "device 2", "anyone": None, "mirror": "mirror"}.get(call.role, "operator")
            if call.method != "DELETE" or call.role != "app":
                self.ask(call.method, call.path, caller, json=call.body)
        self.ask("GET", "/metrics", None)
        for path in (
                "/", "/readyz", "/healthz", "/console/", "/console/sign-in", "/nothing", "/hearth/v1/nothing", "/some/a?uploads",
                "/storage/v1/b"):
            for method in ("GET", "HEAD", "POST", "OPTIONS"):
                self.ask(method, path, None)
        self.devices("with the main server")
        made = parsed(self.ask("POST", "{rc}/installations", "app",
            json={"fid": "cReplayDevice000000101", "appId": world.main.app["GOOGLE_APP_ID"]}))
        key = world.main.app["API_KEY"]
        world.device("follower's device", made, key)
        world.recorder.callers["renewing at a follower"] = [("x-goog-api-key", key),
            ("Authorization", f"FIS_v2 {made['refreshToken']}")]
        path = "{rc}/installations/cReplayDevice000000101"
        for caller in ("renewing at a follower", "renewing 2", "app", None):
            self.ask("POST", path + "/authTokens:generate", caller, json={})
        self.ask("POST", "{rc}/installations/cUnknownDevice00000001/authTokens:generate", "renewing at a follower", json={})
        self.ask("GET", "{ml}/digits:download", "follower's device")
        self.ask("DELETE", path, "renewing 2")
        self.ask("DELETE", path, "renewing at a follower")
        self.ask("DELETE", path, "renewing at a follower", note="again")
        self.ask("DELETE", path, None)
        revision = world.look("GET", "/hearth/v1/server/mirror", "mirror")["revision"]
        for follower in (self.site, self.stale):
            world.until("the last changes",
                lambda: b"revision %d\n" % revision in world.recorder.look(follower, "GET", "/readyz").body)

    def devices(self, note):
        for caller in ("device 2", "app", "wrong app", None):
            self.ask("GET", "{ml}/digits:download", caller, note=note)
            self.ask("POST", "{rc}/namespaces/firebase:fetch", caller, json={}, note=note)
            self.ask("POST", "{p}/events", caller, json=EVENTS, note=note)
        for path in ("{ml}/nothing:download", "{ml}/released:download", "{ml}/steady:download"):
            self.ask("GET", path, note=note)
        answer = self.ask("GET", "{ml}/digits:download", note=f"{note}, a link")
        if answer.status == 200:
            link = parsed(answer)["downloadUri"].removeprefix(self.site.url)
            self.ask("GET", link, None, note=note)
            self.ask("GET", link, None, headers=[("Range", "bytes=0-9")], note=f"{note}, a range")
            self.ask("GET", "{ml}/digits:download", headers=[("If-None-Match", answer.header("ETag"))], note=f"{note}, unchanged")
        self.ask("POST", "{p}/events", json={"journal": "x"}, note=f"{note}, malformed")
        self.ask("GET", "{ml}/digits:download", headers=[("Origin", "https://app.example")], note=f"{note}, an origin")

    def without_main(self):
        """After the main server was stopped."""
        world = self.world
        world.recorder.begin("a follower alone")
        end = time.monotonic() + STALE_SECONDS + 20
        # The first that notices makes the others quick.
        world.until("the loss of the main server", lambda: self.look_events().status == 503)
        self.devices("alone")
        self.ask("POST", "{rc}/installations", "app",
            json={"fid": "cReplayDevice000000102", "appId": world.main.app["GOOGLE_APP_ID"]})
        self.ask("DELETE", "{rc}/installations/cReplayDevice000000102", "renewing 2")
        self.ask("POST", "{rc}/installations/cUnknownDevice00000001/authTokens:generate", "renewing 2", json={})
        self.ask("GET", "/hearth/v1/caller", "operator")
        world.until("the note of the loss", lambda: b"connections" in world.recorder.look(self.site, "GET", "/readyz").body)
        for path in ("/metrics", "/readyz", "/healthz"):
            self.ask("GET", path, None)
        world.recorder.begin("a follower alone for too long")
        ready = lambda: world.recorder.look(self.stale, "GET", "/readyz").status
        while ready() == 200 and time.monotonic() < end:
            time.sleep(0.1)
        for path in ("/readyz", "/healthz", "{ml}/digits:download", "/nothing", "/hearth/v1/caller"):
            world.recorder.ask(self.stale, "GET", world.path(path), "device 2")
        for path in ("{rc}/namespaces/firebase:fetch", "{p}/events", "{rc}/installations"):
            world.recorder.ask(self.stale, "POST", world.path(path), "device 2", json={})

    def look_events(self):
        return self.world.recorder.look(self.site, "POST", self.world.path("{p}/events"), "device 2", json=EVENTS)
