"""Releases, pins, what an installation gets and why."""

from replaying.scenes.models import create, publish, send
from replaying.world import changed, model_file

LATE = ("2040-01-01T00:00:00Z", "2040-02-01T00:00:00Z")
AUDIENCE = {"appVersionFrom": "2.1", "appVersionBelow": "3", "operatingSystems": ["ios", "linux"], "languages": ["de", "pt-BR"],
            "countries": ["CH", "BR"], "tags": ["beta"],
            "condition": "percent <= 10 && app.customSignal['store'].contains(['north'])"}


def releases(world):
    world.recorder.begin("releases")
    add = model_file("Tests/Fixtures/models/add.tflite")
    model = world.things["released"] = create(world, "released", world.things["source"])
    path = "{p}/models/{released}/releases"
    world.ask("GET", path, "viewer", note="none")
    world.ok("POST", path, "publisher", body=b"", note="the first, to all")
    for number in (2, 3, 4):
        source = send(world, f"released-{number}.tflite", changed(add, f"released {number}"))
        world.ok("POST", f"{{p}}/models/{model}/versions", "publisher", json={"source": source}, note=f"version {number}")
    world.things["release"] = 2

    def make(note, body):
        return world.ask("POST", path, "publisher", json=body, note=note)

    make("a share", {"version": 2, "share": 0.1})
    make("stages", {"version": 3, "share": 0.2, "stages": [
        {"time": LATE[0], "share": 0.5}, {"time": LATE[1], "share": 1}]})
    make("an audience", {"version": 4, "share": 0.5, "audience": AUDIENCE})
    make("everyone of an audience",
        {"version": 3, "audience": {"countries": ["UK"], "languages": ["xx"], "operatingSystems": ["beos"]}})
    make("guards", {"version": 4,
        "guarding": {"plan": [0.1, 0.5, 1], "holdSeconds": 7200, "onHarm": "rollback", "off": ["time"]}})
    make("guards of a share", {"version": 2, "share": 0.3, "guarding": {"onHarm": "pause"}})
    for note, body in (
            ("share of 0", {"share": 0}), ("share of 2", {"share": 2}), ("negative share", {"share": -0.5}),
            ("small share", {"share": 1e-9}), ("unknown version", {"version": 9}), ("version 0", {"version": 0}),
            ("stage in the past", {"share": 0.1, "stages": [{"time": "2020-01-01T00:00:00Z", "share": 0.5}]}),
            ("falling stage", {"share": 0.5, "stages": [{"time": LATE[0], "share": 0.1}]}),
            ("stages in no order", {"share": 0.1, "stages": [{"time": LATE[1], "share": 0.5}, {"time": LATE[0], "share": 1}]}),
            ("no time", {"share": 0.1, "stages": [{"time": "soon", "share": 0.5}]}),
            ("bad system", {"share": 0.1, "audience": {"operatingSystems": ["With Blank"]}}),
            ("bad country", {"share": 0.1, "audience": {"countries": ["Schweiz"]}}),
            ("bad language", {"share": 0.1, "audience": {"languages": ["?"]}}),
            ("bad tag", {"share": 0.1, "audience": {"tags": ["with blank"]}}),
            ("bad app version", {"share": 0.1, "audience": {"appVersionFrom": "two"}}),
            ("no app version between", {"share": 0.1, "audience": {"appVersionFrom": "3", "appVersionBelow": "2"}}),
            ("bad condition", {"share": 0.1, "audience": {"condition": "percent('large') < 10"}}),
            ("unknown audience", {"share": 0.1, "audience": {"colour": "red"}}), ("guards for all", {"share": 1, "guarding": {}}),
            ("share and plan", {"share": 0.2, "guarding": {"plan": [0.1, 1]}}),
            ("falling plan", {"guarding": {"plan": [0.5, 0.1]}}),
            ("unknown guard", {"share": 0.1, "guarding": {"off": ["beauty"]}}),
            ("unknown harm", {"share": 0.1, "guarding": {"onHarm": "explode"}}),
            ("short hold", {"guarding": {"plan": [0.1, 1], "holdSeconds": -1}}),
            ("unknown stage", {"share": 0.1, "stages": [{"time": LATE[0], "share": 0.5, "colour": 1}]})):
        make(note, body)
    world.ok("GET", path, "viewer")
    for number in ("1", "2", "4", "6", "99", "0", "x", "-1"):
        world.ask("GET", f"{path}/{number}", "viewer")
    release_changes(world, path)
    rollbacks(world)


def release_changes(world, path):
    world.recorder.begin("changes of releases")

    def change(number, note, body):
        return world.ask("PATCH", f"{path}/{number}", "publisher", json=body, note=note)

    change(2, "nothing", {})
    change(2, "share", {"share": 0.4})
    change(2, "smaller share", {"share": 0.2})
    change(2, "stages", {"stages": [{"time": LATE[0], "share": 0.9}]})
    change(2, "no stages", {"stages": []})
    change(2, "audience", {"audience": {"tags": ["kiosk"]}})
    change(2, "everybody", {"audience": {}})
    change(1, "to all, narrower", {"share": 0.5})
    change(99, "unknown", {"share": 0.5})
    change(6, "guards", {"guarding": {"onHarm": "pause", "off": []}})
    change(6, "share of a plan", {"share": 0.2})
    change(6, "unknown guard", {"guarding": {"off": ["beauty"]}})
    for number, verb in (
            (2, "pause"), (2, "pause"), (2, "resume"), (2, "resume"), (1, "pause"), (3, "end"), (3, "end"), (3, "resume"),
            (1, "end"), (99, "pause"), (6, "pause"), (6, "resume")):
        world.ask("POST", f"{path}/{number}:{verb}", "publisher", json={})
    change(3, "ended", {"share": 0.5})
    world.ask("POST", f"{path}/2:jump", "publisher", json={})
    world.ok("GET", path, "viewer")
    world.ok("GET", "{ml}/{released}", "viewer")


