"""Remote Config: templates, their versions, what devices would get, defaults, updates."""

from replaying import wire

ROOT = "{rc}/remoteConfig"
SERVER_ROOT = "{rc}/namespaces/firebase-server/remoteConfig"
TEMPLATE = {
    "conditions": [
        {"name": "swiss", "expression": "device.os == 'ios' && device.country in ['CH']", "tagColor": "BLUE"},
        {"name": "a tenth", "expression": "percent <= 10"},
        {"name": "north", "expression": "app.customSignal['store'].contains(['north'])"}],
    "parameters": {
        "welcome": {"defaultValue": {"value": "Hello"},
            "conditionalValues": {"swiss": {"value": "Grüezi"}, "a tenth": {"value": "Hi"}},
                    "description": "The first line", "valueType": "STRING"},
        "uses_new_model": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN"},
        "limits": {"defaultValue": {"value": '{"photos": 10}'}, "conditionalValues": {"north": {"useInAppDefault": True}},
            "valueType": "JSON"},
        "count": {"defaultValue": {"value": "7"}, "valueType": "NUMBER"}, "own": {"defaultValue": {"useInAppDefault": True}}},
    "parameterGroups": {"colours": {"description": "of buttons", "parameters": {
        "button": {"defaultValue": {"value": "red"}, "valueType": "STRING"}}}}}
SERVER_TEMPLATE = {
    "conditions": [{"name": "half", "expression": "percent('seed') <= 50"}],
    "parameters": {"greeting": {"defaultValue": {"value": "Hello"}, "conditionalValues": {"half": {"value": "Hi"}},
        "valueType": "STRING"}}}


def parameter(value="x", **more):
    return {"defaultValue": {"value": value}, **more}


def templates(world):
    world.recorder.begin("templates")
    for root in (ROOT, SERVER_ROOT):
        for query in ("", "?versionNumber=1", "?versionNumber=x"):
            world.ask("GET", root + query, "viewer", note="none")
        world.ask("GET", root + ":listVersions", "viewer", note="none")
    world.ask("GET", "{rc}/namespaces/firebase-server/serverRemoteConfig", "viewer", note="none")

    def put(note, template, root=ROOT, match="*", query="", caller="publisher", **more):
        headers = [("If-Match", match)] if match else []
        if isinstance(template, bytes):
            return world.ask("PUT", root + query, caller, body=template, headers=headers, note=note, **more)
        return world.ask("PUT", root + query, caller, json=template, headers=[*headers, *more.pop("headers", [])], note=note,
            **more)

    put("first", TEMPLATE)
    answer = world.ask("GET", ROOT, "viewer")
    tag = answer.header("ETag")
    put("unchanged tag", {**TEMPLATE, "version": {"description": "the second"}}, match=tag)
    put("old tag", TEMPLATE, match=tag)
    put("no tag", TEMPLATE, match=None)
    put("odd tag", TEMPLATE, match="nonsense")
    put("only checked", TEMPLATE, query="?validateOnly=true")
    put("only checked, old tag", TEMPLATE, match=tag, query="?validate_only=true")
    put("from the console", TEMPLATE, headers=[("User-Agent", "console"), ("X-Firebase-Client", "a/b")])
    put("by namespace", TEMPLATE, "{rc}/namespaces/firebase/remoteConfig")
    put("for servers", SERVER_TEMPLATE, SERVER_ROOT)
    put("for servers, a term of devices", {
        "conditions": [{"name": "a", "expression": "device.os == 'ios'"}],
        "parameters": {"x": parameter(conditionalValues={"a": {"value": "y"}})}}, SERVER_ROOT)
    put("unknown namespace", TEMPLATE, "{rc}/namespaces/nothing/remoteConfig")
    put("viewer", TEMPLATE, caller="viewer")
    for note, template in (
            ("bad condition", {"conditions": [{"name": "a", "expression": "percent('large') < 10"}]}),
            ("no name", {"conditions": [{"name": "", "expression": "true"}]}),
            ("two of a name", {"conditions": [{"name": "a", "expression": "true"}, {"name": "a", "expression": "false"}]}),
            ("unknown condition", {"parameters": {"x": parameter(conditionalValues={"nothing": {"value": "y"}})}}),
            ("bad colour", {"conditions": [{"name": "a", "expression": "true", "tagColor": "MUD"}]}),
            ("bad key", {"parameters": {"1 x": parameter()}}), ("bad type", {"parameters": {"x": parameter(valueType="DATE")}}),
            ("no number", {"parameters": {"x": parameter("x", valueType="NUMBER")}}),
            ("no JSON", {"parameters": {"x": parameter("{", valueType="JSON")}}),
            ("no boolean", {"parameters": {"x": parameter("yes", valueType="BOOLEAN")}}),
            ("two values", {"parameters": {"x": {"defaultValue": {"value": "a", "useInAppDefault": True}}}}),
            ("no value", {"parameters": {"x": {"defaultValue": {}}}}),
            ("wrong type", {"parameters": {"x": {"defaultValue": "a"}}}),
            ("parameters as list", {"parameters": []}),
            ("key twice", {"parameters": {"x": parameter()}, "parameterGroups": {"g": {"parameters": {"x": parameter()}}}}),
            ("unknown member", {"colour": "red", "parameters": {}}),
            ("unknown member of a parameter", {"parameters": {"x": {**parameter(), "colour": "red"}}}),
            ("personalization", {"parameters": {"x": {"defaultValue": {"personalizationValue": {"personalizationId": "a"}}}}}),
            ("rollout", {"parameters": {"x": {"defaultValue": {"rolloutValue": {"rolloutId": "a", "value": "b",
                "percent": 10}}}}}),
            ("empty", {}), ("long description", {"parameters": {"x": parameter(description="d" * 300)}}), ("many conditions", {
                "conditions": [{"name": f"c{number}", "expression": "true"} for number in range(501)]})):
        put(note, template, query="?validateOnly=true")
    for note, data in (
            ("cut", b"{"), ("comma", b'{"parameters": {},}'), ("list", b"[]"), ("nothing", b""),
            ("not UTF-8", b'{"parameters": {"\xff": {}}}')):
        put(note, data)
    world.ask("PUT", ROOT, "publisher", headers=[("If-Match", "*"), ("Content-Length", str(1 << 26))], note="64 MiB announced")
    versions(world)


