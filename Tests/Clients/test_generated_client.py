"""Google's generated client for firebaseml v1beta2 makes every call of its own document, and the server's description of its
interface is valid."""

import json
import urllib.request

import pytest
from google.auth.credentials import AnonymousCredentials
from google.auth.transport.requests import AuthorizedSession
from google.oauth2 import service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from openapi_spec_validator import validate

SCOPE = "https://www.googleapis.com/auth/cloud-platform"


def methods(resource, path=""):
    """The names of all methods in a discovery document."""
    for name in resource.get("methods", {}):
        yield path + name
    for name, inner in resource.get("resources", {}).items():
        yield from methods(inner, f"{path}{name}.")


@pytest.fixture
def credentials(server, restored):
    credentials = service_account.Credentials.from_service_account_file(server.admin_key, scopes=[SCOPE])
    service_account.Credentials._is_regional_access_boundary_lookup_required = lambda self: False
    return credentials


@pytest.fixture
def generated(server, credentials):
    return build(
        "firebaseml",
        "v1beta2",
        credentials=credentials,
        static_discovery=True,
        client_options={"api_endpoint": server.url},
    )


def upload(server, credentials, file):
    """The file's place on the server, as Google's storage clients would name it."""
    session = AuthorizedSession(credentials)
    url = f"{server.url}/upload/storage/v1/b/{credentials.project_id}.hearth/o?uploadType=media&name={file.stem}"
    answer = session.post(url, data=file.read_bytes(), headers={"Content-Type": "application/octet-stream"})
    answer.raise_for_status()
    return f"gs://{answer.json()['bucket']}/{answer.json()['name']}"


def test_every_call_of_the_document(server, generated, credentials, device, digits, other_digits):
    parent = f"projects/{credentials.project_id}"
    models = generated.projects().models()
    done = set()

    assert models.list(parent=parent).execute() == {}
    done.add("projects.models.list")

    place = upload(server, credentials, digits)
    body = {"displayName": "digits", "tags": ["old"], "tfliteModel": {"gcsTfliteUri": place}}
    operation = models.create(parent=parent, body=body).execute()
    assert operation["done"], operation
    model = operation["response"]
    done.add("projects.models.create")

    # An operation that is done has no name to ask for again.
    with pytest.raises(HttpError) as refusal:
        generated.projects().operations().get(name=f"{parent}/operations/unknown").execute()
    assert refusal.value.status_code == 404
    done.add("projects.operations.get")

    assert models.get(name=model["name"]).execute()["modelHash"] == model["modelHash"]
    done.add("projects.models.get")

    operation = models.patch(
        name=model["name"],
        updateMask="tags,state.published,tfliteModel.gcsTfliteUri",
        body={
            "tags": ["new"],
            "state": {"published": True},
            "tfliteModel": {"gcsTfliteUri": upload(server, credentials, other_digits)},
        },
    ).execute()
    changed = operation["response"]
    assert changed["tags"] == ["new"] and changed["state"] == {"published": True}
    assert changed["modelHash"] != model["modelHash"]
    done.add("projects.models.patch")
    listed = models.list(parent=parent, filter="tags:new", pageSize=1).execute()
    assert [item["displayName"] for item in listed["models"]] == ["digits"]

    # A device's call: with the app's key and an installation's token in place of the admin's credentials.
    download = build(
        "firebaseml",
        "v1beta2",
        credentials=AnonymousCredentials(),
        developerKey=device.settings["API_KEY"],
        static_discovery=True,
        client_options={"api_endpoint": server.url},
    ).projects().models().download(name=f"{parent}/models/digits")
    download.headers["x-goog-firebase-installations-auth"] = device.token
    download.headers["x-ios-bundle-identifier"] = device.settings["BUNDLE_ID"]
    answer = download.execute()
    with urllib.request.urlopen(answer["downloadUri"]) as file:
        assert file.read() == other_digits.read_bytes()
    assert int(answer["sizeBytes"]) == other_digits.stat().st_size
    done.add("projects.models.download")

    assert models.delete(name=model["name"]).execute() == {}
    done.add("projects.models.delete")
    with pytest.raises(HttpError) as refusal:
        models.get(name=model["name"]).execute()
    assert refusal.value.status_code == 404

    assert done == set(methods(generated._rootDesc)), "each method of the document is called above"


def test_the_description_of_the_interface_is_valid(server):
    with urllib.request.urlopen(f"{server.url}/hearth/v1/openapi.json") as answer:
        description = json.load(answer)
    validate(description)
    assert f"/v1beta2/projects/{{project}}/models" in description["paths"]
