"""The stock google-cloud-storage package against a Hearth server: conditions, checksums, descriptions, lists."""

import io
import time

import pytest
from google.api_core import exceptions
from google.cloud import storage


@pytest.fixture
def bucket(app):
    client = storage.Client(project=app.project_id, credentials=app.credential.get_credential())
    return client.bucket(app.options.get("storageBucket"))


def test_an_upload_that_must_not_replace_anything_does_not(bucket):
    bucket.blob("a/b.bin").upload_from_string(b"first", if_generation_match=0)
    for contents in [b"second", b"x" * (9 << 20)]:  # The larger one goes up in parts.
        with pytest.raises(exceptions.PreconditionFailed):
            bucket.blob("a/b.bin").upload_from_file(io.BytesIO(contents), size=len(contents), if_generation_match=0)
    assert bucket.blob("a/b.bin").download_as_bytes() == b"first"

    present = bucket.get_blob("a/b.bin")
    bucket.blob("a/b.bin").upload_from_string(b"second", if_generation_match=present.generation)
    assert bucket.get_blob("a/b.bin").generation > present.generation
    with pytest.raises(exceptions.NotFound):
        present.download_as_bytes()  # Asks for the generation that was replaced.
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.blob("a/b.bin").download_as_bytes(if_generation_match=present.generation)


@pytest.mark.parametrize("size", [300_000, (9 << 20) + 17])
def test_md5_protects_uploads_of_both_kinds(bucket, size):
    contents = bytes(range(256)) * (size // 256 + 1)
    blob = bucket.blob("m.bin", chunk_size=1 << 20)
    blob.upload_from_file(io.BytesIO(contents), size=len(contents), checksum="md5")
    assert bucket.get_blob("m.bin").md5_hash is not None
    assert bucket.blob("m.bin").download_as_bytes(checksum="md5") == contents


def test_a_wrong_md5_is_refused_and_nothing_is_kept(bucket):
    blob = bucket.blob("m.bin")
    blob.md5_hash = "1B2M2Y8AsgTpgAmY7PhCfg=="  # That of nothing.
    with pytest.raises(exceptions.BadRequest) as raised:
        blob.upload_from_string(b"something", checksum=None)
    assert "MD5" in str(raised.value)
    assert bucket.get_blob("m.bin") is None


def test_what_is_said_of_a_file_comes_back_or_is_refused(bucket):
    blob = bucket.blob("m.txt")
    blob.metadata = {"k": "v", "é": "ü"}
    blob.cache_control = "no-cache"
    blob.upload_from_string("hi", content_type="text/html")
    found = bucket.get_blob("m.txt")
    assert (found.metadata, found.cache_control) == ({"k": "v", "é": "ü"}, "no-cache")
    assert found.content_type == "text/html"
    blob = bucket.blob("n.txt")
    blob.content_encoding = "gzip"
    with pytest.raises(exceptions.BadRequest) as raised:
        blob.upload_from_string("hi")
    assert "contentEncoding" in str(raised.value)


def test_a_file_that_is_no_model_stays_after_its_validation(server, bucket):
    labels = "daisy\nrose\n" * 1000
    bucket.blob("labels/dict.txt").upload_from_string(labels)
    deadline = time.monotonic() + 60
    while "file.check" not in server.hearth("admin", "audit", "--all-projects", "--action", "file.check"):
        assert time.monotonic() < deadline, "the server does not validate the file"
        time.sleep(0.05)
    blob = bucket.get_blob("labels/dict.txt")
    assert blob.exists() and blob.size == len(labels)
    assert [found.name for found in bucket.list_blobs(prefix="labels/")] == ["labels/dict.txt"]
    assert blob.download_as_text() == labels


def test_lists_and_removal(bucket):
    names = ["a/1", "a/2", "a/b/3", "c"]
    for name in names:
        bucket.blob(name).upload_from_string(name)
    assert [blob.name for blob in bucket.list_blobs(page_size=2)] == names
    assert [blob.name for blob in bucket.list_blobs(prefix="a/", max_results=2)] == ["a/1", "a/2"]
    folders = bucket.list_blobs(delimiter="/")
    assert [blob.name for blob in folders] == ["c"] and folders.prefixes == {"a/"}
    bucket.blob("c").delete()
    bucket.delete_blobs(list(bucket.list_blobs(prefix="a/b/")))
    assert [blob.name for blob in bucket.list_blobs()] == ["a/1", "a/2"]
    with pytest.raises(exceptions.NotFound):
        bucket.blob("c").delete()


def test_what_is_not_offered_says_so_at_once(bucket):
    bucket.blob("a").upload_from_string("a")
    blob = bucket.get_blob("a")
    blob.metadata = {"k": "v"}
    calls = [
        (blob.patch, "change the metadata of an object"),
        (lambda: bucket.copy_blob(blob, bucket, "b"), "copy objects"),
        (lambda: bucket.blob("c").compose([blob]), "compose objects"),
        (lambda: list(bucket.client.list_buckets()), "list buckets"),
    ]
    for call, what in calls:
        with pytest.raises(exceptions.MethodNotAllowed) as raised:
            call()
        assert "Hearth does not " + what in str(raised.value)
