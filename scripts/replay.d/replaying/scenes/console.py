"""The console: signing in and out, each page for several readers, assets, shared links, calls of scripts."""

import re

from replaying.pages import Browser, Forms
from replaying.recorder import parsed
from replaying.scenes.models import create, publish, send
from replaying.world import changed, model_file

P = "projects/{project}"
CONFIG = [
    "", "/conditions", "/parameters/welcome", "/parameters/nothing", "/parameters/welcome?whole=default",
    "/parameters/welcome/value", "/parameters/limits?whole=default", "/new-parameter", "/condition?name=swiss",
    "/condition?name=nothing", "/new-condition", "/json", "/json?whole=1", "/versions", "/versions?after=2", "/versions/1",
    "/versions/99", "/versions/x", "/versions/1/rollback", "/versions/1/template.json", "/template.json", "/changes",
    "/changes/template.json", "/compare", "/compare?from=1&to=2", "/compare?from=1&to=99", "/device",
    "/device?os=ios&country=CH&app-version=2.5", "/device?country=Schweiz", "/?q=wel", "/?group=colours", "/?condition=swiss",
    "/?page=2"]
PAGES = [
    "", "projects", "account", "server", "audit", "audit?actor=nobody", "server/tokens", "server/tokens/new",
    "server/tokens/{server-viewer-token}/revoke",
    P, P + "/", P + "?done=saved", P + "?done=nonsense", P + "/search", P + "/search?q=steady", P + "/search?q=" + "x" * 101,
    P + "/models", P + "/models?q=stea",
    P + "/models?state=published", P + "/models?page=x", P + "/models/new", P + "/links", P + "/audit",
    P + "/audit?action=model&model=steady", P + "/audit?from=x", P + "/audit?page=5",
    *(f"{P}/models/{{model}}{page}" for page in (
        "", "/settings", "/delete", "/unpublish", "/upload", "/versions/1", "/versions/9", "/versions/x", "/compare",
        "/compare?left=1&right=2", "/compare?left=1&right=9", "/try", "/try?version=1&with=2", "/images", "/rehearsals",
        "/devices", "/devices?hours=1", "/devices?hours=x", "/releases/new", "/releases/new?version=2", "/releases/1",
        "/releases/99", "/releases/1/share", "/releases/1/end", "/rollback")),
    *(f"{P}/models/{{released}}{page}" for page in (
        "", "/releases/{release}", "/releases/{release}/share", "/releases/{release}/end", "/rollback",
        "/devices?installation={fid}", "/devices?installation={fid}&os=ios&app-version=2.5&language=de&country=CH&tag=beta",
        "/devices?installation=nonsense")),
    *(f"{P}/models/{{digits}}{page}" for page in (
        "", "/images", "/images?from=2", "/rehearsals", "/rehearsals/{rehearsal}", "/rehearsals/nothing", "/try?version=2")),
    P + "/models/999999", P + "/models/x",
    P + "/experiments", P + "/experiments?state=running", P + "/experiments?q=col", P + "/experiments/new",
    *(f"{P}/experiments/{name}{page}" for name in ("draft", "versions", "colours", "nothing") for page in (
        "", "/edit", "/start", "/stop", "/roll-out", "/delete")),
    *(f"{P}/{root}{page}" for root in ("config", "server-config") for page in CONFIG),
    P + "/keys", P + "/keys/apps/new", P + "/keys/apps/{key}", P + "/keys/apps/{key}/rotate", P + "/keys/apps/{key}/revoke",
    P + "/keys/apps/nothing", P + "/keys/plist",
    P + "/keys/accounts/new", P + "/keys/accounts/{email}", P + "/keys/accounts/ci", P + "/keys/accounts/{email}/revoke",
    P + "/keys/accounts/{email}/keys/{account-key}/revoke",
    P + "/keys/accounts/nobody", P + "/keys/tokens/new", P + "/keys/tokens/{token}/revoke", P + "/keys/tokens/nothing/revoke",
    "projects/no-such-project", "projects/replay-other/models", P + "/nothing", "nothing", "../console/account", "%2e%2e",
    "secret-file", "shared", "sign-in?to=account",
    "sign-in", "sign-out"]


def console(world):
    signing_in(world)
    pages(world)
    assets(world)
    calls(world)
    shared_links(world)


def cookie(answer):
    return answer.header("Set-Cookie").split(";")[0]


