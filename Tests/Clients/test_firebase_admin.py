"""The stock firebase-admin package against a Hearth server, with only host and credentials changed."""

import hashlib
import json
import random
import signal

import firebase_admin
import hearth_firebase
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from driving import Device, Server
from firebase_admin import exceptions, ml
from google.api_core.exceptions import GoogleAPICallError
from google.auth.exceptions import RefreshError
from google.cloud import storage

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def upload(path):
    return ml.TFLiteFormat(model_source=ml.TFLiteGCSModelSource.from_tflite_model_file(str(path)))


def create(name, path=None, tags=None):
    return ml.create_model(
        ml.Model(display_name=name, tags=tags, model_format=upload(path) if path else None)
    )


def padded(path, target, size):
    """The model with bytes behind it that no engine looks at."""
    contents = path.read_bytes()
    target.write_bytes(contents + random.Random(1).randbytes(size - len(contents)))
    return target


def test_from_upload_to_device_and_back(app, server, device, digits, other_digits, outgoing):
    contents = digits.read_bytes()
    model = create("digits", digits, ["first", "small"])
    assert model.model_id.isdigit()
    assert model.display_name == "digits" and model.tags == ["first", "small"]
    assert model.validation_error is None and not model.published and not model.locked
    assert model.model_hash == hashlib.sha256(contents).hexdigest()
    assert int(model.model_format.size_bytes) == len(contents)
    assert model.create_time <= model.update_time
    assert device.fetch("digits") is None

    model = ml.publish_model(model.model_id)
    assert model.published
    assert device.fetch("digits") == contents
    assert ml.get_model(model.model_id).as_dict() == model.as_dict()

    # As scripts update: the whole resource goes back, with new tags and a new file.
    before = model.etag
    model.tags = ["second"]
    model.model_format = upload(other_digits)
    model = ml.update_model(model)
    assert model.tags == ["second"] and model.etag != before and model.published
    assert model.model_hash == hashlib.sha256(other_digits.read_bytes()).hexdigest()
    assert device.fetch("digits") == other_digits.read_bytes()
    # The same again must succeed and change nothing.
    assert ml.update_model(model).etag == model.etag

    assert not ml.unpublish_model(model.model_id).published
    assert device.fetch("digits") is None
    assert ml.delete_model(model.model_id) is None
    assert list(ml.list_models().iterate_all()) == []
    assert outgoing.targets == []


def test_scripts_beside_rollouts_and_contracts(app, server, device, digits, other_digits, detector, outgoing):
    model = create("digits", digits)
    ml.publish_model(model.model_id)
    server.hearth("models", "push", "digits", other_digits, "--share", "0%")
    # What was read goes back with another tag: the rollout is left alone.
    model = ml.get_model(model.model_id)
    model.tags = ["tagged"]
    assert ml.update_model(model).tags == ["tagged"]
    assert device.fetch("digits") == digits.read_bytes()
    # On purpose: all devices get the newest version.
    ml.publish_model(model.model_id)
    assert device.fetch("digits") == other_digits.read_bytes()

    server.hearth("models", "set", "digits", "--contract-check", "refuse")
    for _ in range(2):
        model = ml.get_model(model.model_id)
        model.model_format = upload(detector)
        with pytest.raises(exceptions.FailedPreconditionError) as raised:
            ml.update_model(model)
        assert "does not fit apps written for version 2" in str(raised.value)
    assert device.fetch("digits") == other_digits.read_bytes()
    server.hearth("models", "set", "digits", "--contract-check", "warn")
    model = ml.get_model(model.model_id)
    model.model_format = upload(detector)
    ml.update_model(model)
    assert device.fetch("digits") == detector.read_bytes()


def test_large_files_go_in_chunks(app, device, digits, tmp_path):
    # Beyond 8 MiB google-cloud-storage uploads resumably, beyond 100 MiB in several requests.
    for name, mebibytes in [("one-chunk", 9), ("two-chunks", 101)]:
        path = padded(digits, tmp_path / (name + ".tflite"), mebibytes << 20)
        model = create(name, path)
        assert model.validation_error is None
        ml.publish_model(model.model_id)
        assert device.fetch(name) == path.read_bytes()


def test_interrupted_upload_goes_on_after_a_kill(app, server, digits, tmp_path, monkeypatch):
    path = padded(digits, tmp_path / "m.tflite", 3 << 20)
    client = storage.Client(project=app.project_id, credentials=app.credential.get_credential())
    blob = client.bucket(app.options.get("storageBucket")).blob("Firebase/ML/Models/m.tflite")
    with open(path, "rb") as file:
        blob.chunk_size = 1 << 20
        sending, transport = blob._initiate_resumable_upload(
            client, file, "application/octet-stream", path.stat().st_size, chunk_size=blob.chunk_size
        )
        sending.transmit_next_chunk(transport)
        assert sending.bytes_uploaded == 1 << 20
        server.stop(signal.SIGKILL)
        second = Server(server.data)
        try:
            # The next server listens on another port.
            sending._resumable_url = sending.resumable_url.replace(server.url, second.url)
            sending._make_invalid()
            sending.recover(transport)
            assert sending.bytes_uploaded == 1 << 20
            while not sending.finished:
                answer = sending.transmit_next_chunk(transport)
        finally:
            second.stop()
    assert answer.json()["size"] == str(path.stat().st_size)


