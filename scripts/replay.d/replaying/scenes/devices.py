"""What apps ask: installations, downloads, fetches, streams of updates, events; and what browsers ask before."""

import gzip

from replaying.recorder import encoded, parsed

# Ids of installations that the recording chooses: a release's draw depends on them.
FIDS = [f"cReplayDevice{number:09}" for number in range(1, 9)]
INSTALLATIONS = "{rc}/installations"


def register(world, fid, caller="app", note="", app=None, **more):
    """Registers an installation with an id of the recording's choice."""
    body = {"fid": fid, "appId": app or world.main.app["GOOGLE_APP_ID"], "authVersion": "FIS_v2", "sdkVersion": "replay", **more}
    return world.ask("POST", INSTALLATIONS, caller, json=body, note=note or str(fid))


def installations(world):
    world.recorder.begin("installations")
    world.fids = FIDS
    key = world.main.app["API_KEY"]
    for number, fid in enumerate(FIDS[:4], 1):
        made = parsed(register(world, fid))
        world.device(f"device {number}", made, key)
        world.recorder.callers[f"renewing {number}"] = [
            ("x-goog-api-key", key), ("Authorization", f"FIS_v2 {made['refreshToken']}")]
    world.things["fid"] = FIDS[0]
    register(world, FIDS[0], note="again")
    register(world, None, note="an id of the server's")
    register(world, "nonsense", note="an id of no form")
    world.ask("POST", INSTALLATIONS + "/", "app", json={"appId": world.main.app["GOOGLE_APP_ID"]}, note="with a slash")
    world.ask("POST", f"/v1/projects/{world.things['number']}/installations", "app", json={
        "fid": FIDS[0], "appId": world.main.app["GOOGLE_APP_ID"]}, note="by number")
    world.ask("POST", INSTALLATIONS + "?key=" + key, None, json={"fid": FIDS[0], "appId": world.main.app["GOOGLE_APP_ID"]},
        note="key in the query")
    register(world, FIDS[4], app="1:1:ios:other", note="another app")
    for note, body in (("no app", {}), ("empty app", {"appId": ""}), ("long app", {"appId": "a" * 300}),
            ("app of another type", {"appId": 7}),
                       ("list", []), ("unknown member",
                           {"appId": world.main.app["GOOGLE_APP_ID"], "fid": FIDS[0], "nonsense": 1})):
        world.ask("POST", INSTALLATIONS, "app", json=body, note=note)
    for caller in (None, "wrong app", "other app", "ended app", "restricted app", "viewer"):
        register(world, FIDS[5], caller)
    for name in ("X-Ios-Bundle-Identifier", "X-Android-Package"):
        for bundle in ("org.example.app", "org.example.wrong"):
            world.ask("POST", INSTALLATIONS, "restricted app", json={"appId": "1:1:ios:x"}, headers=[(name, bundle)],
                note=f"{name} {bundle}")
    path = INSTALLATIONS + "/{fid}/authTokens:generate"
    world.ask("POST", path, "renewing 1", json={"installation": {"sdkVersion": "a", "appId": "b"}})
    world.ask("POST", path, "renewing 1", body=b"", note="no body")
    world.ask("POST", path, "renewing 1", json={"nonsense": []}, note="nonsense")
    for caller in ("renewing 2", "app", "device 1", "wrong app", None):
        world.ask("POST", path, caller, json={})
    world.ask("POST", INSTALLATIONS + "/cUnknownDevice00000001/authTokens:generate", "renewing 1", json={})
    gone = FIDS[6]
    made = parsed(register(world, gone))
    world.recorder.callers["renewing gone"] = [("x-goog-api-key", key), ("Authorization", f"FIS_v2 {made['refreshToken']}")]
    world.device("device gone", made, key)
    world.ask("DELETE", f"{INSTALLATIONS}/{gone}", "renewing 1")
    world.ask("DELETE", f"{INSTALLATIONS}/{gone}", "app")
    world.ok("DELETE", f"{INSTALLATIONS}/{gone}", "renewing gone")
    world.ask("DELETE", f"{INSTALLATIONS}/{gone}", "renewing gone", note="again")
    world.ask("POST", f"{INSTALLATIONS}/{gone}/authTokens:generate", "renewing gone", json={}, note="deleted")
    world.ok("GET", "{p}")