def signing_in(world):
    world.recorder.begin("console: signing in")
    world.ask("GET", "/", None)
    world.ask("HEAD", "/", None)
    world.ask("POST", "/", None, body=b"")
    origin = [("Origin", world.main.url)]

    def sign_in(note, proof, headers=origin, more=""):
        return world.ask("POST", "/console/sign-in", None, form=f"proof={proof}{more}".encode(), headers=headers, note=note)

    code = world.ok("POST", "/hearth/v1/signInCodes", "operator")["code"]
    sign_in("no origin", code, ())
    sign_in("foreign origin", code, [("Origin", "https://elsewhere.example")])
    sign_in("odd origin", code, [("Origin", "null")])
    sign_in("https", "nonsense", [("Origin", "https://" + world.main.host)])
    sign_in("wrong", "nonsense")
    sign_in("empty", "")
    sign_in("no proof", "", more="&other=1")
    first = cookie(sign_in("right", code, more="&to=account"))
    sign_in("used", code)
    world.browser = Browser(world, "console operator", first)
    for role in ("viewer", "publisher", "owner"):
        token = world.ok("POST", "{p}/adminTokens", json={"name": f"console-{role}", "role": role})["token"]
        signed = sign_in(f"token of a {role}", token, more="&to=https%3A%2F%2Felsewhere.example%2F")
        setattr(world, f"{role}_browser", Browser(world, f"console {role}", cookie(signed)))
    mirror = dict(world.recorder.callers["mirror"])["Authorization"].split()[1]
    sign_in("token of a follower", mirror)
    for to in ("projects%2F..%2F..%2Fx", "%2F%2Felsewhere.example", "projects%3Fa%3Db", "x" * 1001):
        sign_in("to", "nonsense", more="&to=" + to)
    sign_in("large", "x" * 17_000)
    world.ask("GET", "/console", "console operator")
    world.ask("GET", "/console", None)
    Browser(world, "console nonsense", first.split("=")[0] + "=0123456789abcdef_" + "A" * 43)
    found = world.ok("GET", "/hearth/v1/consoleSessions", "operator")
    world.things["session"] = found["sessions"][0]["id"]
    for caller in ("owner", "viewer", "stranger"):
        world.ask("GET", "/hearth/v1/consoleSessions", caller)
    ended = cookie(sign_in("another session", world.ok("POST", "/hearth/v1/signInCodes", "operator")["code"]))
    Browser(world, "console ended", ended)
    found = world.ok("GET", "/hearth/v1/consoleSessions", "operator")
    world.ok("DELETE", f"/hearth/v1/consoleSessions/{found['sessions'][0]['id']}", "operator")
    world.ask("DELETE", f"/hearth/v1/consoleSessions/{found['sessions'][0]['id']}", "operator", note="again")
    world.ask("GET", "/console/account", "console ended")


def pages(world):
    world.recorder.begin("console: pages")
    # With something that is not published yet.
    new = P + "/config/new-parameter"
    world.browser.send(new, {"key": "drafted", "type": "STRING", "default-kind": "text", "default": "one"})
    for page in PAGES:
        world.browser.get(page)
        for caller in ("console viewer", None,
                *(("console publisher", "console ended", "console nonsense") if page.count("/") in (0, 3) else ())):
            world.ask("GET", "/console/" + page, caller)
    for page in ("account", P + "/models/{model}", "sign-in", "assets/nothing.js", "nothing", P + "/config/template.json"):
        world.ask("HEAD", "/console/" + page, "console operator")
        world.browser.get(page, headers=[("Accept-Encoding", "gzip")], note="gzip")
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        for page in (P + "/models", P + "/models/{model}/settings", "assets/nothing.js", "nothing", "account"):
            world.ask(method, "/console/" + page, "console operator", body=b"" if method != "DELETE" else None)


def assets(world):
    world.recorder.begin("console: assets")
    texts = [world.recorder.look(world.main, "GET", world.path("/console/" + page), "console operator").body.decode()
             for page in (
                 "account", P + "/models/new", P + "/models/{digits}/images", P + "/models/{digits}/try",
                 P + "/config/new-parameter", P + "/models/{model}/releases/new")]
    texts.append(world.recorder.look(world.main, "GET", "/console/sign-in").body.decode())
    waiting = sorted({found for text in texts for found in re.findall(r"/console/assets/[\w.-]+", text)})
    seen = set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = world.ask("GET", path, None)
        world.ask("GET", path, "console operator", headers=[("Accept-Encoding", "gzip")], note="gzip")
        world.ask("HEAD", path, None)
        waiting += [f"/console/assets/{name}" for name in re.findall(r'"\./([\w-]+\.js)"', answer.body.decode(errors="replace"))]
    for name in ("nothing.js", "style.css", "..%2Fx", ""):
        world.ask("GET", "/console/assets/" + name, None)