def test_lists_are_filtered_and_paged(app, digits):
    for number in range(5):
        create(f"model_{number}", tags=["even" if number % 2 == 0 else "odd"])
    published = create("published-one", digits)
    ml.publish_model(published.model_id)

    def names(list_filter):
        return sorted(model.display_name for model in ml.list_models(list_filter).iterate_all())

    assert names(None) == [f"model_{number}" for number in range(5)] + ["published-one"]
    assert names("display_name = model_3") == ["model_3"]
    assert names("displayName: model_*") == [f"model_{number}" for number in range(5)]
    assert names("tags: even") == ["model_0", "model_2", "model_4"]
    assert names("tags: odd OR state.published = true") == ["model_1", "model_3", "published-one"]
    assert names("tags: none") == []

    page = ml.list_models(page_size=4)
    assert len(page.models) == 4 and page.has_next_page
    page = page.get_next_page()
    assert len(page.models) == 2 and not page.has_next_page and page.get_next_page() is None
    assert len(list(ml.list_models(page_size=1).iterate_all())) == 6


def test_model_that_waits_for_its_file(app, digits):
    model = create("empty")
    assert model.validation_error == "No model file has been uploaded."
    assert model.model_hash is None and not model.published
    model.model_format = upload(digits)
    assert ml.update_model(model).validation_error is None


def test_calls_that_do_not_wait_for_the_check(outgoing, restored, tmp_path, digits):
    server = Server(tmp_path / "data", "--validation-wait-seconds", "0")
    app = hearth_firebase.initialize_app(server.admin_key)
    try:
        model = create("digits", digits)
        model.wait_for_unlocked(max_time_seconds=60)
        assert not model.locked and model.validation_error is None and model.model_hash
        model = ml.publish_model(model.model_id)
        model.wait_for_unlocked(max_time_seconds=60)
        assert model.published
        assert Device(server).fetch("digits") == digits.read_bytes()
    finally:
        firebase_admin.delete_app(app)
        server.stop()


def test_file_that_is_no_model(app, tmp_path):
    path = tmp_path / "text.tflite"
    path.write_text("not a model")
    model = create("text", path)
    assert model.validation_error == "Invalid flatbuffer format"
    assert model.model_format.model_source.gcs_tflite_uri.endswith("/Firebase/ML/Models/text.tflite")
    assert model.model_hash is None
    with pytest.raises(exceptions.FailedPreconditionError) as raised:
        ml.publish_model(model.model_id)
    assert str(raised.value) == "Cannot publish a model that is not verified."


def test_documented_errors(app, digits):
    model = create("taken", digits)
    with pytest.raises(exceptions.AlreadyExistsError) as raised:
        create("taken")
    assert str(raised.value) == "Model 'taken' already exists"

    missing = f"Model 'projects/{app.project_id}/models/99999' was not found"
    for change in [ml.publish_model, ml.unpublish_model]:
        with pytest.raises(exceptions.NotFoundError) as raised:
            change("99999")
        assert str(raised.value) == missing

    for call in [ml.get_model, ml.delete_model]:
        with pytest.raises(exceptions.NotFoundError) as raised:
            call("99999")
        assert str(raised.value) == "Requested entity was not found."
    with pytest.raises(exceptions.InvalidArgumentError):
        ml.get_model("not-a-number")

    with pytest.raises(exceptions.InvalidArgumentError) as raised:
        ml.list_models("InvalidFilterParam=123")
    assert str(raised.value) == "Request contains an invalid argument."

    ml.delete_model(model.model_id)
    with pytest.raises(exceptions.NotFoundError):
        ml.get_model(model.model_id)
    with pytest.raises(exceptions.NotFoundError) as raised:
        ml.update_model(model)
    assert str(raised.value) == f"Model 'projects/{app.project_id}/models/{model.model_id}' was not found"

    # The package itself refuses a name that the server would refuse.
    with pytest.raises(ValueError):
        ml.Model(display_name="bad name")


def test_damaged_upload_is_refused(app):
    client = storage.Client(project=app.project_id, credentials=app.credential.get_credential())
    blob = client.bucket("any-bucket.example").blob("m.tflite")
    blob.crc32c = "AAAAAA=="
    with pytest.raises(GoogleAPICallError) as raised:
        blob.upload_from_string(b"something", checksum=None, content_type="application/octet-stream")
    assert raised.value.code == 400 and "CRC-32C" in str(raised.value)


def test_object_names_and_buckets_of_the_callers_own(app, server):
    client = storage.Client(project=app.project_id, credentials=app.credential.get_credential())
    bucket = client.get_bucket("my-app.appspot.com")
    blob = bucket.blob("a folder/ä+b 100%.tflite")
    blob.upload_from_string(b"0123456789", content_type="application/x-test")
    found = bucket.get_blob("a folder/ä+b 100%.tflite")
    assert found.size == 10 and found.content_type == "application/x-test" and found.crc32c == blob.crc32c
    assert found.download_as_bytes() == b"0123456789"
    assert found.download_as_bytes(start=2, end=4) == b"234"
    assert bucket.get_blob("nothing") is None


def test_key_that_the_server_does_not_know_is_refused(server, outgoing, restored, tmp_path):
    key = json.loads(server.admin_key.read_text())
    stranger = rsa.generate_private_key(65537, 2048)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key["private_key"] = stranger.private_bytes(*form).decode()
    (tmp_path / "key.json").write_text(json.dumps(key))
    app = hearth_firebase.initialize_app(tmp_path / "key.json")
    try:
        with pytest.raises(RefreshError) as raised:
            ml.list_models()
        assert "invalid_grant" in str(raised.value)
    finally:
        firebase_admin.delete_app(app)
