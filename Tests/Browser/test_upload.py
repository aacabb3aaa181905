"""A model uploaded through the page, over a connection that breaks."""

import hashlib
import os
import random
import subprocess
from urllib.parse import quote

import pytest
from cutting import CuttingProxy
from driving import PROGRAM
from filled import MODELS, Api
from visiting import drop_entries, exchange, give, token

LABELER = MODELS / "digits-labeler/model.tflite"
# `TEST_LARGE_UPLOADS` asks for the size of a large model; otherwise a smaller one goes the same way in a few seconds.
SIZE = (200 if os.environ.get("TEST_LARGE_UPLOADS") else 20) * 1_000_000
# What the page sends in one request.
PART = 8 * 1024 * 1024
# What the browser reports of a cut. The server answers 503 until it notices that the connection before is gone.
LOST = ["503|net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET|CONNECTION_REFUSED|CONNECTION_CLOSED|SOCKET_NOT_CONNECTED)"]


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
    # When the page has read the file, it fills in a name where there is none.
    page.locator("#send:enabled").wait_for()
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
    # The bar counts what the browser has sent, of which a cut loses some, but not the parts that the server had confirmed at
    # the first cut.
    least = SIZE * 6 // 10 // PART * PART * 100 // SIZE
    assert 0 < least <= min(seen) and seen[0] < 100, seen
    # Not more than a part goes again for each cut.
    assert proxy.sent < SIZE + 2 * (PART + 500_000)
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
    assert proxy.sent < SIZE + PART + 500_000
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
    assert proxy.sent < SIZE + PART + 500_000
    page.assert_clean(except_for=LOST)


def test_continues_where_the_browser_stores_nothing(server, through, large):
    proxy, page = through(SIZE // 2)
    page.context.add_init_script("""for (const name of ["getItem", "setItem", "removeItem"]) {
        Storage.prototype[name] = () => { throw new DOMException("full", "QuotaExceededError"); };
    }""")
    page.reload()
    begin(page, large)
    proxy.wait_for_cut(1)
    wait_for_loss(page)
    proxy.mend()
    assert_stored(server, page, large)
    assert proxy.sent < SIZE + PART + 500_000
    page.assert_clean(except_for=LOST)


def test_what_the_browser_stores_is_short_and_ends(server, through, large):
    proxy, page = through(SIZE // 2)
    page.evaluate("""() => {
        localStorage.setItem("hearth-upload of an older console", "a");
        localStorage.setItem("hearth-upload old", JSON.stringify({ at: Date.now() - 8 * 24 * 3600 * 1000, value: "a" }));
        localStorage.setItem("another", "a");
    }""")
    page.reload()
    begin(page, large)
    proxy.wait_for_cut(1)
    wait_for_loss(page)
    keys = page.evaluate("Object.keys(localStorage)")
    assert len(keys) == 2 and "another" in keys, keys
    assert not [key for key in keys if "large" in key or len(key) > 40], keys
    proxy.mend()
    assert_stored(server, page, large)
    assert page.page.evaluate("Object.keys(localStorage)") == ["another"]
    page.assert_clean(except_for=LOST)


def test_a_refused_tag_costs_no_second_upload(server, through, large):
    proxy, page = through()
    tags = page.get_by_label("Tags", exact=True)
    for wrong in ("two words", "a,b:c", "x" * 33, ",".join("a" * 65)):
        tags.fill(wrong)
        assert not tags.evaluate("(field) => field.checkValidity()"), wrong
    for right in ("", "one", " one , two-3 ,", ",".join("a" * 64), "x" * 32):
        tags.fill(right)
        assert tags.evaluate("(field) => field.checkValidity()"), right
    # The page refuses a wrong tag before it sends anything.
    tags.fill("two words")
    begin(page, large)
    assert page.locator("#progress").is_hidden()
    # The server refuses it too, and keeps the file.
    tags.evaluate("(field) => field.removeAttribute('pattern')")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_text("Not done. A tag must have 1 to 32 letters").wait_for(timeout=180_000)
    tags.fill("one, two")
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, large)
    assert proxy.sent < SIZE + 1024 * 1024
    page.assert_clean(except_for=["400"])


@pytest.mark.parametrize("status", [401, 403])
def test_an_ended_session_costs_no_second_upload(server, through, large, status):
    proxy, page = through()
    page.route("**/v1beta2/projects/*/models", lambda route: route.fulfill(status=status, body="The session ended."), times=1)
    begin(page, large)
    page.get_by_text("Not done. The session ended.").wait_for(timeout=180_000)
    page.reload()
    begin(page, large)
    assert_stored(server, page, large)
    assert proxy.sent < SIZE + 1024 * 1024
    page.assert_clean(except_for=[str(status)])


def test_a_file_that_the_server_lost_is_sent_again(server, signed_in):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    page.route("**/v1beta2/projects/*/models", lambda route: route.fulfill(status=403, body="Not now."), times=1)
    begin(page, LABELER, "lost")
    page.get_by_text("Not done. Not now.").wait_for()
    api = Api(server)
    file = page.evaluate(
        "() => Object.values(localStorage).map((text) => JSON.parse(text).value.file?.gcsTfliteUri).find(Boolean)"
    )
    bucket, name = file.removeprefix("gs://").split("/", 1)
    api.raw("DELETE", f"/storage/v1/b/{bucket}/o/{quote(name, safe='')}", None, api.headers)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_text("The server no longer has the uploaded file.").wait_for()
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, LABELER, "lost")
    page.assert_clean(except_for=["400", "403", "404"])