def downloads(world):
    world.recorder.begin("downloads")

    def download(model, caller="device 1", headers=(), note="", query=""):
        return world.ask("GET", f"{{ml}}/{model}:download{query}", caller, headers=headers, note=note)

    answer = download("steady")
    link = parsed(answer)["downloadUri"]
    tag = answer.header("ETag")
    for note, value in (
            ("the same", tag), ("in quotes", f'"{tag}"'), ("weak", f'W/"{tag}"'), ("among others", f'"a", "{tag}"'), ("any", "*"),
            ("other", "0" * 64)):
        download("steady", headers=[("If-None-Match", value)], note=f"If-None-Match {note}")
    download("steady", headers=[("Accept-Encoding", "gzip")], note="gzip")
    download("steady", headers=[("Accept-Encoding", "identity")], note="identity")
    download("steady", query="?alt=json&unknown=1")
    download("{model}", note="by its number")
    for name in ("nothing", "changing", "empty", "broken", "custom", "with%20blank", "released", "digits"):
        download(name)
    for caller in (None, "app", "wrong app", "ended app", "other app", "viewer", "device 2", "device gone", "restricted app"):
        download("steady", caller)
    world.ask("GET", f"/v1beta2/projects/{world.things['number']}/models/steady:download", "device 1",
        note="by the project's number")
    world.ask("GET", "/v1beta2/projects/no-such-project/models/steady:download", "device 1")
    world.ask("HEAD", "{ml}/steady:download", "device 1")
    for note, fields in (
            ("facts of an audience",
                {"app-version": "2.5", "os": "ios", "language": "de-CH", "country": "CH", "tags": "beta,kiosk"}),
            ("a pinned tag", {"tags": "kiosk"}),
            ("odd facts", {"app-version": "x" * 99, "country": "Schweiz", "tags": "with blank,,a"})):
        for device in ("device 1", "device 3"):
            download("released", device, [(f"x-hearth-{name}", value) for name, value in fields.items()], note)
    download("released", "device 2", [("Accept-Language", "de-CH, en;q=0.5"), ("X-Ios-Bundle-Identifier", "a.b")],
        "fields of other clients")
    files(world, link)


def files(world, link):
    world.recorder.begin("files")
    path = link.removeprefix(world.main.url)
    plain, _, query = path.partition("?")
    items = dict(item.split("=") for item in query.split("&"))
    world.ask("GET", path, None)
    world.ask("HEAD", path, None)
    answer = world.recorder.look(world.main, "GET", path)
    tag = answer.header("ETag")
    for name, value in (
            ("If-None-Match", tag), ("If-None-Match", '"other"'), ("If-Match", tag), ("If-Match", '"other"'),
            ("Range", "bytes=0-9"), ("Range", "bytes=-5"), ("Range", "bytes=100-"), ("Range", "bytes=99999-"),
            ("Range", "bytes=0-1,3-4"), ("Range", "nonsense"), ("Accept-Encoding", "gzip"), ("Origin", "https://app.example")):
        world.ask("GET", path, None, headers=[(name, value)], note=f"{name}: {value}")
    world.ask("GET", path, None, headers=[("Range", "bytes=0-9"), ("If-Range", tag)], note="If-Range")
    world.ask("GET", path, None, headers=[("Range", "bytes=0-9"), ("If-Range", '"other"')], note="other If-Range")
    for note, target in (
            ("no signature", f"{plain}?expires={items['expires']}"), ("no time", f"{plain}?signature={items['signature']}"),
            ("later", f"{plain}?expires={int(items['expires']) + 1000}&signature={items['signature']}"),
            ("another file", f"/hearth/v1/files/{'0' * 64}?{query}"), ("no hash", f"/hearth/v1/files/nonsense?{query}"),
            ("signature altered", path[:-4] + "AAAA"), ("nothing", plain)):
        world.ask("GET", target, None, note=note)


