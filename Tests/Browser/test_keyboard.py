"""Six jobs with the keyboard alone: no mouse, and the focus always in sight."""

import urllib.error

import pytest
from filled import MODELS, TEMPLATE, Api
from keyboard import Keyboard


@pytest.fixture
def api(server):
    return Api(server)


@pytest.fixture
def hands(server, signed_in):
    """Hands on the keyboard, in front of the start page."""
    page = signed_in()
    page.goto(server.url + "/console/")
    return Keyboard(page)


@pytest.fixture
def published(server):
    """A model with a published version and a newer one."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", MODELS / "digits-labeler-2")


def done(hands, text):
    assert hands.page.locator(".notice[role=status]").inner_text() == text


def test_upload_a_model_and_publish_it(hands, api):
    hands.open("link", "Models")
    hands.open("link", "Upload a model")
    hands.fill("Name", "digits")
    hands.choose_file("File", MODELS / "digits-labeler/model.tflite")
    hands.page.get_by_text("model.tflite, 41.7 KiB").wait_for()
    hands.open("button", "Upload")
    hands.open("link", "Release version 1")
    hands.open("button", "Release")
    done(hands, "The release has begun.")
    assert [(one["version"], one["share"], one["state"]) for one in api.releases("digits")] == [(1, 1, "active")]


def test_roll_out_to_a_tenth_and_raise(published, hands, api):
    hands.open("link", "Models")
    hands.open("link", "digits")
    hands.open("link", "Release version 2")
    hands.fill("Share of the devices, in per cent", "10")
    hands.open("button", "Release")
    done(hands, "The release has begun.")
    assert api.releases("digits")[0]["share"] == 0.1
    hands.open("link", "Change the share")
    hands.tab_to("slider", "Share of the devices, in per cent, as a slider")
    # Back to the field before it.
    hands.press("Shift+Tab")
    hands.press("Control+a")
    hands.type("50")
    hands.open("button", "Change the share")
    done(hands, "The share was changed.")
    assert api.releases("digits")[0]["share"] == 0.5


def test_roll_back(published, server, hands, api):
    server.hearth("models", "publish", "digits")
    hands.open("link", "Models")
    hands.open("link", "digits")
    hands.open("link", "Roll back")
    hands.open("button", "Roll back")
    done(hands, "Rolled back.")
    assert api.releases("digits")[0]["version"] == 1


def test_start_an_experiment(published, hands, api):
    hands.open("link", "Experiments")
    hands.open("link", "Create an experiment")
    hands.fill("Name", "better")
    hands.choose("Model", "digits")
    hands.open("button", "Show its versions")
    hands.choose("Version in variant 1", "1")
    hands.choose("Version in variant 2", "2")
    hands.fill("Event that the app logs", "kept")
    hands.open("button", "Create the draft")
    done(hands, "Created.")
    hands.open("link", "Start")
    hands.open("button", "Start the experiment")
    done(hands, "Started.")
    assert api.call("GET", "{p}/experiments/better")["state"] == "running"


def test_change_a_parameter_under_a_condition(hands, api):
    api.put_template(TEMPLATE)
    hands.page.reload()
    hands.open("link", "Remote Config")
    hands.open("link", "welcome")
    # The values stand in the order of their conditions; this is that of devices in Switzerland.
    hands.reach(hands.page.locator("#value-0"))
    hands.press("Control+a")
    hands.type("Salü")
    hands.open("button", "Preview the change")
    hands.open("button", "Publish version 2")
    done(hands, "Published. Devices get it at their next request.")
    welcome = api.call("GET", "/v1/projects/{id}/remoteConfig")["parameters"]["welcome"]
    assert welcome["conditionalValues"]["ios in Switzerland"] == {"value": "Salü"}
    assert welcome["defaultValue"] == {"value": "Hello"}


def test_revoke_a_token(hands, api):
    name = api.call("POST", "{p}/adminTokens", {"name": "old script", "role": "viewer"})["token"]
    hands.open("link", "Keys and tokens")
    hands.open("link", "Revoke the token old script")
    hands.open("button", "Revoke the token old script")
    done(hands, "Revoked.")
    assert refusal(api, name) == 401


def refusal(api, token):
    """The status of a call with the token."""
    try:
        api.raw("GET", f"/hearth/v1/projects/{api.project}/overview", None, {"Authorization": f"Bearer {token}"})
    except urllib.error.HTTPError as error:
        return error.code
    return 200
