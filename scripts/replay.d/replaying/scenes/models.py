"""Uploads of Hearth's own, models, versions, aliases, operations."""

import hashlib
import io
import urllib.parse
import zipfile

from replaying.world import MODELS, changed, model_file

ADD = "Tests/Fixtures/models/add.tflite"
LABELER = "Models/digits-labeler/model.tflite"
BYTES = [("Content-Type", "application/octet-stream")]


def send(world, name, data, caller="publisher", **more):
    """Uploads a file; where the server keeps it."""
    return world.ok("POST", f"{{p}}/uploads?name={name}", caller, body=data, headers=BYTES, **more)["gcsTfliteUri"]


def create(world, display_name, source, **more):
    """Creates a model; its number."""
    body = {"displayName": display_name, "tfliteModel": {"gcsTfliteUri": source}, **more}
    answer = world.ok("POST", "{ml}", "publisher", json=body, note=display_name)
    return answer["response"]["name"].split("/")[-1]


def publish(world, model, published=True):
    return world.ok(
        "PATCH", f"{{ml}}/{model}?updateMask=state.published", "publisher", json={"state": {"published": published}},
        note=f"published {published}")


def uploads(world):
    world.recorder.begin("uploads")
    data = model_file(ADD)
    answer = world.ok("POST", "{p}/uploads?name=add.tflite", "publisher", body=data, headers=BYTES)
    world.things["source"] = answer["gcsTfliteUri"]
    world.ok("POST", "{p}/uploads?name=add.tflite", "publisher", body=data, headers=BYTES, note="the same again")
    world.ok("POST", "{p}/uploads", "publisher", body=data, note="without a name")
    hashed = hashlib.sha256(data).hexdigest()
    world.things["sha256"] = hashed
    world.ok("POST", "{p}/uploads?name=add.tflite", "publisher", body=data, headers=[("x-hearth-sha256", hashed)],
        note="with its hash")
    for note, text in (("another hash", "0" * 64), ("no hash", "nonsense")):
        world.ask("POST", "{p}/uploads?name=add.tflite", "publisher", body=data, headers=[("x-hearth-sha256", text)], note=note)
    for name in ("a%2Fb.tflite", "..", "", "n" * 201, "%00", "caf%C3%A9.tflite", "%F0%9F%94%A5"):
        world.ask("POST", f"{{p}}/uploads?name={name}", "publisher", body=data)
    world.ask("POST", "{p}/uploads?name=empty.tflite", "publisher", body=b"")
    world.ask("POST", "{p}/uploads?name=broken.tflite", "publisher", body=b"not a model" * 100)
    world.ask("POST", "{p}/uploads?name=custom.tflite", "publisher",
        body=model_file("Tests/Fixtures/models/unknown_custom.tflite"))
    world.ask("POST", "{p}/uploads?name=text.tflite", "publisher", body=model_file("Tests/Fixtures/models/strings.tflite"))
    world.ask("POST", "{p}/uploads?name=large.tflite", "publisher", headers=[("Content-Length", str(2 << 30))],
        note="2 GiB announced")
    world.ask("POST", "{p}/uploads?name=large.tflite", "viewer", headers=[("Content-Length", str(2 << 30))],
        note="2 GiB announced")
    world.ask("POST", "{p}/uploads?name=chunked.tflite", "publisher", note="in chunks", body=chunked(data, 100),
              headers=[("Transfer-Encoding", "chunked")])
    world.ask("POST", "{p}/uploads?name=expected.tflite", "publisher", body=data, headers=[("Expect", "100-continue")],
        note="expects 100")


