"""The console's forms: each as its page fills it in, and without what shows that it comes from a page of the console."""

import json
import re
import urllib.parse

from replaying.pages import Forms
from replaying.scenes.config import TEMPLATE
from replaying.scenes.console import P, prepared

M = P + "/models/{paged}"
FOREIGN = "https://elsewhere.example"


def forms(world):
    world.recorder.begin("console: forms")
    prepared(world)
    Sender(world).all()
    ending(world)


class Sender:
    def __init__(self, world):
        self.world, self.browser = world, world.browser
        self.tried = set()

    def send(self, page, changes=(), action=None, **more):
        """The form; the first time also as it must not be sent."""
        target = action or page
        if target not in self.tried:
            self.tried.add(target)
            for note, options in (
                    ("no origin", {"origin": None}), ("foreign origin", {"origin": FOREIGN}),
                    ("no token", {"without": ("form-token",)})):
                self.browser.send(page, changes, action, note=note, **options)
            self.browser.send(page, {**dict(changes), "form-token": "nonsense"}, action, note="wrong token")
            self.world.viewer_browser.send(page, changes, action, note="viewer")
            fields = {**self.browser.fields(page, action), **dict(changes)}
            for caller in (None, "console ended"):
                self.world.ask("POST", "/console/" + target, caller, form=urllib.parse.urlencode(fields).encode(),
                    headers=[("Origin", self.world.main.url)], note="not signed in")
        return self.browser.send(page, changes, action, **more)

    def all(self):
        self.models()
        self.releases()
        self.devices()
        self.experiments()
        for root in ("config", "server-config"):
            self.config(f"{P}/{root}")
        self.keys()

    def models(self):
        self.send(M + "/settings",
            {"name": "paged", "tags": "a, b", "contract": "refuse", "rehearsal": "", "rehearsal-check": "warn"})
        self.send(M + "/settings", {"name": "with blank"}, note="bad name")
        self.send(M + "/settings", {"rehearsal": "agreement=95%"}, note="a gate")
        self.send(M + "/settings", {"rehearsal": "beauty=1"}, note="bad gate")
        self.send(M + "/versions/2", {"note": "from a page"})
        self.send(M + "/versions/2", {"note": "n" * 2000}, note="long")
        self.send(M + "/versions/2", {"alias": "paged-one"}, M + "/versions/2/aliases")
        self.send(M + "/versions/2", {"alias": "Not One"}, M + "/versions/2/aliases", note="bad name")
        self.send(M + "/versions/2", {}, M + "/aliases/paged-one/remove")
        digits = P + "/models/{digits}"
        self.send(digits + "/images", {"remove": "3-a.png"})
        self.send(digits + "/images", {}, note="nothing")
        self.send(digits + "/rehearsals", {"version": "9", "against": ""}, note="unknown version")
        self.send(digits + "/rehearsals", {"version": "x", "against": ""}, note="no number")

    def releases(self):
        answer = self.send(M + "/releases/new", {"version": "2", "share": "10", "condition": "nonsense("}, note="bad condition")
        self.send(M + "/releases/new", {"version": "2", "share": "x"}, note="no share")
        answer = self.send(M + "/releases/new", {"version": "2", "share": "10", "countries": "CH", "tags": "beta"})
        number = re.search(r"releases/(\d+)", answer.header("Location") or "/releases/2")[1]
        release = f"{M}/releases/{number}"
        self.send(release, {}, release + "/pause")
        self.send(release, {}, release + "/resume")
        self.send(release + "/share", {"share": "50"})
        self.send(release + "/share", {"share": "x"}, note="no share")
        self.send(release, {}, release + "/link")
        self.send(release + "/end", {})
        self.send(release + "/end", {}, note="again")
        self.send(M + "/releases/new", {"version": "3", "share": "5", "plan": "20, 100", "hold": "1", "on-harm": "rollback"},
            note="a plan")
        self.send(M + "/rollback", {})

    def devices(self):
        self.send(M + "/devices", {"pin-tag": "kiosk", "pin-version": "2", "pin-installation": ""})
        self.send(M + "/devices", {"pin-installation": "nonsense", "pin-version": "2"}, note="bad installation")
        self.send(M + "/devices", {"pin-installation": "", "pin-tag": ""}, note="nobody")
        self.send(M + "/devices", {"tag": "kiosk"}, M + "/devices/unpin")

    def experiments(self):
        page = P + "/experiments/new"
        fields = {"name": "paged-experiment", "note": "made by a form", "model": "paged", "variant-0": "old", "version-0": "1",
            "weight-0": "1", "variant-1": "new",
                  "version-1": "2", "weight-1": "1", "goal-event": "bought", "goal-kind": "conversion", "share": "50",
                  "planned": "1000", "error": "5"}
        self.send(page, {**fields, "do": "versions"}, note="asks for the versions")
        self.send(page, {**fields, "share": "x"}, note="no share")
        self.send(page, {**fields, "name": "with blank", "versions-of": "paged"}, note="bad name")
        self.send(page, {**fields, "versions-of": "paged"})
        self.send(page, {"json": "{nonsense"}, note="bad JSON")
        item = P + "/experiments/paged-experiment"
        self.send(item + "/edit", {"note": "changed by a form"})
        self.send(item, {}, item + "/link")
        self.send(item + "/start", {})
        self.send(item + "/stop", {"winner": "new"})
        self.send(item + "/roll-out", {"variant": "new"})
        self.send(item + "/delete", {})
        self.send(item + "/delete", {}, note="again")

    def config(self, root):
        self.send(root + "/changes", {}, root + "/changes/discard")
        self.send(root + "/new-parameter",
            {"key": "paged", "type": "STRING", "default-kind": "text", "default": "one", "description": "of a form"})
        self.send(root + "/new-parameter", {"key": "1 x", "type": "STRING", "default-kind": "text", "default": "one"},
            note="bad key")
        self.send(root + "/new-parameter", {"key": "paged", "type": "NUMBER", "default-kind": "text", "default": "one"},
            note="taken")
        self.browser.get(root + "/changes", note="one change")
        self.browser.get(root, note="one change")
        self.browser.get(root + "/device?of=draft", note="of the draft")
        self.send(root + "/new-condition", {"name": "paged", "expression": "percent <= 50", "colour": "BLUE"})
        self.send(root + "/new-condition", {"name": "paged-2", "expression": "nonsense("}, note="bad condition")
        self.send(root + "/new-condition", {"name": "built", "expression": "", "b-percent": "10", "b-seed": "s", "do": "build"},
            note="built")
        self.send(root + "/condition?name=paged", {"expression": "percent <= 60"})
        self.send(root + "/conditions", {"name": "paged", "to": "up"}, root + "/conditions/move")
        self.send(root + "/parameters/paged",
            {"description": "changed", "add-condition": "paged", "add-kind": "text", "add": "two"})
        self.send(root + "/changes", {"draft": "nonsense"}, note="another draft")
        self.send(root + "/changes", {"description": "published by a form"})
        self.browser.get(root + "/versions", note="after a form")
        self.send(root + "/parameters/paged", {}, root + "/parameters/paged/delete")
        self.send(root + "/condition?name=paged", {"name": "paged"}, root + "/condition/delete")
        self.browser.get(root + "/changes", note="two deletions")
        self.send(root + "/changes", {}, root + "/changes/discard", note="discarded")
        template = TEMPLATE if root.endswith("/config") else {"parameters": {"greeting": {"defaultValue": {"value": "Hello"}}}}
        self.send(root + "/json", {"template": json.dumps({**template, "parameters": {"one": {"defaultValue": {"value": "1"}}}})})
        self.send(root + "/json", {"template": "{nonsense"}, note="bad JSON")
        path = "{rc}/namespaces/" + ("firebase" if root.endswith("/config") else "firebase-server") + "/remoteConfig"
        self.world.ok("PUT", path, "publisher", json={"parameters": {"two": {"defaultValue": {"value": "2"}}}},
            headers=[("If-Match", "*")], note="by another")
        self.browser.get(root + "/changes", note="of an older version")
        self.send(root + "/changes", {}, note="of an older version")
        self.send(root + "/changes", {}, root + "/changes/reapply")
        self.send(root + "/changes", {"description": "reapplied"}, note="reapplied")
        self.send(root + "/versions/1/rollback", {})
        self.send(root + "/versions/1/rollback", {"active": "99"}, note="of another version")

    def keys(self):
        keys = P + "/keys"
        self.send(keys + "/apps/new", {"name": "", "platform": "ios"}, note="no name")
        answer = self.send(keys + "/apps/new", {"name": "paged", "platform": "ios", "bundle-ids": "a.b\nc.d"})
        secret = re.search(r'data-copy="(A[\w-]{38})"', answer.body.decode())[1]
        identifier = re.search(r"keys/apps/([0-9a-f]{16})", answer.body.decode())[1]
        self.world.things["paged-key"] = identifier
        app = keys + "/apps/{paged-key}"
        self.send(app, {"name": "paged again", "bundle-ids": "a.b"})
        self.send(keys + "/plist", {"key": secret, "bundle-id": "a.b"})
        self.send(keys + "/plist", {"key": "nonsense"}, note="no key")
        self.send(app + "/rotate", {"days": "1"})
        self.send(app + "/rotate", {"days": "x"}, note="no number")
        self.send(app + "/revoke", {})
        answer = self.send(keys + "/accounts/new", {"name": "paged", "role": "publisher"})
        self.send(keys + "/accounts/new", {"name": "Not One", "role": "publisher"}, note="bad name")
        fields = dict(self.shown(answer))
        self.browser.post("secret-file", fields, note="an account")
        self.browser.post("secret-file", {**fields, "text": "nonsense"}, note="nonsense")
        account = keys + "/accounts/paged@{project}.iam.hearth.invalid"
        self.send(account, {"role": "viewer"})
        self.send(account, {}, account + "/keys")
        self.send(account + "/revoke", {})
        answer = self.send(keys + "/tokens/new", {"name": "paged", "role": "viewer", "days": "1"})
        self.send(keys + "/tokens/new", {"name": "", "role": "viewer", "days": "1"}, note="no name")
        self.browser.post("secret-file", dict(self.shown(answer)), note="a token")
        self.world.things["paged-token"] = re.search(r"hearth_([0-9a-f]{16})_", answer.body.decode())[1]
        self.send(keys + "/tokens/{paged-token}/revoke", {})
        answer = self.send("server/tokens/new", {"name": "paged", "role": "mirror", "days": "1"})
        self.world.things["paged-token"] = re.search(r"hearth_([0-9a-f]{16})_", answer.body.decode())[1]
        self.send("server/tokens/{paged-token}/revoke", {})
        self.send(P + "/links", {}, P + "/links/{link}/revoke")
        self.send(M + "/unpublish", {})
        self.send(M + "/delete", {"confirm": "other"}, note="not confirmed")
        self.send(M + "/delete", {"confirm": "paged"})

    @staticmethod
    def shown(answer):
        """The hidden form with which a new secret becomes a file."""
        return next((fields for action, fields in Forms(answer.body.decode()).found if action.endswith("/secret-file")), [])


def ending(world):
    world.recorder.begin("console: signing out")
    page = "account"
    sessions = re.findall(r"account/sessions/([0-9a-f]{16})/revoke",
        world.recorder.look(world.main, "GET", "/console/account", "console operator").body.decode())
    for session in sessions[:1]:
        world.things["session"] = session
        world.browser.send(page, {}, "account/sessions/{session}/revoke")
    for note, options in (
            ("no origin", {"origin": None}), ("foreign origin", {"origin": FOREIGN}), ("no token", {"without": ("form-token",)}),
            ("", {}), ("again", {})):
        world.publisher_browser.send(page, {}, "sign-out", note=note, **options)
    world.publisher_browser.get(page)