def rollbacks(world):
    world.recorder.begin("rollbacks")
    path = "{p}/models/{released}:rollback"
    for note, body in (
            ("preview", {"validateOnly": True}), ("of a version, preview", {"version": 1, "validateOnly": True}),
            ("unknown version", {"version": 9}), ("version", {"version": 1}), ("the one before", {})):
        world.ask("POST", path, "publisher", json=body, note=note)
    world.ask("POST", path, "publisher", body=b"", note="no body")
    world.ok("GET", "{p}/models/{released}/releases", "viewer")
    world.ask("POST", "{p}/models/{model}:rollback", "publisher", json={})
    # A release that goes on, for all that follows.
    world.ok("POST", "{p}/models/{released}/releases", "publisher", json={"version": 3, "share": 0.25, "stages": [
        {"time": LATE[0], "share": 0.5}]}, note="goes on")
    world.ok("POST", "{p}/models/{released}/releases", "publisher", json={"version": 4, "guarding": {"plan": [0.05, 1]}},
        note="guarded")
    found = world.ok("GET", "{p}/models/{released}/releases", "viewer", note="at the end")
    world.things["release"] = found["releases"][1]["release"]
    checked(world)


def checked(world):
    """A model whose checks refuse releases."""
    world.recorder.begin("refused releases")
    add = world.things["source"]
    model = create(world, "checked", add,
        hearth={"contractCheck": "refuse", "rehearsalRequire": "agreement=95%", "rehearsalCheck": "refuse"})
    publish(world, model)
    other = send(world, "int8.tflite", model_file("Tests/Fixtures/models/add_int8.tflite"))
    world.ok("POST", f"{{p}}/models/{model}/versions", "publisher", json={"source": other})
    for note, body in (("refused", {"share": 0.1}), ("contract", {"share": 0.1, "allowContractChange": True}),
                       ("both", {"share": 0.1, "allowContractChange": True, "allowFailedRehearsal": True})):
        world.ask("POST", f"{{p}}/models/{model}/releases", "publisher", json=body, note=note)
    publish(world, model)
    world.ask("PATCH", f"{{p}}/models/{model}/releases/2", "publisher", json={"share": 0.5})
    broken = send(world, "broken.tflite", b"not a model" * 100)
    world.ok("POST", f"{{p}}/models/{model}/versions", "publisher", json={"source": broken}, note="broken")
    world.ask("POST", f"{{p}}/models/{model}/releases", "publisher", json={"share": 0.1, "version": 3}, note="broken")
    world.ask("PUT", f"{{p}}/models/{model}/aliases/broken", "publisher", json={"version": 3})
    world.ask("POST", f"{{p}}/models/{model}:pin", "publisher", json={"version": 3, "tag": "a"})


def pins(world):
    world.recorder.begin("pins of models")
    model = "{p}/models/{released}"
    fid = world.fids[0]
    world.ask("GET", model + "/pins", "viewer", note="none")
    for note, body in (
            ("installation", {"installation": fid, "version": 2}), ("again", {"installation": fid, "version": 2}),
            ("moved", {"installation": fid, "version": 3}), ("tag", {"tag": "kiosk", "version": 4}), ("neither", {"version": 2}),
            ("both", {"installation": fid, "tag": "kiosk", "version": 2}), ("unknown version", {"tag": "kiosk", "version": 9}),
            ("bad tag", {"tag": "with blank", "version": 2}), ("bad installation", {"installation": "nonsense", "version": 2})):
        world.ask("POST", model + ":pin", "publisher", json=body, note=note)
    world.ok("GET", model + "/pins", "viewer")
    explanations(world)
    world.recorder.begin("pins of models")
    for note, body in (
            ("installation", {"installation": fid}), ("again", {"installation": fid}), ("nobody", {}),
            ("bad installation", {"installation": "nonsense"}), ("unknown tag", {"tag": "nothing"})):
        world.ask("POST", model + ":unpin", "publisher", json=body, note=note)
    world.ok("GET", model + "/pins", "viewer", note="one")


def explanations(world):
    world.recorder.begin("explanations")
    path = "{p}/models/{released}:explain"
    for query in (
            "", "?installation=", "?installation=nonsense", f"?installation={world.fids[0]}", f"?installation={world.fids[1]}",
            f"?installation={world.fids[1]}&os=ios&appVersion=2.5&language=de-CH&country=CH&tag=beta&tag=kiosk",
            f"?installation={world.fids[2]}&tag=beta", "?installation=cUnknownDevice00000001",
            f"?installation={world.fids[1]}&country=Schweiz", f"?installation={world.fids[1]}&os=With%20Blank",
            f"?installation={world.fids[1]}&appVersion=two", "?installation=device:0123456789ab"):
        world.ask("GET", path + query, "viewer")
    world.ask("GET", "{p}/models/{changing}:explain" + f"?installation={world.fids[1]}", "viewer")
