"""A server on which something of everything has happened, for tests that read pages."""

import base64
import json
import pathlib
import random
import subprocess
import time
import urllib.error
import urllib.request

from driving import Device, _open

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
MODELS = PACKAGE / "Models"
REHEARSAL = PACKAGE / "Tests/Fixtures/rehearsal"
SETTINGS = [
    # All devices ask from one address here.
    "--installation-requests-per-minute", "0", "--address-requests-per-minute", "0",
    # The server looks at releases and experiments while the fixture is made.
    "--experiment-check-seconds", "1", "--rollout-check-seconds", "1",
]  # fmt: skip
TEMPLATE = {
    "conditions": [
        {"name": "ios in Switzerland", "expression": "device.os == 'ios' && device.country in ['CH']", "tagColor": "BLUE"},
        {"name": "a tenth", "expression": "percent <= 10"},
    ],
    "parameters": {
        "welcome": {
            "defaultValue": {"value": "Hello"},
            "conditionalValues": {"ios in Switzerland": {"value": "Grüezi"}, "a tenth": {"value": "Hi"}},
            "description": "The first line that people read",
            "valueType": "STRING",
        },
        "uses_new_model": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN"},
        "limits": {"defaultValue": {"value": '{"photos": 10}'}, "valueType": "JSON"},
    },
    "parameterGroups": {"colours": {"parameters": {"button": {"defaultValue": {"value": "red"}, "valueType": "STRING"}}}},
}

SERVER_TEMPLATE = {"parameters": {"greeting": {"defaultValue": {"value": "Hello"}, "valueType": "STRING"}}}


class Api:
    """Calls of the HTTP API as the server's administrator."""

    def __init__(self, server):
        self.server = server
        key = json.loads(server.admin_key.read_text())
        self.project = key["project_id"]
        secret = base64.b64encode(f"{key['client_id']}:{key['client_secret']}".encode()).decode()
        form = {"Authorization": f"Basic {secret}", "Content-Type": "application/x-www-form-urlencoded"}
        answer = self.raw("POST", "/token", b"grant_type=client_credentials", form)
        self.headers = {"Authorization": "Bearer " + json.loads(answer)["access_token"]}

    def raw(self, method, path, body=None, headers=()):
        """The bytes of the answer. `urllib.error.HTTPError` for a refusal."""
        request = urllib.request.Request(self.server.url + path, body, dict(headers), method=method)
        try:
            with _open(request) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            error.add_note(error.read().decode(errors="replace"))
            raise

    def call(self, method, path, body=None, **more):
        """A call with JSON. `{p}` in the path is the project's path of Hearth's own calls, `{id}` the project."""
        path = path.replace("{p}", f"/hearth/v1/projects/{self.project}").replace("{id}", self.project)
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self.raw(method, path, data, {**self.headers, "Content-Type": "application/json", **more}) or b"{}")

    def is_refused(self, method, path, body=None, **more):
        try:
            self.call(method, path, body, **more)
        except urllib.error.HTTPError:
            return True
        return False

    def model(self, name):
        """The number of a model."""
        models = self.call("GET", "/v1beta2/projects/{id}/models?pageSize=1000")["models"]
        return next(model["name"].split("/")[-1] for model in models if model["displayName"] == name)

    def hash(self, name, version):
        return self.call("GET", f"{{p}}/models/{self.model(name)}/versions/{version}")["modelHash"]

    def releases(self, name):
        """Newest first."""
        return self.call("GET", f"{{p}}/models/{self.model(name)}/releases")["releases"]

    def put_template(self, template):
        self.call("PUT", "/v1/projects/{id}/remoteConfig", template, **{"If-Match": "*"})