def versions(world):
    world.recorder.begin("versions of templates")
    for root in (ROOT, "{rc}/namespaces/firebase/remoteConfig", SERVER_ROOT):
        for query in ("", "?versionNumber=1", "?version_number=1", "?versionNumber=99"):
            world.ask("GET", root + query, "viewer")
        for query in (
                "", "?pageSize=1", "?pageSize=1&pageToken=2", "?endVersionNumber=1", "?end_version_number=x",
                "?startTime=2040-01-01T00:00:00Z", "?endTime=2020-01-01T00:00:00Z", "?startTime=soon", "?pageSize=x",
                "?pageToken=x"):
            world.ask("GET", root + ":listVersions" + query, "viewer")
        for query in ("?format=JSON", "?format=xml", "?format=PLIST", "?format=YAML", ""):
            world.ask("GET", root + ":downloadDefaults" + query, "viewer")
    world.ask("GET", ROOT, "viewer", headers=[("Accept-Encoding", "gzip")], note="gzip")
    world.ask("GET", "{rc}/namespaces/firebase-server/serverRemoteConfig", "viewer")
    world.ask("GET", "{rc}/namespaces/firebase/serverRemoteConfig", "viewer")
    for note, query, body in (
            ("query", "?versionNumber=1", None), ("snake case", "?version_number=1", None), ("body", "", {"versionNumber": "1"}),
            ("unknown", "?versionNumber=99", None), ("no number", "?versionNumber=x", None), ("nothing", "", None),
            ("wrong type", "", {"versionNumber": 1})):
        world.ask("POST", ROOT + ":rollback" + query, "publisher", json=body, note=note)
    world.ask("POST", SERVER_ROOT + ":rollback?versionNumber=1", "publisher")
    world.ask("POST", ROOT + ":rollback?versionNumber=1", "viewer")
    imports(world)


def imports(world):
    world.recorder.begin("imports of templates")
    other = "/v1/projects/replay-other/remoteConfig:importVersion"

    def version(number, **more):
        return {"versionNumber": str(number), "updateTime": "2024-01-0%dT00:00:00Z" % (number % 9 + 1),
            "updateUser": {"email": "a@example.org"},
                "updateOrigin": "CONSOLE", "updateType": "INCREMENTAL_UPDATE", "description": "imported", **more}

    def add(note, template, query="", caller="stranger", path=other):
        return world.ask("POST", path + query, caller, json=template, note=note)

    body = {"parameters": {"x": parameter()}}
    add("first", {**body, "version": version(5)})
    add("older", {**body, "version": version(3)})
    add("older, of a form not known here", {"conditions": [{"name": "a", "expression": "nonsense"}], "version": version(2)})
    add("the same", {**body, "version": version(5)})
    add("another of that number", {"version": version(5)})
    add("newer", {**body, "version": version(7)})
    add("newer, activated", {**body, "version": version(7)}, "?activate=true")
    for note, sent in (("no version", body), ("no number", {**body, "version": {"updateTime": "2024-01-01T00:00:00Z"}}),
                       ("number 0", {**body, "version": version(0)}), ("no time", {**body, "version": {"versionNumber": "8"}}),
                       ("late", {**body, "version": {**version(8), "updateTime": "2040-01-01T00:00:00Z"}}),
                       ("large number", {**body, "version": version(10**12)}), ("bad condition, active", {
                           "conditions": [{"name": "a", "expression": "nonsense"}], "version": version(9)})):
        add(note, sent, "?activate=true")
    add("publisher", {**body, "version": version(5)}, caller="publisher", path=ROOT + ":importVersion")
    add("owner", {**body, "version": version(900)}, caller="owner", path=ROOT + ":importVersion")
    add("by namespace", {**body, "version": version(901)}, caller="owner",
        path="{rc}/namespaces/firebase/remoteConfig:importVersion")
    add("for servers", {**body, "version": version(900)}, "?activate=true", caller="owner", path=SERVER_ROOT + ":importVersion")
    world.ask("GET", "/v1/projects/replay-other/remoteConfig:listVersions", "stranger")


