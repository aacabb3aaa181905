"""Google's storage API: uploads of three kinds, objects, lists, what Hearth does not do."""

import base64
import hashlib
import json
import urllib.parse

from replaying.world import model_file

BUCKET = "/upload/storage/v1/b/{bucket}/o"
OBJECT = "/storage/v1/b/{bucket}/o/{object}"
BOUNDARY = "===============7==="


def multipart(metadata, data, kind="application/octet-stream", boundary=BOUNDARY):
    """The body of an upload in one request."""
    text = metadata if isinstance(metadata, bytes) else json.dumps(metadata).encode()
    mark = boundary.encode()
    return (b"--" + mark + b"\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n" + text + b"\r\n--" + mark
            + f"\r\ncontent-type: {kind}\r\n\r\n".encode() + data + b"\r\n--" + mark + b"--")


def storage(world):
    world.recorder.begin("storage: multipart")
    world.things |= {"bucket": "replay-bucket", "object": "models/add.tflite"}
    data = model_file("Tests/Fixtures/models/add.tflite")
    related = [("Content-Type", f'multipart/related; boundary="{BOUNDARY}"')]

    def upload(note, metadata, query="", data=data, headers=related, caller="publisher", **more):
        world.ask("POST", BUCKET + "?uploadType=multipart" + query, caller, body=multipart(metadata, data, **more),
                  headers=headers, note=note)
        world.settle()

    name = world.things["object"]
    md5 = base64.b64encode(hashlib.md5(data).digest()).decode()
    upload("first", {"name": name})
    upload("again", {"name": name, "contentType": "application/x-tflite", "cacheControl": "no-cache",
                     "contentDisposition": "inline", "contentLanguage": "de", "metadata": {"k": "v", "é": "ü"}})
    upload("MD5", {"name": "models/md5.tflite", "md5Hash": md5})
    upload("wrong MD5", {"name": "models/refused", "md5Hash": "1B2M2Y8AsgTpgAmY7PhCfg=="})
    upload("no MD5", {"name": "models/refused", "md5Hash": "x"})
    upload("wrong CRC", {"name": "models/refused", "crc32c": "AAAAAA=="})
    upload("hash in a header", {"name": "models/refused"}, headers=[*related, ("x-goog-hash", "crc32c=AAAAAA==,md5=" + md5)])
    upload("right hash in a header", {"name": "models/hashed"}, headers=[*related, ("x-goog-hash", "md5=" + md5)])
    upload("text", {"name": "labels/dict.txt"}, data=b"daisy\nrose\n", kind="text/plain")
    upload("name in the query", {}, "&name=models%2Fquery.tflite")
    upload("no name", {})
    upload("other content", {"name": "models/content"}, data=b"")
    for member, value in (
            ("contentEncoding", "gzip"), ("storageClass", "NEARLINE"), ("acl", [{"a": 1}]), ("temporaryHold", True),
            ("customTime", "2024-01-01T00:00:00Z"), ("cacheControl", "a\nb"), ("contentType", "x" * 300)):
        upload(f"with {member}", {"name": "models/refused", member: value})
    upload("allowed members",
        {"name": "models/allowed", "storageClass": "STANDARD", "temporaryHold": False, "acl": None, "size": "7"})
    upload("large metadata", {"name": "models/refused", "metadata": {"k": "v" * 9000}})
    upload("wrong types", {"name": 7})
    upload("no JSON", b"{nonsense")
    upload("two boundaries", {"name": "models/refused"}, headers=[("Content-Type", 'multipart/related; boundary="other"')])
    upload("no boundary", {"name": "models/refused"}, headers=[("Content-Type", "multipart/related")])
    upload("no multipart", {"name": "models/refused"}, headers=[("Content-Type", "application/json")])
    upload("if absent, but there", {"name": name}, "&ifGenerationMatch=0")
    upload("if absent", {"name": "models/absent"}, "&ifGenerationMatch=0")
    upload("bad condition", {"name": name}, "&ifGenerationMatch=x")
    upload("metageneration", {"name": name}, "&ifMetagenerationMatch=1")
    for item in ("predefinedAcl=publicRead", "kmsKeyName=k", "contentEncoding=gzip"):
        upload(item, {"name": "models/refused"}, "&" + item)
    for caller in ("viewer", "stranger", "server-owner", "mirror", None):
        upload("refused?", {"name": "models/of-others"}, caller=caller)
    media(world, data)
    resumable(world, data)
    objects(world, data)


