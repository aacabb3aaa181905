"""Wrong requests for each call of the table: without rights, about what is not there, with bodies that it does not take."""

from replaying.calls import CALLS
from replaying.recorder import encoded

ROLES = ("viewer", "publisher", "owner", "operator")
NO_ID = "0123456789abcdef"
# What is not there, by the name in the path.
UNKNOWN = {
    "model": ("999999", "steady", "-1"), "released": ("999999",), "digits": ("999999",), "version": ("99", "nobody", "0"),
    "release": ("99", "x"), "alias": ("nobody",), "image": ("nobody.png",), "rehearsal": (NO_ID,),
    "experiment": ("nobody", "with blank"), "token": (NO_ID, "x"), "key": (NO_ID,), "account-key": ("0" * 40,),
    "email": ("nobody@example.org", "x"), "signing-key": ("99", "x"), "session": (NO_ID,), "link": (NO_ID,),
    "sha256": ("0" * 64, "x"), "upload": (NO_ID,), "operation": ("999999-1", "1000001-99", "x"),
    "bucket": ("unknown-bucket", "X"), "object": ("nothing",), "namespace": ("firebase-server", "nobody"),
    "fid": ("cUnknownDevice00000001", "x")}
TOO_LARGE = [("Content-Type", "application/json"), ("Content-Length", str(1 << 31))]
METHODS = ("DELETE", "PATCH", "PUT", "POST", "GET")


def refusals(world):
    """All of them, and each reading call as it is, once more with HEAD and with gzip."""
    world.recorder.begin("refusals")
    for call in CALLS:
        Refusals(world, call).all()
    methods(world)


class Refusals:
    """The wrong requests for one call."""

    def __init__(self, world, call):
        self.world, self.call = world, call
        self.path = call.path
        # Who may make the call.
        callers = {"mirror": "mirror", "app": "app", "device": "device 1", "anyone": None, "signed": "viewer"}
        self.best = callers.get(call.role, "operator")

    def ask(self, note, caller, path=None, body=None, headers=()):
        call = self.call
        if body is None and call.method != "GET":
            body = encoded(call.body) if call.body is not None else b"" if call.method != "DELETE" else None
        if call.body is not None:
            headers = [*headers, ("Content-Type", "application/json")]
        return self.world.ask(call.method, path or self.path, caller, body=body, headers=[*call.headers, *headers], note=note)

    def all(self):
        call = self.call
        if call.is_for_admins:
            self.rights()
        elif call.role != "anyone":
            for caller in (None, "wrong app", *(("app",) if call.role == "device" else ())):
                self.ask("rights", caller)
        self.unknown()
        self.bodies()
        for query in call.queries:
            self.ask("query", self.best, f"{call.path}?{query}", *((b"x",) if call.takes_bytes else ()))
        if call.method == "GET":
            self.reading()

    def rights(self):
        for caller in (None, "nonsense", "forged", "expired", "app"):
            self.ask("rights", caller)
        role = self.call.role
        callers = ["mirror"] if role != "mirror" else ["owner", "server-owner"]
        if role in ROLES:
            callers += list(ROLES[:ROLES.index(role)])[-1:] + (["server-owner"] if role == "operator" else [])
            callers += ["stranger"] if "{project}" in self.world.template(self.path) else []
        for caller in callers:
            self.ask("rights", caller)

    def unknown(self):
        for project in ("no-such-project", "999999999999", "replay-other"):
            template = self.world.template(self.path)
            if "{project}" in template:
                self.ask("project", self.best, template.replace("{project}", project))
        for name, values in UNKNOWN.items():
            if "{" + name + "}" in self.path:
                for value in values:
                    self.ask("unknown", self.best, self.path.replace("{" + name + "}", value.replace(" ", "%20")))

    def bodies(self):
        call = self.call
        if call.body is None:
            return
        for note, body in (
                ("cut", b"{"), ("comma", encoded(call.body)[:-1] + b",}"), ("list", b"[]"), ("text", b'"x"'), ("nothing", b""),
                ("null", b"null"), ("not UTF-8", b'{"\xff": 1}')):
            self.ask(note, self.best, body=body)
        for note, body in wrong(call.body, call.needs):
            self.ask(note, self.best, body=encoded(body))
        self.world.ask(call.method, call.path, self.best, headers=[*call.headers, *TOO_LARGE], note="2 GiB announced")

    def reading(self):
        self.ask("plain", self.best)
        self.world.ask("HEAD", self.path, self.best)
        self.ask("gzip", self.best, headers=[("Accept-Encoding", "gzip, br;q=0.5")])


def wrong(value, needs=(), place=""):
    """A body with one thing wrong at a time: a member of another type, an unknown one, a missing one; at any depth."""
    if isinstance(value, dict):
        yield f"unknown {place or 'member'}", {**value, "nonsense": 1}
        for name in needs:
            yield f"without {name}", {other: inner for other, inner in value.items() if other != name}
        for name, inner in value.items():
            path = f"{place}.{name}" if place else name
            yield f"type of {path}", {**value, name: other_type(inner)}
            for note, changed in wrong(inner, place=path):
                yield note, {**value, name: changed}
    elif isinstance(value, list) and value:
        yield f"type of {place}[0]", [other_type(value[0]), *value[1:]]
        for note, changed in wrong(value[0], place=f"{place}[0]"):
            yield note, [changed, *value[1:]]


def other_type(value):
    if isinstance(value, str):
        return 7
    if isinstance(value, (bool, int, float)):
        return "x"
    return [] if isinstance(value, dict) else {}


def methods(world):
    """For each path one method that it does not take, and what browsers ask."""
    world.recorder.begin("methods")
    paths = {}
    for call in CALLS:
        paths.setdefault(call.path, set()).add(call.method)
    for path, known in paths.items():
        other = next(method for method in METHODS if method not in known)
        for method in (other, "OPTIONS", *(() if "GET" in known else ("HEAD",))):
            world.ask(method, path, "operator", body=b"{}" if method in ("POST", "PUT", "PATCH") else None)
    for method in ("TRACE", "PROPFIND", "get", "LINK"):
        for path in ("{ml}", "/healthz", "/nothing"):
            world.ask(method, path, "operator")
    for path in (
            "/nothing", "/hearth", "/hearth/v1", "/hearth/v2/projects", "/v1", "/v1beta2", "/v1beta2/projects/{project}",
            "{p}/nothing", "{ml}:nothing", "{ml}/{model}:nothing", "{ml}/{model}/", "{ml}/", "//hearth//v1//caller", "{p}/",
            "{rc}/namespaces", "/console", "/favicon.ico", "/robots.txt", "/hearth/v1/projects/%2e%2e/apiKeys",
            "/hearth/v1/../v1/caller", "/%zz", "/a%00b", "/%ff", "/hearth%2Fv1/caller", "/Hearth/v1/caller", "{p}:nothing"):
        world.ask("GET", path, "operator", note="paths")