def fetches(world):
    world.recorder.begin("fetches")
    path = "{rc}/namespaces/firebase:fetch"
    app = world.main.app["GOOGLE_APP_ID"]
    body = {"appInstanceId": world.fids[0], "appId": app}

    def fetch(note, sent=body, caller="device 1", headers=(), **more):
        if isinstance(sent, dict):
            return world.ask("POST", path, caller, json=sent, headers=headers, note=note, **more)
        return world.ask("POST", path, caller, body=sent, headers=headers, note=note, **more)

    answer = fetch("usual")
    tag = answer.header("ETag")
    fetch("unchanged", headers=[("If-None-Match", tag)])
    fetch("any", headers=[("If-None-Match", "*")])
    fetch("other tag", headers=[("If-None-Match", "etag-other")])
    fetch("Google's field", headers=[("X-Goog-Firebase-If-None-Match", tag)])
    fetch("gzip", headers=[("Accept-Encoding", "gzip")])
    fetch("all facts", {
        **body, "countryCode": "CH", "languageCode": "de-CH", "platformVersion": "18", "timeZone": "Europe/Zurich",
        "appVersion": "2.5.0", "appBuild": "250", "packageName": "org.example", "sdkVersion": "21.0",
        "firstOpenTime": "2024-01-01T00:00:00Z", "analyticsUserProperties": {"plan": "pro", "level": 7}, "customSignals": {"store": "north", "visits": 5}})
    fetch("snake case", encoded({"app_instance_id": world.fids[0], "app_id": app, "country_code": "CH"}))
    fetch("bare keys", f"{{appInstanceId:'{world.fids[0]}', appId:'{app}', countryCode:'CH'}}".encode())
    fetch("in hearth's fields", headers=[("x-hearth-country", "CH"), ("x-hearth-os", "ios"), ("x-hearth-tags", "beta")])
    fetch("compressed", gzip.compress(b'{"appInstanceId": "x"}', mtime=0), headers=[("Content-Encoding", "gzip")])
    fetch("broken gzip", b"\x1f\x8b\x08nonsense", headers=[("Content-Encoding", "gzip")])
    token = dict(world.recorder.callers["device 1"])["x-goog-firebase-installations-auth"]
    fetch("token in the body", {**body, "appInstanceIdToken": token}, "app")
    fetch("no token", body, "app")
    fetch("many signals", {**body, "customSignals": {f"s{number}": "x" for number in range(101)}})
    for note, sent in (("empty", b""), ("text", b"nonsense"), ("list", b"[]"), ("cut", b'{"appId"'), ("empty object", b"{}")):
        fetch(note, sent)
    for caller in (None, "wrong app", "viewer", "device gone"):
        fetch("caller", body, caller)
    for namespace in ("firebase-server", "nothing"):
        world.ask("POST", f"{{rc}}/namespaces/{namespace}:fetch", "device 1", json=body)
    world.ask("POST", "/v1/projects/no-such-project/namespaces/firebase:fetch", "device 1", json=body)
    world.ask("POST", path, "device 1", headers=[("Content-Length", str(1 << 26))], note="64 MiB announced")