class Fleet:
    """Devices that ask for models and report, as the library does."""

    def __init__(self, server, count):
        self.devices = [Device(server) for _ in range(count)]
        self.random = random.Random(1)

    def ask(self, device, model, has=None):
        """The hash that the device gets, and its variant if there is one. `has` is the hash of the version that it has."""
        project = device.settings["PROJECT_ID"]
        request = urllib.request.Request(
            f"{device.server.url}/v1beta2/projects/{project}/models/{model}:download", None,
            self._headers(device) | ({"If-None-Match": has} if has else {}),
        )  # fmt: skip
        try:
            with _open(request) as answer:
                headers = answer.headers
        except urllib.error.HTTPError as error:
            if error.code != 304:
                raise
            headers = error.headers
        named = headers.get("X-Hearth-Experiment")
        return headers["ETag"].strip('"'), named.split("/")[1] if named else None

    def report(self, device, items):
        device.sequence = getattr(device, "sequence", 0)
        for item in items:
            device.sequence += 1
            item |= {"sequence": device.sequence, "time": "2027-01-15T08:00:00Z"}
        path = f"/hearth/v1/projects/{device.settings['PROJECT_ID']}/events"
        device._call(path, json.dumps({"journal": device.id, "items": items}).encode(), self._headers(device))

    def use(self, model, has, crashing=None, part=slice(None)):
        """Each device has the version with the hash `has`, gets the model and runs it; the version with the hash `crashing` crashes."""
        for device in self.devices[part]:
            digest, _ = self.ask(device, model, has)
            runs = sorted(self.random.choice(range(52, 58)) for _ in range(5))
            counts = [[index, runs.count(index)] for index in sorted(set(runs))]
            named = {"model": model, "modelHash": digest}
            items = [{"health": {**named, "installed": 1}}, {"health": {**named, "loads": 1, "runs": 5, "runTimes": counts}}]
            if digest == crashing:
                # In the first report, because guards compare first reports with first ones, and later ones with later ones.
                items[1]["health"]["crashes"] = {"SIGABRT": 2}
                items.append({"health": {**named, "rejected": 1}})
            self.report(device, items)

    def take_part(self, model, rates, part=slice(None)):
        """Each device gets its variant of the experiment with the model's name; its user is content at the variant's rate."""
        for device in self.devices[part]:
            _, variant = self.ask(device, model)
            if variant is None:
                continue
            items = [{"exposure": {"experiment": model, "variant": variant}}]
            if self.random.random() < rates[variant]:
                items.append({"event": {"name": "content", "model": model}})
            self.report(device, items)

    @staticmethod
    def _headers(device):
        return {
            "x-goog-api-key": device.settings["API_KEY"],
            "x-goog-firebase-installations-auth": device.token,
            "Content-Type": "application/json",
        }


def changed(folder, source, name):
    """A model that is as valid as `source`, with another hash: what lies behind a model does not change it."""
    path = folder / f"{name}.tflite"
    path.write_bytes(source.read_bytes() + name.encode())
    return path


def points(api, experiment):
    return api.call("GET", f"{{p}}/experiments/{experiment}/history")["points"]