def chunked(data, size):
    """A body in chunks."""
    pieces = [data[place:place + size] for place in range(0, len(data), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def resumable_uploads(world):
    world.recorder.begin("resumable uploads")
    data = model_file(LABELER)
    half, size = len(data) // 2, len(data)

    def begin(headers=(), note="", caller="publisher", name="labeler.tflite"):
        answer = world.ask(
            "POST", f"{{p}}/uploads?name={name}&resumable=true", caller, body=b"", headers=headers, note=note)
        return urllib.parse.urlsplit(answer.header("Location") or "")

    def put(place, body, span=None, note="", caller="publisher", method="PUT", **more):
        headers = [("Content-Range", span)] if span else []
        return world.ask(method, f"{place.path}?{place.query}", caller, body=body, headers=headers, note=note, **more)

    place = begin(note="two parts")
    put(place, b"", f"bytes */{size}", "progress of nothing")
    put(place, data[:half], f"bytes 0-{half - 1}/{size}", "first half", expect=308)
    put(place, b"", "bytes */*", "progress of half")
    put(place, b"", note="bare progress")
    world.ask("GET", "{p}/uploads", "publisher", note="one of them")
    put(place, data[half + 1:], f"bytes {half + 1}-{size - 1}/{size}", "a gap")
    put(place, data[half:], f"bytes {half}-{size - 1}/{size + 5}", "another total")
    put(place, data[half:-1], f"bytes {half}-{size - 1}/{size}", "another length")
    put(place, data, "bytes 5-2/3", "no range")
    put(place, b"a", f"bytes */{size}", "progress with a body")
    put(place, data[half:], f"bytes {half}-{size - 1}/{size}", "second half", expect=200)
    put(place, b"", "bytes */*", "progress of all")
    put(place, data[half:], f"bytes {half}-{size - 1}/{size}", "again")
    put(place, b"", "bytes */*", "of another caller", caller="owner")
    put(begin([("X-Upload-Content-Length", str(size))], "one part"), data, note="whole")
    begin([("X-Upload-Content-Length", str(2 << 30))], "too large")
    begin([("X-Upload-Content-Length", "-5")], "no length")
    begin(note="bad name", name="a%2Fb")
    begin(note="viewer", caller="viewer")
    place = begin(note="rest")
    put(place, data, f"bytes 0-*/{size}", "all the rest")
    place = begin(note="cancelled")
    put(place, data[:half], f"bytes 0-{half - 1}/*", "first half")
    put(place, None, method="DELETE", note="cancel", expect=204)
    put(place, None, method="DELETE", note="cancel again")
    put(place, b"", "bytes */*", "progress of a cancelled one")
    place = begin(note="cancelled by another")
    put(place, data[:half], f"bytes 0-{half - 1}/*", "first half")
    found = world.look("GET", "{p}/uploads", "publisher")["uploads"]
    world.ok("DELETE", f"{{p}}/uploads/{found[0]['upload']}", "owner")
    world.ask("DELETE", f"{{p}}/uploads/{found[0]['upload']}", "owner", note="again")
    place = begin([("X-Upload-Content-Length", str(size))], "left unfinished")
    put(place, data[:half], f"bytes 0-{half - 1}/{size}", "first half")
    world.things["upload"] = world.look("GET", "{p}/uploads", "publisher")["uploads"][0]["upload"]
    world.ok("GET", "{p}/uploads", "publisher")
    world.ask("PUT", "{p}/uploads?upload_id=nonsense", "publisher", body=data)
    world.ask("PUT", "{p}/uploads", "publisher", body=data)
    world.ask("DELETE", "{p}/uploads", "publisher")


def packing(world):
    world.recorder.begin("packing")
    folder = MODELS / "digits-labeler"

    def zipped(names):
        """The same bytes on every day."""
        bytes_ = io.BytesIO()
        with zipfile.ZipFile(bytes_, "w", zipfile.ZIP_DEFLATED) as file:
            for name in names:
                file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), (folder / name).read_bytes())
        return bytes_.getvalue()

    whole = ("model.tflite", "dict.txt", "manifest.json")
    source = send(world, "digits.zip", zipped(whole))
    world.packed = world.ok("POST", "{p}/uploads:pack", "publisher", json={"source": source})["gcsTfliteUri"]
    for note, names in (("no model", ("dict.txt",)), ("no labels", ("model.tflite", "manifest.json"))):
        world.ask("POST", "{p}/uploads:pack", "publisher", json={"source": send(world, "odd.zip", zipped(names))}, note=note)
    world.ask("POST", "{p}/uploads:pack", "publisher", json={"source": world.things["source"]}, note="no zip")
    damaged = send(world, "damaged.zip", zipped(whole)[:-30])
    world.ask("POST", "{p}/uploads:pack", "publisher", json={"source": damaged}, note="damaged")
    for source in ("gs://nowhere/nothing.zip", "https://elsewhere.example/a.zip", ""):
        world.ask("POST", "{p}/uploads:pack", "publisher", json={"source": source}, note=source)


