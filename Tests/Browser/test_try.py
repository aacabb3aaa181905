"""A photo tried on one or two versions, in the page."""

import json
import urllib.error

import pytest
from browsing import RecordedPage
from filled import MODELS, Api
from visiting import give, sign_in

EXAMPLES = MODELS / "digits-detector/examples"


@pytest.fixture
def tried(server, signed_in):
    """The page of a detector with two versions that are alike but for their name, as its user sees it: API and page."""
    server.hearth("models", "push", "finder", MODELS / "digits-detector", "--publish")
    api = Api(server)
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('finder')}/try")
    return api, page


def needs_threshold(api, model):
    """The page asks for all answers from 1 % on, which the API does not know yet."""
    image = (MODELS / "digits-labeler/examples/7-a.png").read_bytes()
    path = f"/hearth/v1/projects/{api.project}/models/{api.model(model)}/versions/1:try?threshold=0.01"
    try:
        api.raw("POST", path, image, {**api.headers, "Content-Type": "application/octet-stream"})
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        pytest.skip("the API does not take ?threshold= yet")


def take(page, path):
    page.get_by_label("Image", exact=True).set_input_files(path)
    page.get_by_text("Done.").wait_for()


def answers(api, model, path, version=1):
    """What the API answers for the picture."""
    headers = {**api.headers, "Content-Type": "application/octet-stream"}
    address = f"/hearth/v1/projects/{api.project}/models/{api.model(model)}/versions/{version}:try"
    return json.loads(api.raw("POST", address, path.read_bytes(), headers))


def shown(page):
    """The rows of the first column that are to be seen: label and per cent."""
    return [row.inner_text().split("\t") for row in page.locator("#columns section:first-child tbody tr:visible").all()]


def test_boxes_lie_where_the_api_says(tried):
    api, page = tried
    needs_threshold(api, "finder")
    take(page, EXAMPLES / "board.jpg")
    result = answers(api, "finder", EXAMPLES / "board.jpg")
    assert result["answers"], result
    picture = page.locator("figure.image img").bounding_box()
    scale = picture["width"] / result["width"], picture["height"] / result["height"]
    for answer in result["answers"]:
        x, y, width, height = answer["box"]
        wanted = (x * scale[0] + picture["x"], y * scale[1] + picture["y"], width * scale[0], height * scale[1])
        found = page.evaluate(
            """([index, confidence]) => [...document.querySelectorAll("figure.image g")].filter(
                (group) => Math.abs(group.dataset.confidence - confidence) < 1e-6
            ).map((group) => group.querySelector("rect").getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height])""",
            [answer["index"], answer["confidence"]],
        )
        assert any(all(abs(a - b) < 2 + 0.02 * b for a, b in zip(box, wanted)) for box in found), (wanted, found)
    assert page.axe() == []
    page.picture("try-boxes")


def test_the_slider_hides_what_is_less_certain(tried):
    api, page = tried
    needs_threshold(api, "finder")
    take(page, EXAMPLES / "board.jpg")
    slider = page.get_by_label("Least confidence")
    counts = []
    for value in (0, 60, 100):
        slider.fill(str(value))
        rows = shown(page)
        assert all(float(percent.split()[0]) >= value for _, percent in rows)
        assert page.locator("figure.image g:visible").count() == len(rows)
        counts.append(len(rows))
    assert counts[0] >= counts[1] >= counts[2] == 0 < counts[0], counts
    assert page.get_by_text("No answer has that confidence.").is_visible()
    # The picture is a new one, and the reader's own threshold stays where it shows something.
    slider.fill("0")
    take(page, EXAMPLES / "three.png")
    assert shown(page)


def test_two_versions_side_by_side(server, signed_in):
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", MODELS / "digits-labeler-2")
    api = Api(server)
    needs_threshold(api, "digits")
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/try?version=2&with=1")
    take(page, MODELS / "digits-labeler/examples/7-a.png")
    assert [heading.inner_text() for heading in page.locator("#columns h2").all()] == ["Version 2", "Version 1"]
    first, second = (column.bounding_box() for column in page.locator("#columns > section").all())
    assert first["y"] == second["y"] and first["x"] + first["width"] <= second["x"]
    for column in page.locator("#columns > section").all():
        assert column.locator("tbody tr:visible").first.inner_text().startswith("7")
    # Another choice tries the same picture again.
    page.get_by_label("beside").select_option("")
    page.locator("#columns > section").nth(1).wait_for(state="detached")
    assert page.axe() == []
    page.picture("try-labels")


@pytest.mark.parametrize("name, content", [("text.jpg", b"no picture"), ("cut.jpg", None), ("page.svg", b"<svg onload='alert(1)'/>")])
def test_a_hostile_picture_gets_a_reason_and_the_page_goes_on(tried, tmp_path, name, content):
    _, page = tried
    path = tmp_path / name
    path.write_bytes((EXAMPLES / "board.jpg").read_bytes()[:300] if content is None else content)
    take(page, path)
    reason = page.locator("#columns .problem").inner_text()
    assert len(reason) > 20, reason
    take(page, EXAMPLES / "board.jpg")
    assert shown(page)
    page.assert_clean(except_for=["400"])