def media(world, data):
    world.recorder.begin("storage: media")
    for query, headers in (
            ("uploadType=media&name=media%2Fa", [("Content-Type", "application/x-tflite")]), ("uploadType=media", []),
            ("uploadType=media&name=media%2Fb", []), ("uploadType=other&name=a", []), ("name=a", []),
            ("uploadType=media&name=media%2Fa&ifGenerationMatch=0", []), ("uploadType=media&name=media%2F" + "n" * 1100, [])):
        world.ask("POST", BUCKET + "?" + query, "publisher", body=data, headers=headers)
        world.settle()
    world.ask("POST", "/upload/storage/v1/b/BAD/o?uploadType=media&name=a", "publisher", body=data)
    world.ask("POST", BUCKET + "?uploadType=media&name=large", "publisher", headers=[("Content-Length", str(2 << 30))],
        note="2 GiB")


def resumable(world, data):
    world.recorder.begin("storage: resumable")
    size = len(data)

    def begin(note, metadata, headers=(), query="", caller="publisher"):
        answer = world.ask("POST", BUCKET + "?uploadType=resumable" + query, caller, json=metadata, headers=headers, note=note)
        return urllib.parse.urlsplit(answer.header("Location") or "")

    def put(place, body, span=None, note="", method="PUT", headers=()):
        headers = [*([("Content-Range", span)] if span else []), *headers]
        return world.ask(method, f"{place.path}?{place.query}", "publisher", body=body, headers=headers, note=note)

    place = begin("two parts", {"name": "resumable/a"},
        [("X-Upload-Content-Length", str(size)), ("X-Upload-Content-Type", "a/b")])
    put(place, b"", "bytes */*", "progress")
    put(place, data[:100], f"bytes 0-99/{size}", "first")
    put(place, b"", f"bytes */{size}", "progress of 100")
    put(place, data[200:], f"bytes 200-{size - 1}/{size}", "a gap")
    put(place, data[100:], f"bytes 100-{size - 1}/{size}", "second")
    put(place, b"", f"bytes */{size}", "progress of all")
    put(begin("whole", {"name": "resumable/b"}), data, note="whole")
    put(begin("wrong sum", {"name": "resumable/c", "crc32c": "AAAAAA=="}), data, note="whole, another sum")
    place = begin("cancelled", {"name": "resumable/d"})
    put(place, None, method="DELETE", note="cancel")
    put(place, None, method="DELETE", note="cancel again")
    put(place, data, note="cancelled")
    begin("no name", {})
    begin("refused member", {"name": "a", "contentEncoding": "gzip"})
    begin("condition", {"name": "resumable/a"}, query="&ifGenerationMatch=0")
    begin("too large", {"name": "a"}, [("X-Upload-Content-Length", str(2 << 30))])
    begin("no length", {"name": "a"}, [("X-Upload-Content-Length", "x")])
    begin("viewer", {"name": "a"}, caller="viewer")
    world.ask("PUT", BUCKET + "?upload_id=nonsense", "publisher", body=data)
    world.ask("DELETE", BUCKET + "?upload_id=nonsense", "publisher")
    world.ask("POST", BUCKET + "?uploadType=resumable&name=from-query", "publisher", body=b"")


