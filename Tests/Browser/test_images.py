"""The images of the rehearsals: added and removed in the page, and a rehearsal on them."""

import base64
import json

import pytest
from filled import MODELS, REHEARSAL, Api
from visiting import drop_entries

SEVEN = MODELS / "digits-labeler/examples/7-a.png"


@pytest.fixture
def opened(server, signed_in):
    """The page of the images of a model with two versions: API and page."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", REHEARSAL / "worse-class")
    api = Api(server)
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/rehearsals")
    page.get_by_role("link", name="Add images").click()
    # The page's script is there once it is loaded.
    page.page.wait_for_url("**/images")
    return api, page


def images(api):
    return {image["name"]: image.get("label") for image in
            api.call("GET", f"{{p}}/models/{api.model('digits')}/images").get("images", [])}  # fmt: skip


def test_hostile_files_are_refused_each_with_its_reason(opened):
    api, page = opened
    sound = (MODELS / "digits-labeler/examples/7-a.png").read_bytes()
    bomb = bytearray(sound)
    bomb[16:24] = (20_000).to_bytes(4) * 2
    files = {
        "text.jpg": (b"no picture at all, but a text", "it is no JPEG, PNG"),
        "empty.jpg": (b"", "it is empty"),
        "bomb.png": (bytes(bomb), "it has too many pixels"),
        "cut.png": (sound[: len(sound) // 2], "it is damaged"),
        "page.svg": (b"<svg onload='alert(1)' xmlns='http://www.w3.org/2000/svg'/>", "it is no JPEG, PNG"),
        "large.png": (sound + bytes(8 << 20), "and 8 MiB is the most"),
        "a:b.png": (sound, "An image's name must have"),
        "good.png": (sound, None),
    }
    page.get_by_label("Expected answer", exact=True).fill("7")
    page.get_by_label("Images", exact=True).set_input_files(
        [{"name": name, "mimeType": "image/png", "buffer": data} for name, (data, _) in files.items()]
    )
    page.get_by_text("Added 1 of 8 images. Those below were not added.").wait_for()
    lines = page.locator("#refused li").all_inner_texts()
    for name, (_, reason) in files.items():
        found = [line for line in lines if line.startswith(name + ": ")]
        assert (reason is None) == (not found) and (not found or reason in found[0]), lines
    assert images(api) == {"good.png": "7"}
    page.get_by_role("heading", name="1 image", exact=True).wait_for()
    assert page.axe() == []
    page.picture("images-refused")
    page.assert_clean(except_for=["400"])


def test_a_folder_is_added_rehearsed_and_removed(opened, tmp_path):
    api, page = opened
    # Of each digit three: the second version takes sevens for something else.
    for digit in range(10):
        for number in range(3):
            path = tmp_path / f"photos/{digit}/{number}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((REHEARSAL / f"images/{digit}/0{number}.jpg").read_bytes())
    page.get_by_label("Folder").set_input_files(tmp_path / "photos")
    page.get_by_text("Added 30 of 30 images.").wait_for()
    assert images(api) == {f"{digit}/{number}.jpg": str(digit) for digit in range(10) for number in range(3)}
    page.get_by_role("link", name="Rehearse a version on them").click()
    page.get_by_label("Version", exact=True).select_option("2")
    page.get_by_label("against").select_option("1")
    page.get_by_role("button", name="Rehearse", exact=True).click()
    page.get_by_text("Started.").wait_for()
    # The result comes without a reload.
    page.locator("ul.images img").first.wait_for()
    page.wait_for_function("document.querySelector('ul.images img').naturalWidth > 0")
    assert page.get_by_role("img", name="The image 7/").count() > 0
    page.goto(f"{api.server.url}/console/projects/{api.project}/models/{api.model('digits')}/images")
    page.get_by_label("Remove 7/0.jpg").check()
    page.get_by_label("Remove 7/1.jpg").check()
    page.get_by_role("button", name="Remove the chosen images").click()
    page.get_by_text("Removed.", exact=True).wait_for()
    assert len(images(api)) == 28


def drop(page, *paths):
    """Drops folders. `paths` are those of the files in them, each with the same image."""
    folders = {}
    for path in paths:
        *above, name = path.split("/")
        place = folders
        for part in above:
            place = place.setdefault(part, {})
        place.setdefault(name, None)
    image = base64.b64encode(SEVEN.read_bytes()).decode()
    drop_entries(page, f"""(() => {{
        const bytes = Uint8Array.from(atob("{image}"), (letter) => letter.charCodeAt(0));
        const entries = (folder, above) => Object.entries(folder).map(([name, inner]) => {{
            const fullPath = `${{above}}/${{name}}`;
            if (!inner) return {{ name, fullPath, isFile: true, file: (done) => done(new File([bytes], name)) }};
            return {{ name, fullPath, isDirectory: true, createReader: () => {{
                const batches = [entries(inner, fullPath)];
                return {{ readEntries: (done) => done(batches.shift() ?? []) }};
            }} }};
        }});
        return entries({json.dumps(folders)}, "");
    }})()""")


def test_folders_that_are_dropped_together_keep_their_names(opened):
    api, page = opened
    drop(page, "daisy/1.jpg", "rose/1.jpg", "tulip/1.jpg")
    page.get_by_text("Added 3 of 3 images.").wait_for()
    assert images(api) == {"daisy/1.jpg": "daisy", "rose/1.jpg": "rose", "tulip/1.jpg": "tulip"}


def test_the_name_of_a_single_folder_does_not_count(opened):
    api, page = opened
    drop(page, "photos/daisy/1.jpg", "photos/2.jpg", "photos/rose/far/3.jpg", "photos/.thumbnails/1.jpg")
    page.get_by_text("Added 2 of 3 images. Those below were not added.").wait_for()
    assert page.locator("#refused li").all_inner_texts() == [
        "rose/far/3.jpg: it is in a folder of a folder, and only the folder around an image can name its answer"
    ]
    assert images(api) == {"daisy/1.jpg": "daisy", "2.jpg": None}


def test_an_image_does_not_replace_another_of_the_same_drop(opened):
    api, page = opened
    file = {"name": "1.png", "mimeType": "image/png", "buffer": SEVEN.read_bytes()}
    page.get_by_label("Images", exact=True).set_input_files([file, file])
    page.get_by_text("Added 1 of 2 images. Those below were not added.").wait_for()
    assert page.locator("#refused li").all_inner_texts() == ["1.png: another one of this name is before it"]


def test_what_comes_meanwhile_is_added_too(opened):
    api, page = opened
    held = []
    page.route("**/images/1.png*", lambda route: held.append(route), times=1)
    first, second = ({"name": name, "mimeType": "image/png", "buffer": SEVEN.read_bytes()} for name in ("1.png", "2.png"))
    with page.expect_request("**/images/1.png*"):
        page.get_by_label("Images", exact=True).set_input_files(first)
    page.get_by_label("Images", exact=True).set_input_files(second)
    # The handler of the route runs while the page draws.
    page.wait_for_reports()
    held[0].continue_()
    page.get_by_text("Added 2 of 2 images.").wait_for()
    assert set(images(api)) == {"1.png", "2.png"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, "Your session ended."),
        (403, "The page is too old."),
        (400, json.dumps({"error": {"code": 400, "message": "The set is full.", "status": "FAILED_PRECONDITION"}})),
    ],
)
def test_stops_when_no_image_can_be_added(opened, status, body):
    api, page = opened
    asked = []
    page.route("**/images/*", lambda route: (asked.append(route.request.url), route.fulfill(status=status, body=body)))
    page.get_by_label("Images", exact=True).set_input_files(
        [{"name": f"{number}.png", "mimeType": "image/png", "buffer": SEVEN.read_bytes()} for number in range(3)]
    )
    page.get_by_text("Added 0 of 3 images. It stopped at 0.png").wait_for()
    assert len(asked) == 1, asked
    assert page.locator("#refused li").count() == 1
    page.assert_clean(except_for=[str(status)])


def test_a_drop_that_cannot_be_read_is_told(opened):
    api, page = opened
    drop_entries(page, """[{ name: "photos", isDirectory: true, createReader: () => ({
        readEntries: (_, failed) => failed(new DOMException("The folder is gone.", "NotFoundError")),
    }) }]""")
    page.get_by_text("What was dropped: it cannot be read: The folder is gone.").wait_for()


def test_a_refused_pin_is_explained_where_the_form_is(server, signed_in):
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    api = Api(server)
    page = signed_in("light", 320)
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/devices")
    page.get_by_text("Pin a device").click()
    page.get_by_label("Id of the installation").last.fill("abc")
    page.get_by_role("button", name="Pin", exact=True).click()
    problem = page.locator("#problem")
    problem.wait_for()
    box = problem.bounding_box()
    assert 0 <= box["y"] < 800, "the reader sees it without a scroll"
    assert "'abc' is not an id of an installation" in problem.inner_text()
    page.assert_clean(except_for=["404"])