def until(holds):
    """Asks again and again, because the server looks at its releases and experiments every second."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "the server did not do it"


def hearth_refused(server, *arguments):
    try:
        server.hearth(*arguments)
    except subprocess.CalledProcessError:
        return
    raise AssertionError(f"not refused: {arguments}")


def upload(api, name, data):
    """Where the server keeps the file, as calls that make models name it."""
    path = f"/hearth/v1/projects/{api.project}/uploads?name={name}"
    return json.loads(api.raw("POST", path, data, api.headers))["gcsTfliteUri"]


def experiment(api, model, name=None, **more):
    return {
        "name": name or model,
        "note": "Whether the new version is better",
        "goal": {"event": "content", "kind": "conversion", "model": model},
        "guardrails": [{"metric": {"event": "crash", "kind": "conversion", "lowerIsBetter": True}}],
        "plannedExposures": 100,
        "variants": [{"name": "old", "models": {model: 1}}, {"name": "new", "models": {model: 2}}],
        **more,
    }


def fill(server, folder, clock):
    """Does on the server what teams do in half an hour of its clock. Returns an `Api`."""
    api = Api(server)
    hearth = server.hearth
    labeler = MODELS / "digits-labeler/model.tflite"

    # A model with pictures, a version that answers otherwise, one that is better, and a file that is none.
    hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish", "--note", "the first one")
    hearth("models", "images", "add", "digits", REHEARSAL / "images")
    hearth("models", "set", "digits", "--rehearsal-require", "agreement=95%,accuracy=-1%")
    hearth("models", "push", "digits", REHEARSAL / "worse-class", "--note", "almost no sevens", "--tag", "vision")
    # What the requirements refuse, the commands tell by their exit status.
    hearth_refused(server, "models", "rehearse", "digits")
    hearth("models", "push", "digits", MODELS / "digits-labeler-2", "--tag", "numbers")
    (folder / "broken.tflite").write_bytes(b"not a model" * 100)
    hearth_refused(server, "models", "push", "digits", folder / "broken.tflite")
    source = upload(api, "broken", b"not a model" * 100)
    api.call("POST", "/v1beta2/projects/{id}/models", {"displayName": "broken", "tfliteModel": {"gcsTfliteUri": source}})
    hearth("models", "alias", "digits", "champion", 1)
    hearth("models", "alias", "digits", "challenger", 3)

    # A rollout with a plan, a paused one, one whose version crashes, one that has ended.
    fleet = Fleet(server, 480)
    for model in ("planned", "paused", "crashing", "rolled-back", "ended"):
        hearth("models", "push", model, changed(folder, labeler, f"{model}-1"), "--publish")
        hearth("models", "push", model, changed(folder, labeler, f"{model}-2"))
    hearth("releases", "create", "planned", "--plan", "25%,50%,100%", "--hold", "2h", "--all-guards")
    hearth("releases", "create", "paused", "--share", "10%", "--country", "CH", "--language", "de")
    hearth("releases", "pause", "paused", api.releases("paused")[0]["release"])
    hearth("releases", "create", "crashing", "--plan", "50%,100%", "--hold", "1m", "--on-harm", "pause", "--all-guards")
    hearth("releases", "create", "rolled-back", "--plan", "50%,100%", "--hold", "1m", "--on-harm", "rollback", "--all-guards")
    hearth("releases", "create", "ended", "--share", "50%", "--stage", "+2d=80%")
    hearth("releases", "stop", "--yes", "ended", api.releases("ended")[0]["release"])
    hearth("releases", "pin", "planned", "--installation", fleet.devices[0].id, "--version", "2")
    fleet.use("digits", None, part=slice(0, 20))
    fleet.use("planned", api.hash("planned", 1), part=slice(0, 60))
    for model in ("crashing", "rolled-back"):
        fleet.use(model, api.hash(model, 1), api.hash(model, 2), slice(0, 100))

    # Experiments: a draft, one that runs, one whose difference was found.
    for model in ("running", "decided"):
        hearth("models", "push", model, changed(folder, labeler, f"{model}-1"), "--publish")
        hearth("models", "push", model, changed(folder, labeler, f"{model}-2"))
        api.call("POST", "{p}/experiments", experiment(api, model))
        api.call("POST", f"{{p}}/experiments/{model}:start", {})
    api.call("POST", "{p}/experiments", experiment(api, "digits", "draft", layer="one"))
    fleet.take_part("running", {"old": 0.42, "new": 0.46}, slice(0, 400))
    fleet.take_part("decided", {"old": 0.2, "new": 0.95})
    until(lambda: len(points(api, "running")) == 1)
    # The curve of an experiment has a point each minute at most.
    for count, part in ((2, slice(400, 440)), (3, slice(440, 480))):
        clock.passed_seconds += 700
        fleet.take_part("running", {"old": 0.42, "new": 0.46}, part)
        until(lambda count=count: len(points(api, "running")) >= count)
    until(lambda: api.call("GET", "{p}/experiments/decided")["state"] == "stopped")
    # The guards count what they saw before the clock went on.
    until(lambda: api.releases("crashing")[0]["state"] == "paused" and api.releases("rolled-back")[0]["state"] == "ended")

    api.put_template(TEMPLATE)
    api.call("PUT", "/v1/projects/{id}/namespaces/firebase-server/remoteConfig", SERVER_TEMPLATE, **{"If-Match": "*"})
    hearth("remoteconfig", "set", "welcome", "Good morning")
    hearth("keys", "token", "create", "dashboard", "--role", "viewer", "--lifetime", "90d", "--json")
    hearth("keys", "api", "create", "A second app", "--output", folder / "second.plist")
    hearth("keys", "account", "create", "ci", "--role", "publisher", "--output", folder / "ci.json")
    api.devices = fleet.devices
    return api
