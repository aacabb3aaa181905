"""A session that ends while its person works, and the address that people type."""

import json

import pytest
from filled import MODELS, Api
from test_pages import look_at
from visiting import exchange, give, token

TYPED = 'first "line" <b>\nsecond & last'


def test_what_was_typed_outlives_the_session(server, open_page):
    admin = token(server)
    page = give(open_page(server.url), server, exchange(server, admin))
    api = Api(server)
    page.goto(f"{server.url}/console/projects/{api.project}/config/new-parameter")
    page.get_by_label("Key", exact=True).fill("greeting")
    page.get_by_label("Value", exact=True).fill(TYPED)
    server.hearth("keys", "token", "revoke", admin.split("_")[1], "--yes")
    page.get_by_role("button", name="Preview the change").click()
    page.get_by_role("heading", name="Your session has ended").wait_for()
    assert page.locator("pre", has_text="first").inner_text() == TYPED
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in in another tab").click()
    tab = opened.value
    tab.get_by_label("Sign-in code or admin token").fill(token(server))
    tab.get_by_role("button", name="Sign in").click()
    tab.get_by_role("heading", name="Projects").or_(tab.get_by_role("heading", level=1)).first.wait_for()
    tab.close()
    page.get_by_role("button", name="Show the form again").click()
    page.get_by_text("Look at it, and send it again.").first.wait_for()
    assert page.get_by_label("Value", exact=True).input_value() == TYPED
    page.get_by_role("button", name="Preview the change").click()
    page.get_by_role("button", name="Publish").first.wait_for()
    assert "greeting" in page.inner_text("main")
    page.assert_clean(except_for=["401", "403"])


def test_an_upload_of_an_ended_session_leads_to_the_sign_in(server, open_page):
    admin = token(server)
    page = give(open_page(server.url), server, exchange(server, admin))
    page.goto(f"{server.url}/console/projects/{Api(server).project}/models/new")
    page.get_by_label("File", exact=True).set_input_files(MODELS / "digits-labeler/model.tflite")
    page.locator("#send:enabled").wait_for()
    server.hearth("keys", "token", "revoke", admin.split("_")[1], "--yes")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_text("Not done. This admin token ended").wait_for()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in in another tab").click()
    opened.value.get_by_label("Sign-in code or admin token").wait_for()
    # What was chosen is still there.
    assert page.get_by_text("model.tflite, 41.7 KiB").is_visible()
    page.assert_clean(except_for=["401"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_an_ended_session(server, open_page, theme):
    admin = token(server)
    page = give(open_page(server.url, theme), server, exchange(server, admin))
    project = f"{server.url}/console/projects/{Api(server).project}"
    page.goto(f"{project}/config/new-parameter")
    page.get_by_label("Key", exact=True).fill("greeting")
    page.get_by_label("Value", exact=True).fill("word" * 100)
    server.hearth("keys", "token", "revoke", admin.split("_")[1], "--yes")
    page.get_by_role("button", name="Preview the change").click()
    page.get_by_role("heading", name="Your session has ended").wait_for()
    page.wait_for_reports()
    page.findings = [line for line in page.findings if "401" not in line]
    problems = look_at(page, "session-ended")
    give(page, server, exchange(server, token(server)))
    page.get_by_role("button", name="Show the form again").click()
    page.get_by_text("Look at it, and send it again.").first.wait_for()
    page.wait_for_reports()
    page.findings = [line for line in page.findings if "403" not in line]
    problems += look_at(page, "form-again")
    assert not problems, "\n".join(problems)


def test_long_names_fit_a_narrow_screen(server, signed_in, tmp_path):
    page = signed_in()
    name = "iOS_users_in_Switzerland_on_version_2_10_or_newer" * 5
    names = (name[:49], name)
    template = {
        "conditions": [{"name": one, "expression": "device.os == 'ios'"} for one in names],
        "parameters": {
            name: {
                "defaultValue": {"value": "one"},
                "conditionalValues": {one: {"value": "two"} for one in names},
                "valueType": "STRING",
            }
        },
    }
    (tmp_path / "template.json").write_text(json.dumps(template))
    server.hearth("remoteconfig", "put", tmp_path / "template.json")
    project = f"{server.url}/console/projects/{Api(server).project}"
    problems = []
    for number, path in enumerate(("config", f"config/parameters/{name}", "config/conditions", f"config/condition?name={name}", "config/json")):
        page.goto(f"{project}/{path}")
        problems += look_at(page, f"long-name-{number}")
    assert not problems, "\n".join(problems)


def test_the_address_of_the_server_leads_to_its_pages(server, page):
    window = page()
    window.goto(server.url)
    window.get_by_role("heading", name="Sign in").wait_for()
