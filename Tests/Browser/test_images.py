"""The images of the rehearsals: added and removed in the page, and a rehearsal on them."""

import pytest
from filled import MODELS, REHEARSAL, Api


@pytest.fixture
def opened(server, signed_in):
    """The page of the images of a model with two versions: API and page."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", REHEARSAL / "worse-class")
    api = Api(server)
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/rehearsals")
    page.get_by_role("link", name="Add images").click()
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
