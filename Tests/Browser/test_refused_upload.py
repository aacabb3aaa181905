"""What an upload is refused with, and by whom."""

import pytest
from filled import Api, upload
from test_upload import LABELER, begin


def test_a_file_that_is_no_model_is_not_uploaded(server, signed_in, tmp_path):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    send = page.get_by_role("button", name="Upload", exact=True)
    for name, content, reason in [
        ("photo.tflite", b"\xff\xd8\xff\xe0 a photo" * 100, "‘photo.tflite’ is not a model. Expected is"),
        ("empty.tflite", b"", "‘empty.tflite’ is empty."),
    ]:
        page.get_by_label("File", exact=True).set_input_files(LABELER)
        page.get_by_text("model.tflite, 41.7 KiB").wait_for()
        (tmp_path / name).write_bytes(content)
        page.get_by_label("File", exact=True).set_input_files(tmp_path / name)
        page.get_by_text(reason).wait_for()
        assert send.is_disabled()
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(b"\xff\xd8\xff\xe0 a photo")
    page.get_by_label("Folder", exact=True).set_input_files(folder)
    page.get_by_text("The folder has no TensorFlow Lite model.").wait_for()
    assert send.is_disabled()
    page.get_by_label("File", exact=True).set_input_files(LABELER)
    page.get_by_text("model.tflite, 41.7 KiB").wait_for()
    assert send.is_enabled()
    assert "models" not in Api(server).call("GET", "/v1beta2/projects/{id}/models")


# With the mark of a model, and nothing else of one.
BROKEN = b"\x1c\0\0\0TFL3" + b"not a model" * 100


def test_a_malformed_file_makes_no_model_and_no_version(server, signed_in, tmp_path):
    page = signed_in()
    api = Api(server)
    (tmp_path / "broken.tflite").write_bytes(BROKEN)
    page.goto(f"{server.url}/console/projects/{api.project}/models/new")
    begin(page, tmp_path / "broken.tflite", "broken")
    page.get_by_text("Not done. This file is not a valid model, so the server made no model:").wait_for()
    assert "models" not in api.call("GET", "/v1beta2/projects/{id}/models")
    # The name is free for a sound file, in the same form.
    begin(page, LABELER, "broken")
    page.get_by_role("heading", name="broken", level=1, exact=True).wait_for()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('broken')}/upload")
    page.get_by_label("File", exact=True).set_input_files(tmp_path / "broken.tflite")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_text("Not done. This file is not a valid model, so the server made no version:").wait_for()
    versions = api.call("GET", f"{{p}}/models/{api.model('broken')}/versions")["versions"]
    assert [version["version"] for version in versions] == [1]


def test_the_same_file_again_makes_no_version_and_says_so(server, signed_in):
    page = signed_in()
    server.hearth("models", "push", "digits", LABELER)
    api = Api(server)
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/upload")
    page.get_by_label("File", exact=True).set_input_files(LABELER)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("heading", name="digits, version 1").wait_for()
    page.get_by_text("No version was made").wait_for()
    versions = api.call("GET", f"{{p}}/models/{api.model('digits')}/versions")["versions"]
    assert [version["version"] for version in versions] == [1]


@pytest.mark.parametrize(
    "status, body, said",
    [
        (413, "<html><!-- padding --><h1>413 Request Entity Too Large</h1></html>", "client_max_body_size"),
        (403, "\n<!DOCTYPE html><title>Blocked</title>", "did not pass this on, or its answer back (403)"),
        (405, "", "did not pass this on, or its answer back (405)"),
    ],
)
def test_an_answer_of_a_proxy_is_told_and_not_shown(server, signed_in, status, body, said):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    page.route("**/uploads?upload_id=*", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    begin(page, LABELER, "stopped")
    page.get_by_text("Not done. The proxy in front of the server").wait_for()
    told = page.locator("#result").inner_text()
    assert said in told and "<" not in told, told
    page.assert_clean(except_for=[str(status)])


def test_a_model_without_a_sound_file_shows_the_reason_and_the_way_on(server, signed_in):
    page = signed_in()
    api = Api(server)
    # As other tools make one.
    api.call("POST", "/v1beta2/projects/{id}/models", {"displayName": "broken", "tfliteModel": {"gcsTfliteUri": upload(api, "broken", BROKEN)}})
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('broken')}")
    page.get_by_text("The newest version cannot be published").first.wait_for()
    assert page.get_by_role("link", name="Release").count() == 0
    page.get_by_role("link", name="Delete the model").wait_for()
    # The next version is sound, and can be released.
    page.get_by_role("link", name="Upload a sound file as version 2").click()
    page.get_by_label("File", exact=True).set_input_files(LABELER)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("heading", name="broken, version 2").wait_for()
    page.get_by_role("link", name="Release version 2").wait_for()


def test_a_refused_name_is_told(server, signed_in):
    page = signed_in()
    server.hearth("models", "push", "taken", LABELER)
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    begin(page, LABELER, "taken")
    page.get_by_text("Not done.").wait_for()
    assert "taken" in page.locator("#result").inner_text()