def test_samples_of_the_rehearsals(server, signed_in, tmp_path):
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "images", "add", "digits", MODELS / "digits-labeler/examples/7-a.png")
    api = Api(server)
    page = signed_in()
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/try")
    page.get_by_text("Images of the rehearsals (1)").click()
    page.get_by_role("button", name="7-a.png").click()
    page.get_by_text("Done.").wait_for()
    assert shown(page)[0][0] == "7"


VISION = MODELS.parent / "Tests/Fixtures/vision"


def try_page(server, page, name, file):
    """The page on which this file is tried as a new model."""
    server.hearth("models", "push", name, VISION / file)
    api = Api(server)
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model(name)}/try")
    return page


def test_a_model_that_says_nothing_is_tried_in_a_stated_way(server, signed_in):
    page = try_page(server, signed_in(), "plain", "gray_plain.tflite")
    assert page.get_by_label("Values of the input").is_visible(), "open, because nothing else works"
    take_in(page, VISION / "bright_corner.png")
    assert "--normalize" in page.locator("#columns .problem").inner_text()
    assert page.get_by_label("Mean").is_hidden()
    page.get_by_label("Values of the input").select_option("127.5,127.5")
    page.locator("#columns .facts").wait_for()
    assert "as stated" in page.locator("#columns .facts").inner_text()
    command = "hearth models push plain FILE.tflite --normalize 127.5,127.5"
    assert page.locator("#columns pre").inner_text() == command
    assert page.get_by_role("button", name="Copy").last.get_attribute("data-copy") == command
    # Own numbers, of which wrong ones are told before anything is sent.
    page.get_by_label("Values of the input").select_option("own")
    page.get_by_label("Mean").fill("0 1 x")
    page.get_by_label("Mean").blur()
    page.get_by_text("The mean must be a number").wait_for()
    page.get_by_label("Mean").fill("100")
    page.get_by_label("Standard deviation").fill("-50")
    page.get_by_label("Standard deviation").blur()
    page.get_by_text("--normalize 100,-50").wait_for()
    page.get_by_label("Scores of labels").select_option("sigmoid")
    page.get_by_text("--normalize 100,-50 --sigmoid").wait_for()
    # What the model cannot do is said by the server.
    page.get_by_label("Channels").select_option("rgb")
    page.get_by_text("has 1 channels, not rgb").wait_for()
    assert page.axe() == []
    page.picture("try-stated")
    page.assert_clean(except_for=["400"])


def test_each_output_of_a_labeler_is_shown_with_its_name(server, signed_in):
    page = try_page(server, signed_in(width=360), "gray", "gray.tflite")
    take(page, VISION / "bright_corner.png")
    page.get_by_label("Least confidence").fill("0")
    captions = [caption.inner_text() for caption in page.locator("#columns caption").all()]
    assert captions == ["brightness", "corner"]
    firsts = [table.locator("tbody tr").first.inner_text() for table in page.locator("#columns table").all()]
    assert firsts[0].startswith("bright") and firsts[1].startswith("top right"), firsts
    assert page.locator("#columns pre").count() == 0, "nothing was stated"
    page.get_by_text("How images go in, and what comes out").click()
    assert page.axe() == []
    page.picture("try-outputs-narrow")


def test_boxes_in_a_stated_layout(server, signed_in):
    page = try_page(server, signed_in(), "finder", "yolov8.tflite")
    take(page, VISION / "green_spot.png")
    assert shown(page)[0][0] == "green"
    page.get_by_text("How images go in, and what comes out").click()
    page.get_by_label("Layout of boxes").select_option("yolov8")
    page.get_by_text("--layout yolov8").wait_for()
    assert shown(page)[0][0] == "green"


def take_in(page, path):
    """As `take`, where no answer is expected."""
    page.get_by_label("Image", exact=True).set_input_files(path)
    page.get_by_text("Not done.").wait_for()


def test_the_camera(server, browser_with_camera):
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    api = Api(server)
    page = give(RecordedPage(browser_with_camera, server.url, permissions=["camera"]), server, sign_in(server))
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/try")
    page.get_by_role("button", name="Use the camera").click()
    page.get_by_role("button", name="Take the image").click()
    page.get_by_text("Done.").wait_for()
    assert page.locator("#columns tbody tr").count() > 0
    assert page.locator("#viewfinder").is_hidden()
    page.assert_clean()
    page.close()


def test_without_a_camera_the_page_says_what_is_missing(tried):
    _, page = tried
    page.get_by_role("button", name="Use the camera").click()
    page.get_by_text("The browser gives no camera").wait_for()
