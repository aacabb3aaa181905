"""Experiments of models and parameters, their results, and Google's calls about them."""

from replaying.recorder import Unexpected, parsed

PATH = "{p}/experiments"
GOOGLE = "{rc}/namespaces/firebase/experiments"
# So unequal that the recording's devices get the second variant: the draw depends on the moment of the start.
WEIGHTS = (1, 1000)


def definition(name, **more):
    """An experiment of a parameter."""
    return {"name": name, "goal": {"event": "bought", "kind": "conversion"}, "variants": [
        {"name": "control", "weight": WEIGHTS[0]}, {"name": "other", "weight": WEIGHTS[1], "parameters": {"welcome": "Salut"}}],
        **more}


def of_model(name, model, **more):
    return {
        "name": name, "note": "Whether the new version is better",
        "goal": {"event": "content", "kind": "total", "model": model},
        "guardrails": [{"metric": {"event": "crash", "kind": "conversion", "lowerIsBetter": True}, "margin": 0.1}],
        "plannedExposures": 100, "errorRate": 0.05, "stopsAtWinner": False, "share": 1, "layer": "one",
        "variants": [
            {"name": "old", "weight": WEIGHTS[0], "models": {model: 1}},
            {"name": "new", "weight": WEIGHTS[1], "models": {model: 2}}], **more}


def experiments(world):
    world.recorder.begin("experiments")
    for path in (PATH, GOOGLE):
        world.ask("GET", path, "viewer", note="none")

    def make(note, body):
        return world.ask("POST", PATH, "publisher", json=body, note=note)

    make("a parameter", definition("colours"))
    make("a model", of_model("versions", "steady"))
    make("taken", definition("colours"))
    for name in ("gone", "draft", "second"):
        make(name, definition(name, layer="two"))
    variants = definition("x")["variants"]
    for note, more in (
            ("bad name", {"name": "with blank"}), ("no variants", {"variants": []}), ("one variant", {"variants": variants[:1]}),
            ("two of a name", {"variants": [variants[0], variants[0]]}),
            ("nothing varies", {"variants": [{"name": "a"}, {"name": "b"}]}),
            ("bad weight", {"variants": [variants[0], {**variants[1], "weight": 0}]}),
            ("bad version", {"variants": [variants[0], {"name": "b", "models": {"steady": 0}}]}),
            ("bad kind", {"goal": {"event": "bought", "kind": "beauty"}}),
            ("bad event", {"goal": {"event": "1st", "kind": "total"}}), ("bad share", {"share": 0}),
            ("bad layer", {"layer": "with blank"}), ("bad audience", {"audience": "nonsense("}),
            ("few planned", {"plannedExposures": 1}), ("bad error rate", {"errorRate": 0.9}),
            ("bad margin", {"guardrails": [{"metric": {"event": "a", "kind": "total"}, "margin": -1}]}),
            ("same metrics", {"guardrails": [{"metric": {"event": "bought", "kind": "conversion"}}]}),
            ("unknown member", {"colour": 1}),
            ("unknown member of a variant", {"variants": [variants[0], {**variants[1], "colour": 1}]}),
            ("long note", {"note": "n" * 5000})):
        make(note, definition("refused") | more)
    make("unknown model", of_model("unknown-model", "nothing"))
    make("unknown parameter",
        definition("unknown-parameter") | {"variants": [variants[0], {"name": "b", "parameters": {"nothing": "x"}}]})
    world.things["experiment"] = "draft"
    world.ok("PUT", PATH + "/draft", "publisher",
        json=definition("draft", note="changed", layer="two", audience="device.os != 'web'"))
    world.ask("PUT", PATH + "/draft", "publisher", json=definition("renamed"), note="another name")
    world.ask("PUT", PATH + "/nothing", "publisher", json=definition("nothing"))
    for query in (
            "", "?state=draft", "?state=running", "?state=odd", "?model=steady", "?model={model}", "?parameter=welcome",
            "?parameter=nothing"):
        world.ask("GET", PATH + query, "viewer")
    for name in ("colours", "nothing", "with%20blank"):
        for part in ("", "/results", "/history", "/data", "/pins"):
            world.ask("GET", f"{PATH}/{name}{part}", "publisher", note="draft")
    running(world)
    endings(world)


def running(world):
    world.recorder.begin("running experiments")
    for name in ("colours", "versions"):
        world.ask("POST", f"{PATH}/{name}:start", "viewer", json={})
        world.ok("POST", f"{PATH}/{name}:start", "publisher", json={})
        world.ask("POST", f"{PATH}/{name}:start", "publisher", json={}, note="again")
        world.ask("PUT", f"{PATH}/{name}", "publisher", json=definition(name))
        world.ask("DELETE", f"{PATH}/{name}", "publisher")
    world.ask("POST", PATH + "/unknown-model:start", "publisher", json={})
    world.ask("POST", PATH + "/second:start", "publisher", body=b"", note="no body, the same parameter")
    world.ask("POST", PATH + "/second:start", "publisher", json={"colour": 1}, note="unknown member")
    pins(world)
    taking_part(world)
    for name in ("colours", "versions"):
        for part in (
                "", "/results", "/results?maxAge=60", "/results?maxAge=x", "/results?maxAge=-1", "/history", "/data",
                "/data?pageSize=1", "/data?pageSize=1&pageToken=1", "/data?pageSize=x", "/data?pageToken=x"):
            world.ask("GET", f"{PATH}/{name}{part}", "publisher")
    world.ask("GET", PATH + "/colours/data", "viewer")
    world.ok("GET", PATH + "?state=running", "viewer")
    google(world)