def objects(world, data):
    world.recorder.begin("storage: objects")
    found = json.loads(world.ask("GET", OBJECT, "viewer").body)
    generation = found["generation"]
    for query in (
            "?alt=media", "?alt=json", "?generation=" + generation, "?generation=7", "?generation=x",
            "?ifGenerationMatch=" + generation, "?ifGenerationMatch=7", "?ifGenerationNotMatch=" + generation,
            "?ifGenerationNotMatch=7", "?ifMetagenerationMatch=1", "?ifMetagenerationNotMatch=1", "?projection=full"):
        world.ask("GET", OBJECT + query, "viewer")
    tag = f'"{found["etag"]}"'
    for name, value in (
            ("If-None-Match", tag), ("If-None-Match", "*"), ("If-None-Match", '"other"'), ("If-Match", tag),
            ("If-Match", '"other"'), ("Range", "bytes=0-9"), ("Range", "bytes=-5"), ("Range", "bytes=400-"),
            ("Range", "bytes=9999-"), ("Range", "bytes=0-1,3-4"), ("Range", "lines=1-2")):
        world.ask("GET", OBJECT + "?alt=media", "viewer", headers=[(name, value)], note=f"{name}: {value}")
    world.ask("GET", OBJECT + "?alt=media", "viewer", headers=[("Range", "bytes=0-9"), ("If-Range", tag)], note="If-Range")
    world.ask("GET", OBJECT + "?alt=media", "viewer", headers=[("Range", "bytes=0-9"), ("If-Range", '"other"')],
        note="other If-Range")
    world.ask("HEAD", OBJECT + "?alt=media", "viewer")
    world.ask("GET", "/download" + OBJECT + "?alt=media", "viewer")
    world.ask("GET", "/download" + OBJECT, "viewer")
    world.ask("GET", "/download/storage/v1/b/{bucket}/o/nothing?alt=media", "viewer")
    for query in (
            "", "?maxResults=2", "?prefix=models%2F", "?delimiter=%2F", "?prefix=models%2F&delimiter=%2F&maxResults=1",
            "?maxResults=0", "?maxResults=x", "?pageToken=bW9kZWxz", "?pageToken=%25", "?matchGlob=a", "?versions=true",
            "?versions=false", "?startOffset=a", "?softDeleted=true", "?includeTrailingDelimiter=true"):
        world.ask("GET", "/storage/v1/b/{bucket}/o" + query, "viewer")
    for bucket in ("{bucket}", "other-bucket", "a", "UPPER", "{bucket}?projection=noAcl"):
        world.ask("GET", "/storage/v1/b/" + bucket, "viewer")
    path = "/storage/v1/b/{bucket}/o/"
    for name in ("media%2Fa?generation=7", "media%2Fa?ifGenerationMatch=7", "media%2Fa", "media%2Fa", "nothing"):
        world.ask("DELETE", path + name, "publisher")
    used = world.things["source"].removeprefix("gs://").split("/", 1)
    world.ask("DELETE", f"/storage/v1/b/{used[0]}/o/{urllib.parse.quote(used[1], safe='')}", "publisher",
        note="used by a version")
    world.ask("GET", f"/storage/v1/b/{used[0]}/o/{urllib.parse.quote(used[1], safe='')}", "viewer", note="of Hearth's own upload")
    unsupported(world)


def unsupported(world):
    world.recorder.begin("storage: unsupported")
    for method, path in (
            ("GET", "/storage/v1/b"), ("POST", "/storage/v1/b"), ("DELETE", "/storage/v1/b/{bucket}"),
            ("PATCH", "/storage/v1/b/{bucket}"), ("PUT", "/storage/v1/b/{bucket}"), ("PATCH", OBJECT), ("PUT", OBJECT),
            ("POST", OBJECT + "/compose"), ("POST", OBJECT + "/copyTo/b/{bucket}/o/other"),
            ("POST", OBJECT + "/rewriteTo/b/{bucket}/o/other"), ("POST", "/batch/storage/v1")):
        for caller in ("owner", "server-owner", None):
            world.ask(method, path, caller, json=None if method in ("GET", "DELETE") else {})
    for target in (
            "/{bucket}/{object}?X-Goog-Signature=a", "/{bucket}/a?GoogleAccessId=a&Expires=1&Signature=b", "/{bucket}/a?uploads",
            "/{bucket}/a?uploadId=1&partNumber=1", "/{bucket}?uploads", "/{bucket}/a", "/hearth/v1/nothing?uploads"):
        for method in ("GET", "PUT"):
            world.ask(method, target, "owner", body=b"x" if method == "PUT" else None)