def evaluations(world):
    world.recorder.begin("evaluations")
    path = "{p}/remoteConfig:evaluate"
    time = "2024-06-01T12:00:00Z"
    device = {"installationId": world.fids[0], "appId": world.main.app["GOOGLE_APP_ID"], "appVersion": "2.5", "appBuild": "250",
        "os": "ios",
              "language": "de-CH", "country": "CH", "tags": ["beta"], "userProperties": {"plan": "pro"},
              "customSignals": {"store": "north"},
              "firstOpenTime": "2024-01-01T00:00:00Z"}
    for note, body in (
            ("a device", {"device": device, "time": time}), ("nobody", {"time": time}),
            ("a version", {"version": 1, "device": {}, "time": time}),
            ("a template", {"template": TEMPLATE, "device": device, "time": time}),
            ("unknown version", {"version": 99, "time": time}), ("both", {"version": 1, "template": TEMPLATE}),
            ("bad template", {"template": {"conditions": [{"name": "a", "expression": "nonsense"}]}}),
            ("bad time", {"time": "soon"}), ("bad country", {"device": {"country": "Schweiz"}, "time": time}),
            ("bad installation", {"device": {"installationId": "x"}, "time": time}),
            ("unknown fact", {"device": {"colour": "red"}}),
            ("unregistered", {"device": {"installationId": "cUnknownDevice00000001"}, "time": time})):
        world.ask("POST", path, "viewer", json=body, note=note)
    world.ask("POST", path, "viewer", body=b"", note="no body")
    for namespace in ("firebase", "firebase-server", "nothing"):
        world.ask("POST", f"{{p}}/namespaces/{namespace}/remoteConfig:evaluate", "viewer",
            json={"device": {"appVersion": "2"}, "time": time})


def streams(world):
    """What comes first over a stream of updates, and after a change."""
    world.recorder.begin("streams of updates")
    path = world.path("{rc}/namespaces/firebase:streamFetchInvalidations")
    active = int(world.look("GET", ROOT)["version"]["versionNumber"])

    def listen(note, body, changes=False, headers=(), caller="device 2"):
        fields = [("Host", world.main.host), *world.recorder.callers[caller], ("Content-Type", "application/json"), *headers]
        with wire.Connection(world.main) as connection:
            connection.send(wire.encode("POST", path, fields, body))
            answer = connection.head()
            if changes:
                world.look("PUT", ROOT, "publisher", json=TEMPLATE, headers=[("If-Match", "*")])
            answer.body = connection.chunk()
            world.recorder.record(world.main, "POST", path, caller, fields, body, answer, note)

    listen("knows nothing", b'{"appId": "x"}')
    listen("knows an older one", b'{"lastKnownVersionNumber": "1"}')
    listen("bare keys", b"{lastKnownVersionNumber:'1'}")
    listen("origin", b"{}", headers=[("Origin", "https://app.example")])
    listen("a change", b'{"lastKnownVersionNumber": "%d"}' % active, changes=True)
    listen("Accept-Encoding", b"{}", headers=[("Accept-Encoding", "gzip")])
    for note, body in (("empty", b""), ("text", b"nonsense"), ("list", b"[]")):
        world.ask("POST", "{rc}/namespaces/firebase:streamFetchInvalidations", "device 2", body=body, note=note)
    # The token of a deleted installation is still good.
    listen("of a deleted installation", b"{}", caller="device gone")
    for caller in (None, "app", "wrong app", "viewer"):
        world.ask("POST", "{rc}/namespaces/firebase:streamFetchInvalidations", caller, json={})
    world.ask("POST", "{rc}/namespaces/firebase-server:streamFetchInvalidations", "device 2", json={})
