"""A model uploaded through the page, over a connection that breaks."""

import hashlib
import os
import random

import pytest
from cutting import CuttingProxy
from driving import Server
from filled import MODELS, Api
from visiting import exchange, give, token

LABELER = MODELS / "digits-labeler/model.tflite"
# `TEST_LARGE_UPLOADS` asks for the size of a large model; otherwise a smaller one goes the same way in a few seconds.
SIZE = (200 if os.environ.get("TEST_LARGE_UPLOADS") else 20) * 1_000_000
# What the browser reports of a cut. The server answers 503 until it notices that the connection before is gone.
LOST = ["503|net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET|CONNECTION_REFUSED|CONNECTION_CLOSED|SOCKET_NOT_CONNECTED)"]


@pytest.fixture
def server(tmp_path):
    """Notices soon that nothing comes any more on a connection that was cut, also when it was busy with what came before."""
    server = Server(tmp_path / "data", "--rate-window-seconds", "2")
    yield server
    server.stop()


@pytest.fixture
def large(tmp_path):
    """A model as large as wanted: what lies behind a model does not change it."""
    path = tmp_path / "large.tflite"
    with open(path, "wb") as file:
        file.write(LABELER.read_bytes())
        chance = random.Random(1)
        while file.tell() < SIZE:
            file.write(chance.randbytes(min(1 << 20, SIZE - file.tell())))
    return path


@pytest.fixture
def through(server, open_page):
    """`through(*cuts)` gives a proxy before the server, and a page of a person who reaches the server through it."""
    proxies = []

    def through(*cuts):
        proxies.append(proxy := CuttingProxy(server.url, *cuts))
        cookie = exchange(proxy, token(server))
        page = give(open_page(proxy.url), proxy, cookie)
        page.goto(f"{proxy.url}/console/projects/{Api(server).project}/models/new")
        return proxy, page

    yield through
    for proxy in proxies:
        proxy.stop()


def begin(page, file, name="large"):
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Upload", exact=True).click()


def percent(page):
    return int(page.locator("#bar").evaluate("(bar) => bar.value"))


def wait_for_loss(page):
    page.get_by_text("The connection was lost. Trying again in").wait_for()


def assert_stored(server, page, file, name="large"):
    page.get_by_role("heading", name=name, exact=True, level=1).wait_for(timeout=180_000)
    api = Api(server)
    version = api.call("GET", f"{{p}}/models/{api.model(name)}/versions/1")
    assert version["modelHash"] == hashlib.sha256(file.read_bytes()).hexdigest()