def pins(world):
    fid = world.fids[2]
    path = PATH + "/colours"
    for note, body in (
            ("installation", {"installation": fid, "variant": "control"}), ("again", {"installation": fid, "variant": "control"}),
            ("tag", {"tag": "kiosk", "variant": "other"}), ("unknown variant", {"tag": "kiosk", "variant": "nothing"}),
            ("neither", {"variant": "other"}), ("bad installation", {"installation": "x", "variant": "other"})):
        world.ask("POST", path + ":pin", "publisher", json=body, note=note)
    world.ok("GET", path + "/pins", "viewer", note="two")
    world.ask("POST", PATH + "/nothing:pin", "publisher", json={"tag": "kiosk", "variant": "other"})


def taking_part(world):
    """Devices get their variants and report."""
    body = {"appInstanceId": world.fids[0], "appId": world.main.app["GOOGLE_APP_ID"]}
    fetched = world.recorder.look(
        world.main, "POST", world.path("{rc}/namespaces/firebase:fetch"), "device 1", json=body)
    drawn = [one["variantId"] for one in parsed(fetched)["experimentDescriptions"]]
    explained = world.look("GET", f"{{p}}/models/{{model}}:explain?installation={world.fids[0]}", "viewer")
    if "other" not in drawn or explained.get("variant") != "new":
        raise Unexpected(f"a draw of one in a thousand: {drawn}, {explained.get('variant')}; record again")
    start = parsed(fetched)["experimentDescriptions"][0]["experimentStartTime"]
    for device, tags in ((1, ""), (3, ""), (1, "kiosk")):
        headers = [("x-hearth-tags", tags)] if tags else []
        world.ask("POST", "{rc}/namespaces/firebase:fetch", f"device {device}", json=body, headers=headers,
            note=f"in an experiment {tags}")
    world.ask("GET", "{ml}/steady:download", "device 1", note="in an experiment")
    time = "2024-06-01T12:00:00Z"

    def report(device, journal, variant, more=(), **exposure):
        items = [{"sequence": 1, "time": time, "exposure": {"experiment": "colours", "variant": variant, **exposure}},
                 {"sequence": 2, "time": time, "exposure": {"experiment": "versions", "variant": "new"}}, *more]
        world.ask("POST", "{p}/events", f"device {device}", json={"journal": f"journal-of-part-{journal:06}", "items": items},
            note="in an experiment")

    bought = [{"sequence": 3, "time": time, "event": {"name": "bought"}},
              {"sequence": 4, "time": time, "event": {"name": "content", "value": 2.5, "model": "steady"}}]
    report(1, 1, "other", bought, start=start)
    report(2, 2, "control", bought[:1])
    report(3, 3, "control")
    report(4, 4, "other", bought, start="2024-01-01T00:00:00.000Z")
    report(4, 5, "nothing")


def google(world):
    world.recorder.begin("Google's experiments")
    for query in ("", "?pageSize=1", "?pageSize=1&pageToken=1", "?pageSize=x", "?pageToken=x"):
        world.ask("GET", GOOGLE + query, "viewer")
    for name in ("colours", "draft", "nothing"):
        world.ask("GET", f"{GOOGLE}/{name}", "viewer")
    world.ask("GET", "{rc}/namespaces/firebase-server/experiments", "viewer")
    world.ask("GET", "{rc}/namespaces/nothing/experiments", "viewer")
    world.ask("DELETE", GOOGLE + "/gone", "viewer")
    world.ask("DELETE", GOOGLE + "/colours", "publisher", note="running")
    world.ok("DELETE", GOOGLE + "/gone", "publisher")
    world.ask("DELETE", GOOGLE + "/gone", "publisher", note="again")


def endings(world):
    world.recorder.begin("ends of experiments")
    for note, body in (("unknown winner", {"winner": "nothing"}), ("winner", {"winner": "other"}),
            ("again", {"winner": "other"})):
        world.ask("POST", PATH + "/colours:stop", "publisher", json=body, note=note)
    world.ask("POST", PATH + "/draft:stop", "publisher", json={}, note="draft")
    for note, body in (("unknown variant", {"variant": "nothing"}), ("variant", {"variant": "other"}),
            ("again", {"variant": "other"})):
        world.ask("POST", PATH + "/colours:rollOut", "publisher", json=body, note=note)
    for body in ({"installation": world.fids[2]}, {"tag": "kiosk"}, {"tag": "kiosk"}, {}):
        world.ask("POST", PATH + "/colours:unpin", "publisher", json=body)
    world.ok("GET", PATH + "/colours/results", "viewer")
    world.ok("GET", PATH + "/colours/history", "viewer")
    world.ok("GET", PATH, "viewer")
    world.ok("DELETE", PATH + "/second", "publisher")
    world.ask("DELETE", PATH + "/second", "publisher", note="again")
    world.ask("GET", "/v1/projects/{project}/remoteConfig", "viewer", note="after a roll-out")
