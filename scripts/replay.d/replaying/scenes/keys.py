"""Projects, service accounts, API keys, admin tokens, access tokens."""

import json
import time
import urllib.parse

from replaying.world import OTHER_PROJECT, assertion, basic

FORM = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def form(**fields):
    return urllib.parse.urlencode(fields).encode()


def first_callers(world):
    """The operator, and a token for each role."""
    world.recorder.begin("first callers")
    key = world.main.admin
    answer = world.ok("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(key))
    world.bearer("operator", answer["access_token"])
    for role in ("viewer", "publisher", "owner"):
        made = world.ok("POST", "{p}/adminTokens", json={"name": role, "role": role})
        world.bearer(role, made["token"])
        world.things[f"{role}-token"] = made["id"]
    for role in ("viewer", "publisher", "owner", "mirror"):
        made = world.ok("POST", "/hearth/v1/adminTokens", json={"name": f"all-{role}", "role": role})
        world.bearer("mirror" if role == "mirror" else f"server-{role}", made["token"])
        world.things[f"server-{role}-token"] = made["id"]
    made = world.ok("POST", "/hearth/v1/projects", json={"projectId": OTHER_PROJECT})
    world.other = made
    world.api_key("other app", made["apiKey"]["key"])
    answer = world.ok(
        "POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(made["serviceAccountKey"]))
    world.bearer("stranger", answer["access_token"])
    world.recorder.callers["nonsense"] = [("Authorization", "Bearer nonsense")]
    world.recorder.callers["forged"] = [("Authorization", "Bearer hearth_0123456789abcdef_" + "A" * 43)]
    world.recorder.callers["basic"] = basic(key)
    world.api_key("app", world.main.app["API_KEY"])
    world.api_key("wrong app", "A" + "wrong-key-" * 3 + "12345678")
    for caller in (
            "operator", "viewer", "publisher", "owner", "server-owner", "mirror", "stranger", "nonsense", "forged", "basic",
            None):
        world.ask("GET", "/hearth/v1/caller", caller)


def access_tokens(world):
    """Assertions and client secrets."""
    world.recorder.begin("access tokens")
    key = world.main.admin

    def ask(note, fields, **more):
        return world.ask("POST", "/token", None, form=fields, note=note, **more)

    def asserted(note, header=(), now=None, **claims):
        return ask(note, form(grant_type=FORM, assertion=assertion(key, world.folder, now, header, **claims)))

    now = int(time.time())
    asserted("signed")
    asserted("stock audience", aud="https://oauth2.googleapis.com/token")
    asserted("two audiences", aud=["https://elsewhere.example/token", key["token_uri"]])
    asserted("localhost", aud=f"http://localhost:{world.main.address[1]}/token")
    asserted("without kid", header={"kid": None})
    asserted("other kid", header={"kid": "0" * 40})
    asserted("other issuer", iss="nobody@replay-main.iam.hearth.invalid")
    asserted("other audience", aud="https://elsewhere.example/token")
    asserted("no audience", aud=None)
    asserted("expired", now=now - 90_000)
    asserted("future", now=now + 90_000)
    asserted("too long", exp=now + 90_000)
    asserted("not yet", nbf=now + 90_000)
    asserted("for another", sub="somebody@replay-main.iam.hearth.invalid")
    asserted("for itself", sub=key["client_email"])
    answer = asserted("only reads", scope="https://www.googleapis.com/auth/devstorage.read_only")
    world.bearer("reader", json.loads(answer.body)["access_token"])
    ask("forged", form(grant_type=FORM, assertion=assertion(key, world.folder)[:-20] + "A" * 20))
    ask("no token", form(grant_type=FORM, assertion="nonsense"))
    ask("no assertion", form(grant_type=FORM))
    ask("client in the form",
        form(grant_type="client_credentials", client_id=key["client_id"], client_secret=key["client_secret"]))
    ask("client with a scope",
        form(grant_type="client_credentials", scope="https://www.googleapis.com/auth/devstorage.read_only"),
        headers=basic(key))
    ask("wrong secret", form(grant_type="client_credentials", client_id=key["client_id"], client_secret="wrong"))
    ask("no client", form(grant_type="client_credentials"))
    ask("unknown grant", form(grant_type="password", username="a"))
    ask("no grant", form(name="a"))
    ask("not a form", b"\xff\xfe%zz")
    ask("empty", b"")
    ask("JSON", b'{"grant_type": "client_credentials"}')
    world.ask("GET", "/hearth/v1/caller", "reader")
    world.ask("POST", "{p}/apiKeys", "reader", json={"name": "refused"})
    world.ask("POST", "/hearth/v1/projects", "reader", json={"projectId": "refused-project"})


def accounts(world):
    world.recorder.begin("service accounts")
    path = "{p}/serviceAccounts"
    made = world.ok("POST", path, json={"name": "ci", "role": "publisher"})
    world.things["email"] = made["client_email"]
    world.things["account-key"] = made["private_key_id"]
    answer = world.ok("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(made))
    world.bearer("ci", answer["access_token"])
    world.ask("GET", "/hearth/v1/caller", "ci")
    world.ok("GET", path)
    world.ok("GET", path, "owner")
    more = world.ok("POST", path + "/{email}/keys")
    world.ok("DELETE", path + f"/{{email}}/keys/{more['private_key_id']}")
    world.ask("DELETE", path + f"/{{email}}/keys/{more['private_key_id']}", note="again")
    world.ask("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(more), note="revoked key")
    world.ok("PATCH", path + "/{email}", json={"role": "viewer"})
    world.ok("PATCH", path + "/{email}", json={"role": "viewer"}, note="again")
    world.ask("POST", "{p}/apiKeys", "ci", json={"name": "refused"})
    world.ok("PATCH", path + "/{email}", json={"role": "publisher"}, note="back")
    gone = world.ok("POST", path, json={"name": "gone", "role": "owner"})
    answer = world.ok("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(gone))
    world.bearer("gone", answer["access_token"])
    world.ok("POST", "{p}/adminTokens", "gone", json={"name": "of-gone", "role": "viewer"})
    world.ok("DELETE", path + f"/{gone['client_email']}?endTokens=true", "owner")
    world.ask("DELETE", path + f"/{gone['client_email']}", note="again")
    world.ask("GET", "/hearth/v1/caller", "gone")
    world.ask("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(gone), note="revoked account")
    second = world.ok("POST", path, json={"name": "second-operator", "role": "owner", "operator": True})
    answer = world.ok("POST", "/token", None, form=b"grant_type=client_credentials", headers=basic(second))
    world.bearer("second operator", answer["access_token"])
    world.ok("DELETE", path + f"/{second['client_email']}/keys/{second['private_key_id']}", "second operator",
        note="its own last")
    world.ask("GET", "/hearth/v1/caller", "second operator")
    for note, body in (
            ("owner makes an operator", {"name": "refused", "role": "owner", "operator": True}),
            ("operator who is not owner", {"name": "refused", "role": "viewer", "operator": True}),
            ("taken", {"name": "ci", "role": "viewer"}), ("bad name", {"name": "Ci!", "role": "viewer"}),
            ("bad role", {"name": "refused", "role": "king"}), ("mirror", {"name": "refused", "role": "mirror"})):
        world.ask("POST", path, "owner" if note.startswith("owner") else "operator", json=body, note=note)
    admin = urllib.parse.quote(world.main.admin["client_email"])
    world.ask("DELETE", f"{path}/{admin}", "owner", note="an operator's")
    world.ask("PATCH", f"{path}/{admin}", json={"role": "viewer"}, note="an operator's")
    world.ask("POST", f"{path}/{admin}/keys", "owner", note="an operator's")


def api_keys(world):
    world.recorder.begin("API keys")
    path = "{p}/apiKeys"
    world.ok("GET", path)
    made = world.ok("POST", path, "owner", json={"name": "iOS app", "platform": "ios", "bundleIds": ["org.example.app"]})
    world.things["key"] = made["id"]
    world.api_key("restricted app", made["key"])
    android = world.ok("POST", path, json={"name": "Android app", "platform": "android"})
    world.ok("POST", path, json={"name": "for the same app", "appId": android["appId"]})
    world.ok("POST", path, json={"name": "for any app"})
    world.ok("POST", path + ":lookup", json={"key": made["key"]})
    world.ask("POST", path + ":lookup", json={"key": "A" + "x" * 38}, note="unknown")
    world.ask("POST", path + ":lookup", "viewer", json={"key": made["key"]})
    world.ok("PATCH", path + "/{key}", json={"name": "renamed", "bundleIds": ["org.example.app", "org.example.other"]})
    world.ok("PATCH", path + "/{key}", json={}, note="nothing")
    world.ok("GET", path, "owner")
    rotated = world.ok("POST", path + f"/{android['id']}:rotate", json={"graceSeconds": 86_400})
    world.ask("POST", path + f"/{android['id']}:rotate", json={"graceSeconds": 86_400}, note="again")
    rotated = world.ok("POST", path + f"/{rotated['id']}:rotate", json={})
    world.ok("POST", path + f"/{rotated['id']}:rotate", json={"graceSeconds": 0}, note="at once")
    ended = world.ok("POST", path, json={"name": "ended"})
    world.ok("DELETE", path + f"/{ended['id']}")
    world.ok("DELETE", path + f"/{ended['id']}", note="again")
    world.ask("PATCH", path + f"/{ended['id']}", json={"name": "refused"})
    world.ask("POST", path + f"/{ended['id']}:rotate", json={}, note="ended")
    world.api_key("ended app", ended["key"])
    for note, body in (
            ("bad platform", {"name": "refused", "platform": "windows-3"}), ("empty name", {"name": ""}),
            ("long name", {"name": "n" * 200}), ("bad bundle", {"name": "refused", "bundleIds": ["with blank", ""]}),
            ("bad app", {"name": "refused", "appId": "nonsense"}),
            ("both", {"name": "refused", "appId": made["appId"], "platform": "ios"})):
        world.ask("POST", path, json=body, note=note)
    for seconds in (-1, 10**12):
        world.ask("POST", path + "/{key}:rotate", json={"graceSeconds": seconds}, note=f"grace {seconds}")
    world.ok("GET", path, "owner", note="with ended ones")


def admin_tokens(world):
    world.recorder.begin("admin tokens")
    for path, caller in (("{p}/adminTokens", "owner"), ("/hearth/v1/adminTokens", "operator")):
        world.ok("GET", path, caller)
        made = world.ok("POST", path, caller, json={"name": "short", "role": "viewer", "lifetimeSeconds": 7 * 86_400})
        world.bearer("short", made["token"])
        world.ask("GET", "/hearth/v1/caller", "short")
        world.ok("DELETE", f"{path}/{made['id']}", caller)
        world.ok("DELETE", f"{path}/{made['id']}", caller, note="again")
        world.ask("GET", "/hearth/v1/caller", "short", note="revoked")
        for note, body in (
                ("bad role", {"name": "refused", "role": "king"}),
                ("mirror", {"name": "refused", "role": "mirror", "lifetimeSeconds": 60}),
                ("empty name", {"name": "", "role": "viewer"}), ("long name", {"name": "n" * 200, "role": "viewer"}),
                ("no lifetime", {"name": "refused", "role": "viewer", "lifetimeSeconds": 0}),
                ("long lifetime", {"name": "refused", "role": "viewer", "lifetimeSeconds": 10**12}),
                ("line break", {"name": "a\nb", "role": "viewer"})):
            world.ask("POST", path, caller, json=body, note=note)
        world.ok("GET", path, caller, note="with ended ones")
    made = world.ok("POST", "{p}/adminTokens", json={"name": "a-second", "role": "viewer", "lifetimeSeconds": 1})
    world.bearer("expired", made["token"])
    world.until("the end of a token", lambda: world.recorder.look(
        world.main, "GET", "/hearth/v1/caller", "expired").status == 401)
    world.ask("GET", "/hearth/v1/caller", "expired")
    made = world.ok("POST", "{p}/adminTokens", json={"name": "kept", "role": "viewer"})
    world.things["token"] = made["id"]
    world.ok("GET", "{p}/adminTokens")


def projects(world):
    world.recorder.begin("projects")
    for caller in ("operator", "owner", "viewer", "server-viewer", "stranger", "mirror", None):
        world.ask("GET", "/hearth/v1/projects", caller)
    for caller in ("operator", "viewer", "stranger"):
        world.ask("GET", "{p}", caller)
    number = world.look("GET", "{p}")["projectNumber"]
    world.things["number"] = number
    world.ask("GET", "/hearth/v1/projects/{number}", note="by its number")
    world.ask("GET", "/hearth/v1/projects/{number}/apiKeys", "owner", note="by its number")
    for note, name in (
            ("taken", OTHER_PROJECT), ("short", "abc"), ("capital", "Some-Project"), ("long", "p" * 31), ("empty", "")):
        world.ask("POST", "/hearth/v1/projects", json={"projectId": name}, note=note)
    for caller in ("owner", "server-owner", "stranger"):
        world.ask("POST", "/hearth/v1/projects", caller, json={"projectId": "refused-project"})
    world.ok("POST", "/hearth/v1/projects", json={"projectId": "short-lived"})
    world.ask("DELETE", "/hearth/v1/projects/short-lived", "owner")
    world.ok("DELETE", "/hearth/v1/projects/short-lived")
    world.ask("DELETE", "/hearth/v1/projects/short-lived", note="again")
    world.ask("GET", "/hearth/v1/projects/short-lived", note="deleted")


def signing_keys(world):
    world.recorder.begin("signing keys")
    path = "/hearth/v1/server/signingKeys"
    world.ok("GET", path)
    made = world.ok("POST", path)
    world.ok("GET", path, note="two")
    world.ok("POST", path, note="a third")
    world.things["signing-key"] = made["id"]
    world.ok("POST", f"{path}/{made['id']}:retire")
    world.ok("POST", f"{path}/{made['id']}:retire", note="again")
    world.ask("POST", f"{path}/3:retire", note="signs")
    world.ask("POST", f"{path}/99:retire", note="unknown")
    world.ask("POST", f"{path}/former:retire", note="former")
    world.ok("GET", path, note="one retired")
    for caller in ("owner", "server-owner", None):
        world.ask("GET", path, caller)
        world.ask("POST", path, caller)