def test_a_connection_that_hangs_is_taken_for_lost(server, signed_in):
    page = signed_in()
    page.clock.install()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    held = []
    page.route("**/uploads?upload_id=*", lambda route: held.append(route), times=1)
    with page.expect_request("**/uploads?upload_id=*"):
        begin(page, LABELER, "hanging")
    page.clock.fast_forward(61_000)
    wait_for_loss(page)
    assert_stored(server, page, LABELER, "hanging")
    held[0].abort()
    page.assert_clean(except_for=["ERR_ABORTED"])


def test_a_part_that_always_fails_is_tried_less_and_less(server, signed_in):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    is_question = {True: 0, False: 0}

    def answer(route):
        question = route.request.headers["content-range"].startswith("bytes */")
        is_question[question] += 1
        route.continue_() if question else route.fulfill(status=503, body="Busy.")

    page.route("**/uploads?upload_id=*", answer)
    begin(page, LABELER, "failing")
    page.get_by_text("Busy. Trying again in 4 s.").wait_for()
    assert is_question == {True: 3, False: 4}
    page.get_by_role("button", name="Cancel the upload").click()
    page.get_by_text("Cancelled. The server keeps what has arrived").wait_for()
    page.assert_clean(except_for=["503"])


def test_cancel_before_the_first_part_sends_nothing(server, signed_in):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    asked = []
    page.on("request", lambda request: asked.append(request.method) if "/uploads?" in request.url else None)
    held = []
    page.route("**/uploads?resumable=*", lambda route: held.append(route), times=1)
    with page.expect_request("**/uploads?resumable=*"):
        begin(page, LABELER, "cancelled")
    page.get_by_role("button", name="Cancel the upload").click()
    page.get_by_text("Cancelled. The server keeps what has arrived").wait_for()
    with page.expect_response("**/uploads?resumable=*"):
        held[0].continue_()
    page.wait_for_reports()
    assert asked == ["POST"]
    # The upload that was announced is used.
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, LABELER, "cancelled")
    assert asked.count("POST") == 1, asked