def models(world):
    world.recorder.begin("models")
    add = world.things["source"]
    world.ask("GET", "{ml}", "viewer", note="none")
    world.things["model"] = model = create(world, "steady", add, tags=["one", "two"])
    world.things["operation"] = f"{model}-1"
    publish(world, model)
    publish(world, model)
    world.ok("GET", "{ml}/{model}", "viewer")
    world.ok("GET", f"/v1beta2/projects/{{project}}/operations/{model}-1", "viewer")
    for note, body in (
            ("taken name", {"displayName": "steady", "tfliteModel": {"gcsTfliteUri": add}}),
            ("no name", {"tfliteModel": {"gcsTfliteUri": add}}), ("bad name", {"displayName": "with blank"}),
            ("long name", {"displayName": "n" * 33}), ("bad tag", {"displayName": "refused", "tags": ["with blank"]}),
            ("many tags", {"displayName": "refused", "tags": [f"t{number}" for number in range(200)]}),
            ("unknown file", {"displayName": "refused", "tfliteModel": {"gcsTfliteUri": "gs://nowhere/nothing"}}),
            ("other server", {"displayName": "refused", "tfliteModel": {"gcsTfliteUri": "https://elsewhere.example/a"}}),
            ("AutoML", {"displayName": "refused", "tfliteModel": {"automlModel": "projects/a/locations/b/models/c"}}),
            ("created published", {"displayName": "at-once", "state": {"published": True}, "tfliteModel": {"gcsTfliteUri": add}}),
            ("published without a file", {"displayName": "empty-published", "state": {"published": True}}),
            ("without a file", {"displayName": "empty"}),
            ("settings", {"displayName": "with-settings", "tags": [], "hearth": {
                "contractCheck": "refuse", "rehearsalRequire": "agreement=95%", "rehearsalCheck": "refuse"}}),
            ("bad check", {"displayName": "refused", "hearth": {"contractCheck": "sometimes"}}),
            ("bad gate", {"displayName": "refused", "hearth": {"rehearsalRequire": "beauty=95%"}}),
            ("ignored members", {"displayName": "ignoring", "name": "x", "createTime": 7, "etag": {}, "activeOperations": "x"})):
        world.ask("POST", "{ml}", "publisher", json=body, note=note)
    broken = send(world, "broken.tflite", b"not a model" * 100)
    world.ok("POST", "{ml}", "publisher", json={"displayName": "broken", "tfliteModel": {"gcsTfliteUri": broken}}, note="broken")
    number = world.look("GET", "{ml}?filter=displayName%3Dbroken")["models"][0]["name"].split("/")[-1]
    world.ask("PATCH", f"{{ml}}/{number}?updateMask=state.published", "publisher", json={"state": {"published": True}},
        note="broken")
    world.ok("GET", f"{{ml}}/{number}", "viewer", note="broken")
    world.ask("GET", f"/v1beta2/projects/{{project}}/operations/{number}-1", note="broken")
    custom = send(world, "custom.tflite", model_file("Tests/Fixtures/models/unknown_custom.tflite"))
    world.ok("GET", f"{{ml}}/{create(world, 'custom', custom)}", "viewer", note="unsupported")
    lists(world)
    changes(world)


def lists(world):
    world.recorder.begin("lists of models")
    for query in (
            "", "pageSize=2", "pageSize=2&pageToken=2", "page_size=1&page_token=1", "pageSize=0", "pageSize=100000",
            "pageSize=-1", "pageSize=x", "pageToken=x", "pageToken=99999", "filter=displayName%3Dsteady",
            "filter=displayName%3Ast*", "filter=tags%3Aone%20AND%20NOT%20tags%3Athree",
            "filter=(state.published%3Dtrue%20OR%20displayName%3Dbroken)", "filter=nonsense", "filter=displayName%3D",
            "filter=(((", "filter=color%3Dred", "filter=", "alt=json&prettyPrint=false&$.xgafv=2",
            "filter=displayName%3Dsteady&pageSize=1", "unknown=1"):
        world.ask("GET", "{ml}" + ("?" + query if query else ""), "viewer")