def events(world):
    world.recorder.begin("events")
    path = "{p}/events"
    time = "2024-06-01T12:00:00Z"
    journal = "journal-of-replay-0001"
    world.ask("GET", path, "viewer", note="none")

    def report(note, items, caller="device 1", journal=journal, **more):
        return world.ask("POST", path, caller, json={"journal": journal, "items": items, **more}, note=note)

    first = [{"sequence": 1, "time": time, "event": {"name": "opened"}},
             {"sequence": 2, "time": time, "event": {"name": "bought", "value": 12.5, "model": "steady"}},
             {"sequence": 5, "time": time, "exposure": {"experiment": "steady", "variant": "control"}}]
    health = {"model": "steady", "modelHash": world.things["sha256"], "installed": 1, "loads": 3, "loadFailures": {"io": 1},
        "runs": 5,
              "failedRuns": 1, "crashes": {"SIGABRT": 1}, "rejected": 0, "loadTimes": [[50, 2], [52, 1]], "runTimes": [[53, 5]]}
    report("first", first)
    report("again", first)
    report("more", [{"sequence": 6, "time": time, "health": health}])
    report("earlier", [{"sequence": 3, "time": time, "event": {"name": "late"}}])
    report("another journal", first[:1], journal="journal-of-replay-0002")
    report("another device", first[:2], "device 2", "journal-of-replay-0003")

    def item(**member):
        return [{"sequence": 1, "time": time, **member}]

    for note, items in (
            ("no items", []), ("two kinds", item(event={"name": "a"}, exposure={"experiment": "a", "variant": "b"})),
            ("no kind", item()),
            ("bad name", item(event={"name": "1st"})), ("long name", item(event={"name": "n" * 41})),
            ("large value", item(event={"name": "a", "value": 1e300})),
            ("bad model", item(event={"name": "a", "model": "with blank"})),
            ("bad experiment", item(exposure={"experiment": "", "variant": "b"})),
            ("bad time", [{"sequence": 1, "time": "now", "event": {"name": "a"}}]),
            ("sequence 0", [{"sequence": 0, "time": time, "event": {"name": "a"}}]),
            ("falling", [{"sequence": 2, "time": time, "event": {"name": "a"}},
                {"sequence": 1, "time": time, "event": {"name": "a"}}]),
            ("no hash", item(health={**health, "modelHash": "x"})), ("negative count", item(health={**health, "runs": -1})),
            ("unknown member", item(event={"name": "a", "colour": 1})),
            ("text for a number", item(event={"name": "a", "value": "x"})),
            ("bad code", item(health={**health, "crashes": {"with blank": 1}})),
            ("bad times", item(health={**health, "runTimes": [[1]]})),
            ("many items", [{"sequence": number, "time": time, "event": {"name": "a"}} for number in range(1, 1002)])):
        report(note, items, journal="journal-of-replay-0009")
    report("bad journal", first, journal="short")
    report("unknown member of the batch", first, colour="red")
    for caller in (None, "app", "viewer", "device gone", "other app"):
        report("caller", first, caller)
    for note, sent in (("empty", b""), ("cut", b"{"), ("comma", b'{"journal": "x", "items": [],}'), ("list", b"[]")):
        world.ask("POST", path, "device 1", body=sent, note=note)
    world.ask("POST", path, "device 1", headers=[("Content-Length", str(1 << 26))], note="64 MiB announced")
    world.ok("GET", path, "viewer")


def origins(world):
    """What browsers ask for pages of other origins, with the usual setting."""
    world.recorder.begin("other origins")
    origin = [("Origin", "https://app.example")]
    asked = [*origin, ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "x-goog-api-key")]
    for path in (
            "{ml}/steady:download", INSTALLATIONS, INSTALLATIONS + "/{fid}", INSTALLATIONS + "/{fid}/authTokens:generate",
            "{rc}/namespaces/firebase:fetch", "{rc}/namespaces/firebase:streamFetchInvalidations", "{p}/events",
            "/hearth/v1/files/" + "0" * 64, "{ml}", "/token", "/healthz", "/metrics", "/console/", "/nothing"):
        world.ask("OPTIONS", path, None, headers=asked)
        world.ask("OPTIONS", path, None, note="without an origin")
    world.ask("GET", "{ml}/steady:download", "device 1", headers=origin)
    world.ask("GET", "{ml}/nothing:download", "device 1", headers=origin)
    world.ask("GET", "{ml}/steady:download", None, headers=origin)
    world.ask("POST", "{rc}/namespaces/firebase:fetch", "device 1", json={}, headers=origin)
    world.ask("POST", INSTALLATIONS, "app", headers=[*origin, ("Content-Length", str(1 << 26))], note="64 MiB announced")
    world.ask("GET", "{ml}", "viewer", headers=origin)
    world.ask("GET", "{p}/events", "viewer", headers=origin)