def test_continues_after_each_cut(server, through, large):
    proxy, page = through(SIZE * 6 // 10, SIZE * 9 // 10)
    begin(page, large)
    seen = []
    for count in (1, 2):
        proxy.wait_for_cut(count)
        wait_for_loss(page)
        seen.append(percent(page))
        proxy.mend()
    assert_stored(server, page, large)
    # The bar counts what was sent; a part of it was lost with the connection. It never begins again.
    assert 0 < seen[0] < 100 and seen[0] - 10 <= seen[1] < 100, seen
    # Not more than a part of 8 MiB goes again for each cut.
    assert proxy.sent < SIZE + 2 * 8.5 * 1024 * 1024
    page.assert_clean(except_for=LOST)


def test_continues_in_another_window(server, through, large):
    proxy, page = through(SIZE * 6 // 10)
    begin(page, large)
    proxy.wait_for_cut(1)
    wait_for_loss(page)
    address = page.url
    page.page.close(run_before_unload=False)
    proxy.mend()
    again = page.context.new_page()
    again.goto(address)
    begin(again, large)
    assert_stored(server, again, large)
    assert proxy.sent < SIZE + 8.5 * 1024 * 1024
    page.assert_clean(except_for=LOST)


def test_cancel_while_the_connection_is_lost(server, through, large):
    proxy, page = through(SIZE // 2)
    begin(page, large)
    proxy.wait_for_cut(1)
    wait_for_loss(page)
    page.get_by_role("button", name="Cancel the upload").click()
    page.get_by_text("Cancelled. The server keeps what has arrived").wait_for()
    proxy.mend()
    # The same file goes on from there.
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, large)
    assert proxy.sent < SIZE + 8.5 * 1024 * 1024
    page.assert_clean(except_for=LOST)


def test_a_lost_answer_makes_one_model(server, through, large):
    proxy, page = through()
    proxy.lose_answer("/models")
    begin(page, large)
    wait_for_loss(page)
    proxy.mend()
    assert_stored(server, page, large)
    models = Api(server).call("GET", "/v1beta2/projects/{id}/models")["models"]
    assert [model["displayName"] for model in models] == ["large"]
    # Nothing went twice, and nothing is left of it in the browser.
    assert proxy.sent < SIZE + 1024 * 1024
    assert page.page.evaluate("localStorage.length") == 0
    page.assert_clean(except_for=LOST)


def test_a_finished_upload_outlives_the_page(server, through, large):
    proxy, page = through()
    proxy.lose_answer("/models")
    begin(page, large)
    wait_for_loss(page)
    address = page.url
    page.page.close(run_before_unload=False)
    proxy.mend()
    again = page.context.new_page()
    again.goto(address)
    begin(again, large)
    assert_stored(server, again, large)
    assert proxy.sent < SIZE + 1024 * 1024
    page.assert_clean(except_for=LOST)


def test_a_lost_answer_makes_one_version(server, through, large):
    proxy, page = through()
    server.hearth("models", "push", "digits", LABELER)
    api = Api(server)
    page.goto(f"{proxy.url}/console/projects/{api.project}/models/{api.model('digits')}/upload")
    proxy.lose_answer("/versions")
    page.get_by_label("File", exact=True).set_input_files(large)
    page.get_by_role("button", name="Upload", exact=True).click()
    wait_for_loss(page)
    proxy.mend()
    page.get_by_role("heading", name="digits, version 2").wait_for(timeout=180_000)
    versions = api.call("GET", f"{{p}}/models/{api.model('digits')}/versions")["versions"]
    assert [version["version"] for version in versions] == [2, 1]
    page.assert_clean(except_for=LOST)


def test_a_file_that_is_no_model_is_not_uploaded(server, signed_in, tmp_path):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    send = page.get_by_role("button", name="Upload", exact=True)
    for name, content, reason in [
        ("photo.tflite", b"\xff\xd8\xff\xe0 a photo" * 100, "‘photo.tflite’ is not a model. Expected is"),
        ("empty.tflite", b"", "‘empty.tflite’ is empty."),
    ]:
        page.get_by_label("File", exact=True).set_input_files(LABELER)
        page.get_by_text("model.tflite, 43 kB").wait_for()
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
    page.get_by_text("model.tflite, 43 kB").wait_for()
    assert send.is_enabled()
    assert "models" not in Api(server).call("GET", "/v1beta2/projects/{id}/models")


def test_a_malformed_model_gets_the_reason_and_the_way_on(server, signed_in, tmp_path):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    # With the mark of a model, and nothing else of one.
    (tmp_path / "broken.tflite").write_bytes(b"\x1c\0\0\0TFL3" + b"not a model" * 100)
    begin(page, tmp_path / "broken.tflite", "broken")
    page.get_by_role("heading", name="broken", level=1, exact=True).wait_for()
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


def test_drag_and_drop(server, signed_in):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    transfer = page.evaluate_handle(
        """(bytes) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "dropped <b>.tflite"));
            return transfer;
        }""",
        list(LABELER.read_bytes()),
    )
    for event in ("dragover", "drop"):
        page.locator("#drop").dispatch_event(event, {"dataTransfer": transfer})
    page.get_by_text("dropped <b>.tflite, 43 kB").wait_for()
    assert page.get_by_label("Name", exact=True).input_value() == "dropped-b-"
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, LABELER, "dropped-b-")