def test_two_windows_make_one_version(server, through, large):
    proxy, page = through(SIZE // 2)
    server.hearth("models", "push", "digits", LABELER)
    api = Api(server)
    address = f"{proxy.url}/console/projects/{api.project}/models/{api.model('digits')}/upload"
    other = page.context.new_page()
    for window in (page, other):
        window.goto(address)
        window.get_by_label("File", exact=True).set_input_files(large)
    page.get_by_role("button", name="Upload", exact=True).click()
    proxy.wait_for_cut(1)
    wait_for_loss(page)
    other.get_by_role("button", name="Upload", exact=True).click()
    other.get_by_text("Not done. Another window of this browser is uploading this file.").wait_for()
    other.close()
    proxy.mend()
    page.get_by_role("heading", name="digits, version 2").wait_for(timeout=180_000)
    assert len(api.call("GET", f"{{p}}/models/{api.model('digits')}/versions")["versions"]) == 2
    page.assert_clean(except_for=LOST)


def test_the_newest_choice_counts(server, signed_in, tmp_path):
    page = signed_in()
    # Files are read when the test says so.
    page.context.add_init_script("""
        const plain = Blob.prototype.stream;
        const gate = new Promise((done) => { window.openGate = done; });
        window.read = 0;
        Blob.prototype.stream = function () {
            const reader = plain.call(this).getReader();
            return { getReader: () => ({ read: async () => {
                await gate;
                const result = await reader.read();
                if (result.done) window.read += 1;
                return result;
            } }) };
        };
    """)
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "model.tflite").write_bytes(LABELER.read_bytes())
    (folder / "dict.txt").write_text("a\nb\n")
    page.get_by_label("Folder", exact=True).set_input_files(folder)
    page.get_by_text("Reading the folder …").wait_for()
    page.get_by_label("File", exact=True).set_input_files(LABELER)
    page.get_by_text("model.tflite, 41.7 KiB").wait_for()
    page.evaluate("window.openGate()")
    page.wait_for_function("window.read === 2")
    # What the script does then is done when the page has drawn.
    page.wait_for_reports()
    assert page.locator("#chosen").inner_text() == "model.tflite, 41.7 KiB"
    page.get_by_label("Name", exact=True).fill("newest")
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, LABELER, "newest")


def test_a_folder_that_cannot_be_read_is_told(server, signed_in):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    drop_entries(page, """[{ isDirectory: true, createReader: () => ({
        readEntries: (_, failed) => failed(new DOMException("The folder is gone.", "NotFoundError")),
    }) }]""")
    page.get_by_text("The folder is gone.").wait_for()
    assert page.get_by_role("button", name="Upload", exact=True).is_disabled()


def test_the_page_names_the_hash_of_what_the_server_packed(server, signed_in, tmp_path):
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "model.tflite").write_bytes(LABELER.read_bytes())
    (folder / "dict.txt").write_text("\n".join(f"digit {number}" for number in range(10)) + "\n")
    page.get_by_label("Folder", exact=True).set_input_files(folder)
    page.get_by_label("Name", exact=True).fill("packed")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("heading", name="packed", exact=True, level=1).wait_for(timeout=60_000)
    subprocess.run([PROGRAM, "pack", folder, "--output", tmp_path / "packed.tflite"], check=True)
    packed = hashlib.sha256((tmp_path / "packed.tflite").read_bytes()).hexdigest()
    assert packed != hashlib.sha256(LABELER.read_bytes()).hexdigest()
    assert page.get_by_text(f"SHA-256 of version 1: {packed}").is_visible()
    page.get_by_role("link", name="Version 1", exact=True).click()
    assert page.get_by_text(packed).is_visible()
    assert page.get_by_text("scores of 10 labels").is_visible()


def test_leaves_the_page_without_a_question(server, signed_in):
    page = signed_in()
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    begin(page, LABELER, "quiet")
    assert_stored(server, page, LABELER, "quiet")
    assert questions == []


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
    page.get_by_text("dropped <b>.tflite, 41.7 KiB").wait_for()
    assert page.get_by_label("Name", exact=True).input_value() == "dropped-b-"
    page.get_by_role("button", name="Upload", exact=True).click()
    assert_stored(server, page, LABELER, "dropped-b-")