def calls(world):
    world.recorder.begin("console: calls of scripts")
    page = world.recorder.look(world.main, "GET", "/console/account", "console operator").body.decode()
    token = dict(Forms(page).found)["/console/sign-out"][0][1]
    own = [("Origin", world.main.url), ("X-Hearth-Form-Token", token)]
    data = model_file("Tests/Fixtures/models/add.tflite")
    for caller in ("console operator", "console viewer", None, "console ended"):
        world.ask("GET", "/console/api/hearth/v1/caller", caller)
    for path in (
            "/hearth/v1/nothing", "", "/", "/hearth/v1/projects/{project}/models/{model}/versions",
            "/v1beta2/projects/{project}/models?pageSize=1", "/healthz", "/hearth/v1/openapi.json",
            "/console/api/hearth/v1/caller", "/token", "/hearth/v1/server/mirror", "/../api/hearth/v1/caller"):
        world.ask("GET", "/console/api" + path, "console operator")
    world.ask("GET", "/console/%61pi/hearth/v1/caller", "console operator")
    world.ask("HEAD", "/console/api/hearth/v1/caller", "console operator")
    world.ask("GET", "/console/api/hearth/v1/caller", "console operator",
        headers=[("Authorization", "Bearer nonsense"), ("Accept-Encoding", "gzip")], note="other fields")
    upload = "/console/api{p}/uploads?name=page.tflite"
    for note, headers in (
            ("own", own), ("no origin", own[1:]), ("foreign origin", [("Origin", "https://elsewhere.example"), own[1]]),
            ("no token", own[:1]), ("wrong token", [own[0], ("X-Hearth-Form-Token", "nonsense")])):
        world.ask("POST", upload, "console operator", body=data, headers=headers, note=note)
        world.ask("DELETE", "/console/api{p}/apiKeys/nothing", "console operator", headers=headers, note=note)
    world.ask("POST", upload, "console viewer", body=data, headers=own, note="token of another session")
    world.ask("POST", upload + "&resumable=true", "console operator", body=b"", headers=own, note="resumable")
    world.ask("POST", "/console/api/hearth/v1/signInCodes", "console operator", body=b"", headers=own)
    world.ask("POST", "/console/api{p}/models/{digits}/versions/1:try", "console operator", body=b"not an image", headers=own)
    world.ask("PUT", "/console/api{p}/models/{model}/aliases/paged", "console operator", json={"version": 1}, headers=own)
    world.ask("PATCH", "/console/api{ml}/{model}?updateMask=tags", "console operator", json={"tags": ["one", "two"]}, headers=own)
    world.ask("DELETE", "/console/api{p}/models/{model}/aliases/paged", "console operator", headers=own)
    world.ask("OPTIONS", "/console/api/hearth/v1/caller", "console operator")
    world.ask("POST", "/console/api{p}/apiKeys", "console operator", json={"name": ""}, headers=own, note="refused by the call")


def shared_links(world):
    world.recorder.begin("shared links")
    path = "{p}/sharedLinks"
    world.ask("GET", path, "publisher", note="none")
    made = []
    for note, body in (
            ("release", {"model": str(world.things["released"]), "release": world.things["release"]}),
            ("experiment", {"experiment": "versions", "lifetimeSeconds": 3600}),
            ("both", {"model": "1", "release": 1, "experiment": "versions"}), ("nothing", {}),
            ("unknown release", {"model": str(world.things["released"]), "release": 99}),
            ("unknown experiment", {"experiment": "nothing"}), ("short", {"experiment": "versions", "lifetimeSeconds": 1}),
            ("long", {"experiment": "versions", "lifetimeSeconds": 10**9}), ("bad model", {"model": "x", "release": 1})):
        answer = world.ask("POST", path, "publisher", json=body, note=note)
        if answer.status == 200:
            made.append(parsed(answer))
    for link in made:
        world.ask("GET", link["path"], None)
        world.ask("HEAD", link["path"], None)
        world.ask("GET", link["path"], "console operator")
    world.ask("GET", "/console/shared?link=0123456789abcdef_" + "A" * 43, None)
    world.ok("GET", path, "publisher")
    world.browser.get(P + "/links")
    world.browser.get("account")
    world.ok("DELETE", f"{path}/{made[0]['id']}", "publisher")
    world.ask("DELETE", f"{path}/{made[0]['id']}", "publisher", note="again")
    world.ask("GET", made[0]["path"], None, note="revoked")
    world.things["link"] = made[1]["id"]


def prepared(world):
    """A model that forms of the console may change."""
    add = model_file("Tests/Fixtures/models/add.tflite")
    world.things["paged"] = model = create(world, "paged", world.things["source"])
    publish(world, model)
    for number in (2, 3):
        source = send(world, f"paged-{number}.tflite", changed(add, f"paged {number}"))
        world.ok("POST", f"{{p}}/models/{model}/versions", "publisher", json={"source": source}, note=f"version {number}")