def changes(world):
    world.recorder.begin("changes of models")
    add = model_file(ADD)
    model = world.things["changing"] = create(world, "changing", world.things["source"])
    second = send(world, "second.tflite", changed(add, "second"))
    other = send(world, "int8.tflite", model_file("Tests/Fixtures/models/add_int8.tflite"))

    def patch(mask, body, note="", headers=(), caller="publisher"):
        query = f"?updateMask={urllib.parse.quote(mask, safe=',')}" if mask is not None else ""
        return world.ask("PATCH", f"{{ml}}/{model}{query}", caller, json=body, note=note, headers=headers)

    file = {"tfliteModel": {"gcsTfliteUri": second}}
    patch("tags", {"tags": ["a", "b"]})
    patch("tags", {}, "absent")
    patch("display_name", {"displayName": "changing-2"})
    patch("displayName", {"displayName": "steady"}, "taken")
    patch("displayName", {}, "absent")
    patch("displayName,tags", {"displayName": "changing", "tags": ["c"]})
    patch("state", {"state": {"published": True}}, "publish")
    patch("tfliteModel.gcsTfliteUri", file, "second version")
    patch("tflite_model.gcs_tflite_uri", file, "the same version")
    patch("tfliteModel", {}, "absent")
    patch("tfliteModel", {"tfliteModel": {"gcsTfliteUri": other}}, "another contract")
    patch("state.published", {"state": {"published": False}}, "unpublish")
    patch(None, {"displayName": "changing", "tags": ["d"], "state": {"published": True}}, "whole resource")
    patch("*", {"tags": ["e"]}, "star")
    patch("", {"tags": ["f"]}, "empty mask")
    patch("name,createTime,etag", {"name": "x"}, "output only")
    patch("color", {"color": "red"}, "unknown field")
    patch("hearth", {"hearth": {"contractCheck": "refuse"}})
    patch("hearth.contractCheck,hearth.rehearsalRequire,hearth.rehearsalCheck", {
        "hearth": {"contractCheck": "refuse", "rehearsalRequire": "accuracy=-1%", "rehearsalCheck": "refuse"}})
    patch("hearth.contractCheck", {"hearth": {"contractCheck": "never"}}, "bad check")
    patch("hearth", {}, "back to usual")
    etag = world.look("GET", f"{{ml}}/{model}")["etag"]
    patch("tags", {"tags": ["g"]}, "if unchanged", [("If-Match", f'"{etag}"')])
    patch("tags", {"tags": ["h"]}, "if unchanged, but changed", [("If-Match", f'"{etag}"')])
    patch("tags", {"tags": ["h"]}, "any", [("If-Match", "*")])
    patch("tags", {"tags": ["h"]}, "bare tag", [("If-Match", etag)])
    for caller in ("viewer", "stranger", "mirror", None):
        patch("tags", {"tags": ["refused"]}, caller=caller)
    gone = create(world, "gone", world.things["source"])
    world.ask("DELETE", f"{{ml}}/{gone}", "publisher", headers=[("If-Match", '"nonsense"')], note="another etag")
    world.ask("DELETE", f"{{ml}}/{gone}", "viewer")
    world.ok("DELETE", f"{{ml}}/{gone}", "publisher")
    world.ask("DELETE", f"{{ml}}/{gone}", "publisher", note="again")
    world.ask("GET", f"{{ml}}/{gone}", note="deleted")


def versions(world):
    world.recorder.begin("versions")
    add = model_file(ADD)
    path = "{p}/models/{model}/versions"
    second = send(world, "second.tflite", changed(add, "second of steady"))
    world.ok("POST", path, "publisher", json={"source": second, "note": "the second"})
    world.ok("POST", path, "publisher", json={"source": second}, note="the same file")
    other = send(world, "int8.tflite", model_file("Tests/Fixtures/models/add_int8.tflite"))
    world.ok("POST", path, "publisher", json={"source": other}, note="another contract")
    world.things["version"] = 1
    for query in ("", "?contracts=false", "?contracts=true", "?contracts=maybe"):
        world.ask("GET", path + query, "viewer")
    for version in ("1", "2", "3", "9", "nobody", "0", "-1", "1.0", "Capital"):
        world.ask("GET", f"{path}/{version}", "viewer")
    for note, text in (("new", "a better one"), ("removed", ""), ("with a line", "a\nb"), ("long", "n" * 2000)):
        world.ask("PATCH", path + "/2", "publisher", json={"note": text}, note=note)
    for query in ("?with=1", "?with=3", "?with=2", "", "?with=9", "?with=nobody", "?with="):
        world.ask("GET", path + "/2:compare" + query, "viewer")
    for note, source in (("unknown", "gs://nowhere/nothing"), ("empty", "")):
        world.ask("POST", path, "publisher", json={"source": source}, note=note)
    aliases(world)


def aliases(world):
    world.recorder.begin("aliases")
    path = "{p}/models/{model}/aliases"
    world.things["alias"] = "champion"
    world.ask("GET", path, "viewer", note="none")
    for version in (1, 1, 2, 9):
        world.ask("PUT", path + "/champion", "publisher", json={"version": version})
    world.ok("PUT", path + "/challenger", "publisher", json={"version": 3})
    for name in ("Champion", "1st", "a%2Fb", "n" * 33):
        world.ask("PUT", f"{path}/{name}", "publisher", json={"version": 1})
    world.ok("GET", path, "viewer")
    world.ok("GET", "{p}/models/{model}/versions/champion", "viewer")
    world.ok("GET", "{p}/models/{model}/versions/champion:compare?with=challenger", "viewer")
    world.ok("DELETE", path + "/challenger", "publisher")
    world.ask("DELETE", path + "/challenger", "publisher", note="again")
